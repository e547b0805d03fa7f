//! Shapes, lengths and values that have gone wrong elsewhere.

use super::order::floats;
use super::specs::*;
use crate::argument::{Argument, Target};
use crate::call::{
    array_filter, array_indices, array_reduce, array_scan, columns_reduce, rows_filter, rows_reduce,
    rows_reduce_in_place, rows_reduce_into, rows_scan, rows_shuffle,
};
use crate::place::Host;
use crate::{Error, Rows};

#[test]
fn max_over_rows_in_a_stride() {
    let (rows, cols, stride) = (8205, 20, 32);
    let x: Vec<f32> = floats(rows * stride).iter().map(|x| x - 100.0).collect();
    let max =
        rows_reduce::<RowMax, Host>(Rows::new(rows, cols).stride(stride), &[Argument::host(&x)]).unwrap();
    for (row, &value) in max.iter().enumerate() {
        let expected = x[row * stride..][..cols]
            .iter()
            .copied()
            .fold(f32::NEG_INFINITY, f32::max);
        assert_eq!(value, expected, "row {row}");
    }
}

#[test]
fn rows_without_columns_take_no_time() {
    let none: &[f32] = &[];
    let scanned = rows_scan::<ScanSum, Host>(Rows::new(usize::MAX - 1, 0), &[Argument::host(none)]);
    assert!(scanned.unwrap().is_empty());
}

#[test]
fn max_of_minus_infinity_and_of_huge_negatives() {
    for cols in [1, 11, 20, 31, 33] {
        let max =
            |x: &[f32]| rows_reduce::<RowMax, Host>(Rows::new(1, cols), &[Argument::host(x)]).unwrap()[0];
        assert_eq!(max(&vec![f32::NEG_INFINITY; cols]), f32::NEG_INFINITY);
        assert_eq!(max(&vec![-3.4e38; cols]), -3.4e38);
    }
}

#[test]
fn init_is_folded_in_once() {
    assert_eq!(
        array_reduce::<SumInit, Host>(&[Argument::host(&[1.0_f32; 1024])]).unwrap(),
        1025.0
    );
    assert_eq!(
        array_reduce::<SumInit, Host>(&[Argument::host::<f32>(&[])]).unwrap(),
        1.0
    );
}

#[test]
fn sums_of_negative_zeros_stay_negative() {
    let sum = |x: &[f32]| array_reduce::<Sum, Host>(&[Argument::host(x)]).unwrap().to_bits();
    assert_eq!(sum(&[-0.0, -0.0]), (-0.0_f32).to_bits());
    assert_eq!(sum(&[]), (-0.0_f32).to_bits());
    let scan = array_scan::<ScanSum, Host>(&[Argument::host(&[-0.0_f32])]).unwrap();
    assert_eq!(scan[0].to_bits(), (-0.0_f32).to_bits());
}

#[test]
fn nothing_gives_nothing_and_no_columns_the_identity() {
    let none: &[f32] = &[];
    assert!(
        rows_reduce::<RowMax, Host>(Rows::new(0, 20), &[Argument::host(none)])
            .unwrap()
            .is_empty()
    );
    let empty = rows_reduce::<RowMax, Host>(Rows::new(3, 0), &[Argument::host(none)]).unwrap();
    assert_eq!(empty, [f32::NEG_INFINITY; 3]);
    assert!(
        rows_scan::<ScanSum, Host>(Rows::new(3, 0), &[Argument::host(none)])
            .unwrap()
            .is_empty()
    );
    assert!(
        rows_reduce::<SoftmaxApply, Host>(Rows::new(0, 5), &[Argument::host(none)])
            .unwrap()
            .is_empty()
    );
}

#[test]
fn softmax_is_that_of_a_loop() {
    for cols in [1, 7, 20, 33, 128, 513, 1025, 5000] {
        let x: Vec<f32> = floats(3 * cols).iter().map(|x| x * 20.0).collect();
        let y = rows_reduce::<SoftmaxApply, Host>(Rows::new(3, cols), &[Argument::host(&x)]).unwrap();
        for (x, y) in x.chunks(cols).zip(y.chunks(cols)) {
            let max = f64::from(x.iter().copied().fold(f32::NEG_INFINITY, f32::max));
            let sum: f64 = x.iter().map(|&x| (f64::from(x) - max).exp()).sum();
            for (&x, &y) in x.iter().zip(y) {
                let expected = (f64::from(x) - max).exp() / sum;
                assert!(
                    (f64::from(y) - expected).abs() <= 4e-6 * expected + 1e-30,
                    "{y} is not {expected}"
                );
            }
        }
    }
}

#[test]
fn softmax_of_minus_infinity() {
    let one = rows_reduce::<SoftmaxApply, Host>(
        Rows::new(1, 3),
        &[Argument::host(&[0.0_f32, f32::NEG_INFINITY, 0.0])],
    )
    .unwrap();
    assert_eq!(one, [0.5, 0.0, 0.5]);
    let all = rows_reduce::<SoftmaxApply, Host>(Rows::new(1, 3), &[Argument::host(&[f32::NEG_INFINITY; 3])])
        .unwrap();
    assert!(all.iter().all(|y| y.is_nan()));
}

