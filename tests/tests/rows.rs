//! Specs under their attributes, over rows on the host.
#![allow(missing_docs, reason = "each spec says what it is by its attribute")]
#![allow(clippy::cast_precision_loss, reason = "small whole numbers")]

use warpfold::prelude::*;

#[warp_reduce(op = max, identity = -inf, width = 32, land = all)]
pub fn row_max(x: f32) -> f32 {
    x
}

#[warp_reduce(op = sum)]
pub fn dot(a: f32, b: f32) -> f32 {
    a * b
}

#[warp_reduce(op = softmax, land = all, apply = |total| -> f32 { (x - total.0).exp() / total.1 })]
pub fn softmax(x: f32) -> f32 {
    x
}

#[warp_scan(op = sum, kind = exclusive)]
pub fn offsets(count: u32) -> u32 {
    count
}

#[warp_filter]
pub fn positive(x: f32) -> bool {
    x > 0.0
}

#[warp_shuffle(from = xor(16), width = 32)]
pub fn partner(x: i32) -> i32 {
    x
}

#[test]
fn the_largest_of_each_row_in_a_stride() {
    let x: Vec<f32> = (0..8205 * 32)
        .map(|i| -((i * 7919 % 1000) as f32) - 1.0)
        .collect();
    let max = row_max::rows(Rows::new(8205, 20).stride(32), &x).unwrap();
    for (row, &value) in max.iter().enumerate() {
        let expected = x[row * 32..][..20]
            .iter()
            .copied()
            .fold(f32::NEG_INFINITY, f32::max);
        assert!(
            (value - expected).abs() < f32::EPSILON,
            "row {row}: {value} and {expected}"
        );
    }
}

#[test]
fn a_dot_product_and_what_is_wrong_with_its_lengths() {
    let a: Vec<f32> = (1..=100).map(|i| i as f32).collect();
    assert!((dot::array(&a, &a).unwrap() - 338_350.0).abs() < 0.5);
    let error = dot::array(&a, &[1.0; 99]).unwrap_err().to_string();
    assert!(error.contains("`dot`") && error.contains("`b` has 99"), "{error}");
}

#[test]
fn softmax_sums_to_one_in_place_too() {
    let x: Vec<f32> = (0..3 * 33).map(|i| (i % 17) as f32).collect();
    let y = softmax::rows(Rows::new(3, 33), &x).unwrap();
    let mut own = x.clone();
    softmax::rows_in_place(Rows::new(3, 33), &mut own).unwrap();
    assert_eq!(own, y);
    for row in y.chunks(33) {
        assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }
}

#[test]
fn scans_filters_and_exchanges() {
    assert_eq!(offsets::array(&[3, 1, 4, 1, 5]).unwrap(), [0, 3, 4, 8, 9]);
    assert_eq!(positive::array(&[1.0, -2.0, 3.0]).unwrap(), [1.0, 3.0]);
    assert_eq!(positive::indices(&[1.0, -2.0, 3.0]).unwrap(), [0, 2]);
    let x: Vec<i32> = (0..32).collect();
    assert_eq!(partner::rows(Rows::new(1, 32), &x).unwrap()[3], 19);
}

#[test]
fn buffers_run_where_they_are() {
    let device = Device::best().unwrap();
    let x = device.buffer(&[1.0_f32, 9.0, 3.0, 4.0]).unwrap();
    let max = row_max::rows(Rows::new(2, 2), &x).unwrap();
    assert_eq!(max.to_vec().unwrap(), [9.0, 4.0]);
}

#[test]
fn rows_without_columns_are_done_at_once_however_many() {
    let rows = Rows::new(usize::MAX, 0);
    assert_eq!(offsets::rows(rows, &[0_u32; 0]).unwrap(), []);
    assert_eq!(softmax::rows(rows, &[0.0_f32; 0]).unwrap(), []);
    assert_eq!(partner::rows(rows, &[0_i32; 0]).unwrap(), []);
    assert!(matches!(
        row_max::rows(rows, &[0.0_f32; 0]),
        Err(warpfold::Error::HostMemory { .. })
    ));
}
