//! Lengths one by one, and around tiles.

use warpfold::Rows;
use warpfold_tests::answer::{Equal, Fetch};
use warpfold_tests::check::{Check, many, under_sanitizer};
use warpfold_tests::data::{random, whole};
use warpfold_tests::specs::{custom, table};

/// Rows of 0 to 70 columns, and of lengths around 1, 2, 3, 32 and 33 tiles of 1024 elements.
fn lengths() -> Vec<usize> {
    if under_sanitizer() {
        return vec![0, 1, 21, 64, 1025];
    }
    let around = [
        96, 128, 160, 200, 256, 512, 1023, 1024, 1025, 2047, 2048, 2049, 3073, 4096, 32_768, 32_769, 33_793,
    ];
    (0..=70).chain(around).collect()
}

#[test]
fn sums_of_whole_numbers() {
    let mut check = Check::new();
    for cols in lengths() {
        let rows = if cols < 256 { 19 } else { 2 };
        let x = whole(cols as u64, rows * cols, 100);
        let want: Vec<f32> = (0..rows)
            .map(|r| x[r * cols..][..cols].iter().fold(-0.0, |a, b| a + b))
            .collect();
        check.gives(format!("sum of {rows} x {cols}"), &want, |d| {
            table::of_f32::sum::rows(Rows::new(rows, cols), &d.buffer(&x)?)?.fetch()
        });
    }
    check.finish();
}

#[test]
fn an_operator_in_order() {
    let mut check = Check::new();
    for cols in lengths().into_iter().filter(|cols| cols % 5 == 1 || *cols > 70) {
        let rows = if cols < 256 { 19 } else { 2 };
        let (a, b): (Vec<u32>, Vec<u32>) = (random(1, rows * cols), random(2, rows * cols));
        let one = |r: usize| {
            (r * cols..(r + 1) * cols).fold((1_u32, 0_u32), |s, i| {
                (s.0.wrapping_mul(a[i]), a[i].wrapping_mul(s.1).wrapping_add(b[i]))
            })
        };
        let want: (Vec<u32>, Vec<u32>) = (0..rows).map(one).unzip();
        check.gives(format!("affine of {rows} x {cols}"), &want, |d| {
            table::of_u32::affine::rows(Rows::new(rows, cols), &d.buffer(&a)?, &d.buffer(&b)?)?.fetch()
        });
    }
    check.finish();
}

/// Rows that need strides of launches: millions of short ones, one of a million columns.
#[test]
fn many_rows_and_long_rows() {
    let mut check = Check::new();
    for (rows, cols) in [
        (many(3_000_000), 1),
        (many(500_000), 3),
        (many(3_000_000) / 40, 33),
        (3, many(1_000_003)),
        (1, many(4_000_037)),
    ] {
        let x: Vec<f32> = random(rows as u64, rows * cols);
        let shape = Rows::new(rows, cols);
        check.same(format!("max of {rows} x {cols}"), Equal::Bits, |d| {
            table::of_f32::max::rows(shape, &d.buffer(&x)?)?.fetch()
        });
        check.same(format!("sum of {rows} x {cols}"), Equal::Bits, |d| {
            table::of_f32::sum::rows(shape, &d.buffer(&x)?)?.fetch()
        });
        check.same(format!("sum in order of {rows} x {cols}"), Equal::Bits, |d| {
            custom::sum_in_order::rows(shape, &d.buffer(&x)?)?.fetch()
        });
    }
    check.finish();
}
