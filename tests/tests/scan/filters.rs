//! Filters over rows: each row's kept values at its start, the rest default, and how many.

use warpfold::prelude::*;
use warpfold_tests::answer::Fetch;
use warpfold_tests::check::{Check, sizes};
use warpfold_tests::data::{random, whole};
use warpfold_tests::specs::filters;

const SHAPES: [(usize, usize, usize); 8] = [
    (37, 20, 32),
    (40, 1, 1),
    (5, 33, 33),
    (9, 128, 128),
    (3, 1000, 1001),
    (2, 4097, 4097),
    (1, 40_003, 40_003),
    (4, 0, 0),
];

/// Pads the kept values of each row.
fn padded<T: Copy + Default>(rows: Vec<Vec<T>>, cols: usize) -> (Vec<T>, Vec<u64>) {
    let counts = rows.iter().map(|row| row.len() as u64).collect();
    let mut values = Vec::new();
    for mut row in rows {
        row.resize(cols, T::default());
        values.extend(row);
    }
    (values, counts)
}

#[test]
fn kept_values_stand_at_the_start_of_their_row() {
    let mut check = Check::new();
    for &(rows, cols, stride) in sizes(&SHAPES) {
        let shape = Rows::new(rows, cols).stride(stride);
        let label = |op: &str| format!("{op} over {shape:?}");
        let x: Vec<f32> = random(1, rows * stride);
        let bytes: Vec<u8> = random(2, rows * stride);
        let part = |r: usize| r * stride..r * stride + cols;
        let want = padded(
            (0..rows)
                .map(|r| part(r).map(|i| x[i]).filter(|&x| x > 0.0).collect())
                .collect(),
            cols,
        );
        check.gives(label("positive"), &want, |d| {
            let (kept, counts) = filters::positive::rows(shape, &d.buffer(&x)?)?;
            Ok((kept.fetch()?, counts.fetch()?))
        });
        let want = padded(
            (0..rows)
                .map(|r| part(r).map(|i| bytes[i]).filter(|x| x & 1 == 1).collect())
                .collect(),
            cols,
        );
        check.gives(label("odd_bytes"), &want, |d| {
            let (kept, counts) = filters::odd_bytes::rows(shape, &d.buffer(&bytes)?)?;
            Ok((kept.fetch()?, counts.fetch()?))
        });

        let (a, b): (Vec<f64>, Vec<u32>) = (random(3, rows * stride), random(4, rows * stride));
        let kept = |r: usize| part(r).filter(|&i| a[i] < f64::from(b[i]) / 1_000_000_000.0);
        let (first, counts) = padded((0..rows).map(|r| kept(r).map(|i| a[i]).collect()).collect(), cols);
        let (second, _) = padded((0..rows).map(|r| kept(r).map(|i| b[i]).collect()).collect(), cols);
        check.gives(label("closer"), &(first, second, counts), |d| {
            let (first, second, counts) = filters::closer::rows(shape, &d.buffer(&a)?, &d.buffer(&b)?)?;
            Ok((first.fetch()?, second.fetch()?, counts.fetch()?))
        });

        let whole = whole(5, rows * stride, 10);
        let chosen = |r: usize| {
            (0..cols)
                .filter(|c| whole[r * stride + c] >= 4.0)
                .collect::<Vec<usize>>()
        };
        let (first, counts) = padded(
            (0..rows)
                .map(|r| {
                    chosen(r)
                        .into_iter()
                        .map(|c| whole[r * stride + c].powi(2))
                        .collect()
                })
                .collect(),
            cols,
        );
        let (second, _) = padded(
            (0..rows)
                .map(|r| chosen(r).into_iter().map(|c| c as u32).collect())
                .collect(),
            cols,
        );
        check.gives(label("squares"), &(first, second, counts), |d| {
            let (first, second, counts) = filters::squares::rows(shape, &d.buffer(&whole)?, 4.0)?;
            Ok((first.fetch()?, second.fetch()?, counts.fetch()?))
        });

        let (values, wanted): (Vec<i32>, Vec<bool>) = (random(6, rows * stride), random(7, cols));
        let want = padded(
            (0..rows)
                .map(|r| {
                    (0..cols)
                        .filter(|&c| wanted[c] && values[r * stride + c] != 0)
                        .map(|c| values[r * stride + c].wrapping_add(r as i32))
                        .collect()
                })
                .collect(),
            cols,
        );
        check.gives(label("by_column"), &want, |d| {
            let (kept, counts) = filters::by_column::rows(shape, &d.buffer(&values)?, &d.buffer(&wanted)?)?;
            Ok((kept.fetch()?, counts.fetch()?))
        });
    }
    check.finish();
}