#[test]
fn in_place_gives_what_a_new_array_gets() {
    let x = floats(50 * 40);
    let shape = Rows::new(50, 33).stride(40);
    let fresh = rows_reduce::<SoftmaxApply, Host>(shape, &[Argument::host(&x)]).unwrap();
    let mut own = x.clone();
    rows_reduce_in_place::<SoftmaxApply>(shape, &[Argument::InPlace], Target::host(&mut own)).unwrap();
    for row in 0..50 {
        assert_eq!(own[row * 40..][..33], fresh[row * 33..][..33], "row {row}");
        let end = if row == 49 { 33 } else { 40 };
        assert_eq!(
            own[row * 40 + 33..][..end - 33],
            x[row * 40 + 33..][..end - 33],
            "what lies between rows stays"
        );
    }
}

#[test]
fn results_in_a_stride_leave_the_gaps_alone() {
    let x = floats(6 * 10);
    let mut out = vec![7.0_f32; 5 * 4 + 1];
    rows_reduce_into::<Sum>(
        Rows::new(6, 10).out_stride(4),
        &[Argument::host(&x)],
        &mut [Target::host(&mut out)],
    )
    .unwrap();
    assert!(
        out.iter()
            .enumerate()
            .all(|(i, &value)| (i % 4 == 0) == (value != 7.0))
    );
}

#[test]
fn columns_are_the_rows_of_the_transposed_matrix() {
    let (rows, cols) = (300, 17);
    let x = floats(rows * cols);
    let transposed: Vec<f32> = (0..cols)
        .flat_map(|c| (0..rows).map(move |r| (r, c)))
        .map(|(r, c)| x[r * cols + c])
        .collect();
    let columns = columns_reduce::<Sum, Host>(Rows::new(rows, cols), &[Argument::host(&x)]).unwrap();
    let rows = rows_reduce::<Sum, Host>(Rows::new(cols, rows), &[Argument::host(&transposed)]).unwrap();
    assert_eq!(columns, rows);
}

#[test]
fn filters_keep_the_order() {
    for n in [0, 1, 31, 32, 33, 1000, 200_000] {
        let x = floats(n);
        let expected: Vec<f32> = x.iter().copied().filter(|&x| x > 0.0).collect();
        assert_eq!(
            array_filter::<Positive, Host>(&[Argument::host(&x)]).unwrap(),
            expected,
            "{n} elements"
        );
        let indices = array_indices::<Positive, Host>(&[Argument::host(&x)]).unwrap();
        assert_eq!(
            indices.iter().map(|&i| x[i as usize]).collect::<Vec<_>>(),
            expected
        );
    }
    assert!(
        array_filter::<Positive, Host>(&[Argument::host(&[-1.0_f32; 100])])
            .unwrap()
            .is_empty()
    );
    assert_eq!(
        array_filter::<Positive, Host>(&[Argument::host(&[1.0_f32; 100])])
            .unwrap()
            .len(),
        100
    );
}

#[test]
fn rows_are_filtered_to_their_starts() {
    let (rows, cols) = (5000, 21);
    let x = floats(rows * cols);
    let (kept, counts) = rows_filter::<Positive, Host>(Rows::new(rows, cols), &[Argument::host(&x)]).unwrap();
    for row in 0..rows {
        let mut expected: Vec<f32> = x[row * cols..][..cols]
            .iter()
            .copied()
            .filter(|&x| x > 0.0)
            .collect();
        assert_eq!(counts[row], expected.len() as u64);
        expected.resize(cols, 0.0);
        assert_eq!(kept[row * cols..][..cols], expected);
    }
}

#[test]
fn exchanges_stay_inside_group_and_row() {
    let x: Vec<u32> = (0..40).collect();
    let partner = rows_shuffle::<Partner, Host>(Rows::new(1, 40), &[Argument::host(&x)]).unwrap();
    let expected: Vec<u32> = (0..40).map(|i| if i < 32 { i ^ 16 } else { i }).collect();
    assert_eq!(partner, expected);
    let before = rows_shuffle::<Before, Host>(Rows::new(2, 20), &[Argument::host(&x)]).unwrap();
    let expected: Vec<u32> = (0..40).map(|i| if i % 20 % 8 == 0 { i } else { i - 1 }).collect();
    assert_eq!(before, expected);
    let around = rows_shuffle::<Around, Host>(Rows::new(1, 8), &[Argument::host(&x[..8])]).unwrap();
    assert_eq!(around, [3, 4, 5, 6, 7, 0, 1, 2]);
}

#[test]
fn bad_shapes_are_errors_before_anything_runs() {
    let x = floats(100);
    let mut out = vec![9.0_f32; 4];
    let mut into = |shape, x: &[f32]| {
        rows_reduce_into::<Sum>(shape, &[Argument::host(x)], &mut [Target::host(&mut out)])
    };
    assert!(matches!(
        into(Rows::new(4, 26), &x),
        Err(Error::TooShort {
            needed: 104,
            given: 100,
            ..
        })
    ));
    assert!(matches!(
        into(Rows::new(5, 20), &x),
        Err(Error::TooShort {
            needed: 5,
            given: 4,
            ..
        })
    ));
    assert!(matches!(
        into(Rows::new(4, 20).stride(19), &x),
        Err(Error::Stride { .. })
    ));
    assert!(matches!(
        into(Rows::new(1 << 62, 2).stride(8), &x),
        Err(Error::Overflow { .. })
    ));
    assert_eq!(out, [9.0; 4], "nothing was written");
}
