//! Scans down columns: those of the transposed matrix's rows.

use warpfold::Rows;
use warpfold_tests::answer::{Equal, Fetch};
use warpfold_tests::check::{Check, sizes};
use warpfold_tests::data::{random, whole};
use warpfold_tests::specs::scans;

/// Rows, columns, stride.
const SHAPES: [(usize, usize, usize); 12] = [
    (20, 37, 40),
    (1, 100, 100),
    (33, 5, 5),
    (1000, 64, 64),
    (4097, 3, 3),
    (40_003, 2, 2),
    (0, 5, 5),
    (7, 1000, 1000),
    (300, 300, 301),
    // Whole tiles of some columns and parts of some; more than a span of tiles, with packs and without.
    (2048, 33, 40),
    (1028, 17, 17),
    (33_796, 3, 3),
];

/// The matrix as its columns do it: `step` goes down each, and what it gives stands where the element stood.
fn down<S: Copy, R: Copy + Default>(
    (rows, cols): (usize, usize),
    identity: S,
    reverse: bool,
    step: impl Fn(S, usize, usize) -> (S, R),
) -> Vec<R> {
    let mut all = vec![R::default(); rows * cols];
    for c in 0..cols {
        let mut state = identity;
        for i in 0..rows {
            let r = if reverse { rows - 1 - i } else { i };
            (state, all[r * cols + c]) = step(state, r, c);
        }
    }
    all
}

#[test]
fn columns_are_scanned_as_rows_are() {
    let mut check = Check::new();
    for &(rows, cols, stride) in sizes(&SHAPES) {
        let shape = Rows::new(rows, cols).stride(stride);
        let label = |op: &str| format!("{op} down {shape:?}");
        let x = whole(1, rows * stride, 9);
        let want = down((rows, cols), -0.0_f32, false, |s, r, c| {
            let s = s + x[r * stride + c];
            (s, s)
        });
        check.gives(label("sums"), &want, |d| {
            scans::sums::columns(shape, &d.buffer(&x)?)?.fetch()
        });
        let rounded: Vec<f32> = random(4, rows * stride);
        check.same(label("sums_back, rounded"), Equal::Bits, |d| {
            scans::sums_back::columns(shape, &d.buffer(&rounded)?)?.fetch()
        });
        check.same(label("recurrence, rounded"), Equal::Bits, |d| {
            scans::recurrence::columns(shape, &d.buffer(&rounded)?, &d.buffer(&x)?)?.fetch()
        });
        let counts: Vec<u32> = random(2, rows * stride);
        let exclusive = |reverse| {
            down((rows, cols), 0_u32, reverse, |s, r, c| {
                (s.wrapping_add(counts[r * stride + c]), s)
            })
        };
        check.gives(label("offsets"), &exclusive(false), |d| {
            scans::offsets::columns(shape, &d.buffer(&counts)?)?.fetch()
        });
        check.gives(label("offsets_back"), &exclusive(true), |d| {
            scans::offsets_back::columns(shape, &d.buffer(&counts)?)?.fetch()
        });
        let (a, b): (Vec<u32>, Vec<u32>) = (random(5, rows * stride), random(6, rows * stride));
        let want = down((rows, cols), 0_u32, false, |h, r, c| {
            let h = a[r * stride + c].wrapping_mul(h).wrapping_add(b[r * stride + c]);
            (h, h)
        });
        check.gives(label("recurrence_exact, into"), &want, |d| {
            let mut out = d.zeros::<u32>(rows * cols)?;
            scans::recurrence_exact::columns_into(shape, &d.buffer(&a)?, &d.buffer(&b)?, &mut out)?;
            out.fetch()
        });
        let large: Vec<u64> = random(7, rows * stride);
        let want = down((rows, cols), 10_u64, false, |s, r, c| {
            (s.wrapping_add(large[r * stride + c]), s)
        });
        check.gives(label("offsets_from_ten"), &want, |d| {
            scans::offsets_from_ten::columns(shape, &d.buffer(&large)?)?.fetch()
        });
        let (gamma, scale) = (whole(8, rows, 4), whole(9, cols, 4));
        let want = down((rows, cols), -0.0_f32, false, |s, r, c| {
            let x = x[r * stride + c];
            let s = s + x;
            (
                s,
                s * gamma[r] + scale[c] + x + (r + rows) as f32 + c as f32 + 0.5,
            )
        });
        check.gives(label("every_kind"), &want, |d| {
            let (x, gamma, scale) = (d.buffer(&x)?, d.buffer(&gamma)?, d.buffer(&scale)?);
            scans::every_kind::columns(shape, &x, &gamma, &scale, 0.5)?.fetch()
        });
    }
    check.finish();
}