#[test]
fn into_leaves_gaps_alone() {
    let mut check = Check::new();
    let x = whole(1, 5 * 33, 10);
    let mut want = vec![-3.0_f32; 5 * 40];
    let mut counts = Vec::new();
    for r in 0..5 {
        let kept: Vec<f32> = x[r * 33..][..33].iter().copied().filter(|&x| x > 0.0).collect();
        want[r * 40..][..33].fill(0.0);
        want[r * 40..][..kept.len()].copy_from_slice(&kept);
        counts.push(kept.len() as u64);
    }
    check.gives("rows_into", &(want, counts), |d| {
        let (mut out, mut counts) = (d.buffer(&[-3.0_f32; 5 * 40])?, d.zeros::<u64>(5)?);
        filters::positive::rows_into(
            Rows::new(5, 33).out_stride(40),
            &d.buffer(&x)?,
            &mut out,
            &mut counts,
        )?;
        Ok((out.fetch()?, counts.fetch()?))
    });
    check.finish();
}

/// Lengths around those of a turn, a tile and a batch of several blocks.
const LENGTHS: [u32; 9] = [0, 1, 31, 33, 1000, 4097, 65_537, 300_001, 3_000_001];

#[test]
fn an_array_keeps_nothing_from_live_on() {
    let mut check = Check::new();
    for &n in sizes(&LENGTHS) {
        let x: Vec<i32> = random(1, n as usize);
        let lives = [
            n / 2,
            u32::MAX,
            0,
            1,
            2,
            32,
            4096,
            65_536,
            n.saturating_sub(1),
            n,
            n + 1,
        ];
        for &live in &lives[..if n > 1_000_000 { 1 } else { lives.len() }] {
            let keeps =
                |&(i, x): &(usize, i32)| i < live as usize && i + 1 < n as usize && x > -1_000_000_000;
            let kept: Vec<(usize, i32)> = x.iter().copied().enumerate().filter(keeps).collect();
            let values: Vec<i32> = kept.iter().map(|&(_, x)| x).collect();
            let at: Vec<u64> = kept.iter().map(|&(i, _)| i as u64).collect();
            let (limit, lives, count) = ([-1_000_000_000], [live], kept.len() as u64);
            let label = |op: &str| format!("{op} of {n}, {live} live");
            check.gives(
                label("array"),
                &(values.clone(), vec![0_u32; kept.len()], at.clone()),
                |d| {
                    let (x, r, i) =
                        filters::placed::array(&d.buffer(&x)?, &d.buffer(&limit)?, &d.buffer(&lives)?)?;
                    Ok((x.fetch()?, r.fetch()?, i.fetch()?))
                },
            );
            check.gives(label("indices"), &at, |d| {
                filters::placed::indices(&d.buffer(&x)?, &d.buffer(&limit)?, &d.buffer(&lives)?)?.fetch()
            });
            check.gives(
                label("array_into"),
                &(values.clone(), at.clone(), vec![count]),
                |d| {
                    let (mut to, mut rows) = (d.zeros::<i32>(x.len())?, d.zeros::<u32>(x.len())?);
                    let (mut places, mut count) = (d.zeros::<u64>(x.len())?, d.zeros::<u64>(1)?);
                    filters::placed::array_into(
                        &d.buffer(&x)?,
                        &d.buffer(&limit)?,
                        &d.buffer(&lives)?,
                        &mut to,
                        &mut rows,
                        &mut places,
                        &mut count,
                    )?;
                    let (mut to, mut places) = (to.fetch()?, places.fetch()?);
                    to.truncate(kept.len());
                    places.truncate(kept.len());
                    Ok((to, places, count.fetch()?))
                },
            );
            check.gives(label("indices_into"), &(at.clone(), vec![count]), |d| {
                let (mut places, mut count) = (d.zeros::<u64>(x.len())?, d.zeros::<u64>(1)?);
                filters::placed::indices_into(
                    &d.buffer(&x)?,
                    &d.buffer(&limit)?,
                    &d.buffer(&lives)?,
                    &mut places,
                    &mut count,
                )?;
                let mut places = places.fetch()?;
                places.truncate(kept.len());
                Ok((places, count.fetch()?))
            });
            check.gives(label("Filter::array"), &(values, at), |d| {
                let (x, limit, lives) = (d.buffer(&x)?, d.buffer(&limit)?, d.buffer(&lives)?);
                let (x, _, i) = <filters::placed as Filter>::array((&x, &limit, &lives))?;
                Ok((x.fetch()?, i.fetch()?))
            });
        }
    }
    check.finish();
}
