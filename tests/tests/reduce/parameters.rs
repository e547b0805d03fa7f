//! Parameters of every kind, and ragged rows.

use warpfold::Rows;
use warpfold_tests::answer::{Equal, Fetch};
use warpfold_tests::check::{Check, sizes};
use warpfold_tests::data::{Random, random, whole};
use warpfold_tests::specs::custom;

const SHAPES: [(usize, usize, usize); 4] = [(37, 20, 32), (3, 1000, 1001), (5, 33, 33), (1, 40_003, 40_003)];

#[test]
fn every_kind_in_map_and_finish() {
    let mut check = Check::new();
    for &(rows, cols, stride) in sizes(&SHAPES) {
        let shape = Rows::new(rows, cols).stride(stride);
        let (x, weight) = (whole(1, rows * stride, 9), whole(2, cols, 4));
        let scale = whole(3, rows, 2);
        let one = |r: usize| {
            let sum = (0..cols).fold(-0.0, |s, c| s + x[r * stride + c] * weight[c] + (c & 3) as f32);
            sum * scale[r] + 0.25 + r as f32 + cols as f32 * 0.5
        };
        let want: Vec<f32> = (0..rows).map(one).collect();
        check.gives(format!("every_kind over {shape:?}"), &want, |d| {
            custom::every_kind::rows(
                shape,
                &d.buffer(&x)?,
                &d.buffer(&weight)?,
                &d.buffer(&scale)?,
                0.25,
            )?
            .fetch()
        });
        let bytes = vec![0_u8; rows * stride];
        let squares: u64 = (0..cols as u64).map(|i| i * i).sum();
        check.gives(format!("positions over {shape:?}"), &vec![squares; rows], |d| {
            custom::positions::rows(shape, &d.buffer(&bytes)?)?.fetch()
        });
    }
    check.finish();
}

#[test]
fn ragged_rows() {
    let mut check = Check::new();
    for &(rows, cols, stride) in sizes(&SHAPES) {
        let shape = Rows::new(rows, cols).stride(stride);
        let x: Vec<f32> = random(1, rows * stride);
        let exact = whole(2, rows * stride, 99);
        let mut noise = Random::new(3);
        // Also more than there are, none and all.
        let live: Vec<u32> = (0..rows)
            .map(|r| match r % 4 {
                0 => cols as u32 / 2,
                1 => 0,
                2 => cols as u32 + 7,
                _ => noise.below(cols as u64) as u32,
            })
            .collect();
        let part = |r: usize| &exact[r * stride..][..cols.min(live[r] as usize)];
        let want: Vec<f32> = (0..rows)
            .map(|r| part(r).iter().fold(-0.0, |a, b| a + b))
            .collect();
        check.gives(format!("ragged over {shape:?}"), &want, |d| {
            custom::ragged::rows(shape, &d.buffer(&exact)?, &d.buffer(&live)?)?.fetch()
        });
        check.gives(format!("ragged_in_order over {shape:?}"), &want, |d| {
            custom::ragged_in_order::rows(shape, &d.buffer(&exact)?, &d.buffer(&live)?)?.fetch()
        });
        let top = |r: usize| {
            let part = part(r);
            (0..part.len()).fold((f32::NEG_INFINITY, u64::MAX), |best, i| {
                if part[i] > best.0 {
                    (part[i], i as u64)
                } else {
                    best
                }
            })
        };
        let want: (Vec<f32>, Vec<u64>) = (0..rows).map(top).unzip();
        check.gives(format!("ragged_top over {shape:?}"), &want, |d| {
            custom::ragged_top::rows(shape, &d.buffer(&exact)?, &d.buffer(&live)?)?.fetch()
        });
        check.same(format!("ragged over {shape:?}, rounded"), Equal::Bits, |d| {
            custom::ragged::rows(shape, &d.buffer(&x)?, &d.buffer(&live)?)?.fetch()
        });
    }
    check.finish();
}
