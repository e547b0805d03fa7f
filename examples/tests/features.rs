//! The optional features of `warpfold`: arrays of `ndarray`, shapes and reports that can be written and read.

use ndarray::{Array2, Array3, Axis, array, s};
use warpfold::nd::{ApplyAxis, ReduceAxis, ScanAxis};
use warpfold::prelude::*;
use warpfold::{Error, Uniform};
use warpfold_examples::Values;

/// The sum.
#[warp_reduce(op = sum)]
pub fn total(x: f32) -> f32 {
    x
}

/// The sum of products.
#[warp_reduce(op = sum)]
pub fn dot(a: f32, b: f32) -> f32 {
    a * b
}

/// The largest and where it stands.
#[warp_reduce(op = argmax)]
pub fn top(x: f32) -> f32 {
    x
}

/// A dot product with one weight a position on the axis, and a bias a row.
#[warp_reduce(op = sum, finish = |s| -> f32 { s * scale + bias })]
pub fn layer(x: f32, #[per_column] weight: f32, #[per_row] bias: f32, #[uniform] scale: f32) -> f32 {
    x * weight
}

/// Shares of the sum.
#[warp_reduce(op = sum, land = all, apply = |total| -> f32 { x / total })]
pub fn share(x: f32) -> f32 {
    x
}

/// The sum up to each element.
#[warp_scan(op = sum)]
pub fn running(x: f32) -> f32 {
    x
}

/// Whole numbers, so that sums are exact in any order.
fn cube() -> Array3<f32> {
    let mut random = Values::new(5);
    Array3::from_shape_fn((2, 3, 5), |_| f32::from(random.below(100) as u16))
}

#[test]
fn every_axis_of_a_cube() {
    let x = cube();
    for axis in (0..3).map(Axis) {
        assert_eq!(total::axis(&x, axis).unwrap(), x.sum_axis(axis));
        let mut sums = x.clone();
        sums.accumulate_axis_inplace(axis, |&before, here| *here += before);
        assert_eq!(running::along_axis(&x, axis).unwrap(), sums);
        let shares = share::along_axis(&x, axis).unwrap();
        assert_eq!(shares, &x / &x.sum_axis(axis).insert_axis(axis));
    }
}

/// What the guide shows for `ndarray` is called here, line by line: its pages are compiled without the feature.
#[test]
fn the_calls_of_the_guide() -> Result<(), Error> {
    let x = array![[1.0_f32, 3.0], [4.0, 4.0]];
    let sums = total::axis(&x, Axis(1))?;
    let shares = share::along_axis(&x, Axis(1))?;
    assert_eq!(sums, array![4.0, 8.0]);
    assert_eq!(shares, array![[0.25, 0.75], [0.5, 0.5]]);
    let rows = total::rows(Rows::new(2, 2), x.as_slice().unwrap())?;
    assert_eq!(sums.to_vec(), rows);

    let guide = include_str!("../../runtime/src/guide/libraries.md");
    let here = include_str!("features.rs");
    let shown = guide
        .split("```text\n")
        .find(|block| block.starts_with("use warpfold::nd"));
    let (shown, _) = shown.and_then(|block| block.split_once("```")).unwrap();
    for line in shown.lines() {
        let (code, _) = line.split_once("//").unwrap_or((line, ""));
        assert!(here.contains(code.trim()), "nothing here runs `{code}`");
    }
    Ok(())
}

/// Views of any layout: turned, cut, backwards, every other one.
#[test]
fn views_in_any_layout() {
    let x = cube();
    let turned = x.view().reversed_axes();
    assert_eq!(total::axis(turned, Axis(0)).unwrap(), turned.sum_axis(Axis(0)));
    for view in [x.slice(s![.., 1.., ..;2]), x.slice(s![..;-1, .., 1..4])] {
        for axis in (0..3).map(Axis) {
            assert_eq!(total::axis(view, axis).unwrap(), view.sum_axis(axis));
            assert_eq!(
                dot::axis((view, &view), axis).unwrap(),
                view.mapv(|x| x * x).sum_axis(axis)
            );
        }
    }
    let flat = array![3.0_f32, 1.0];
    assert_eq!(total::axis(&flat, Axis(0)).unwrap(), ndarray::arr0(4.0));
}

/// Down the columns of a matrix in standard layout nothing is copied, and the bits are those of the turned matrix.
#[test]
fn columns_have_the_bits_of_rows() {
    let values = Values::new(9).between(-1.0, 1.0, 300 * 7);
    let x = Array2::from_shape_vec((300, 7), values).unwrap();
    let turned = x.t().as_standard_layout().into_owned();
    let bits = |found: ndarray::Array1<f32>| found.mapv(f32::to_bits);
    assert_eq!(
        bits(total::axis(&x, Axis(0)).unwrap()),
        bits(total::axis(&turned, Axis(1)).unwrap())
    );
}

#[test]
fn tuples_come_apart() {
    let x = array![[1.0_f32, 7.0, 7.0], [5.0, 2.0, 3.0]];
    let (values, indices) = top::axis(&x, Axis(1)).unwrap();
    assert_eq!((values, indices), (array![7.0, 5.0], array![1_u64, 0]));
    let (values, indices) = top::axis(&x, Axis(0)).unwrap();
    assert_eq!((values, indices), (array![5.0, 7.0, 7.0], array![1_u64, 0, 0]));
}

#[test]
fn values_of_rows_and_columns() {
    let x = array![[1.0_f32, 2.0], [3.0, 4.0], [5.0, 6.0]];
    let (weight, bias) = (vec![10.0_f32, 1.0], [0.5_f32, 1.5, 2.5]);
    let found = layer::axis((&x, &weight, &bias[..], Uniform(2.0_f32)), Axis(1)).unwrap();
    assert_eq!(found, array![24.5, 69.5, 114.5]);
    let (weight, bias) = (vec![1.0_f32, 10.0, 100.0], [0.0_f32, 1.0]);
    let found = layer::axis((&x, &weight, &bias[..], Uniform(1.0_f32)), Axis(0)).unwrap();
    assert_eq!(found, array![531.0, 643.0]);
}

#[test]
fn what_does_not_belong_together_is_said() {
    let (a, b) = (Array2::<f32>::zeros((2, 3)), Array2::<f32>::zeros((3, 2)));
    let error = dot::axis((&a, &b), Axis(1)).unwrap_err();
    assert!(matches!(error, Error::Arrays { .. }));
    assert!(
        error.to_string().contains("[2, 3]") && error.to_string().contains("\nhelp: "),
        "{error}"
    );
    for axis in [Axis(2), Axis(9)] {
        assert!(matches!(total::axis(&a, axis), Err(Error::Arrays { .. })));
        assert!(matches!(running::along_axis(&a, axis), Err(Error::Arrays { .. })));
    }
    let short = [1.0_f32];
    let error = layer::axis((&a, &short[..], &short[..], Uniform(1.0_f32)), Axis(1)).unwrap_err();
    assert!(matches!(error, Error::TooShort { .. }), "{error}");
}

#[test]
fn nothing_along_an_axis_gives_the_identity() {
    let none = Array2::<f32>::zeros((3, 0));
    assert_eq!(total::axis(&none, Axis(1)).unwrap(), array![-0.0, -0.0, -0.0]);
    assert_eq!(total::axis(&none, Axis(0)).unwrap().len(), 0);
    assert_eq!(running::along_axis(&none, Axis(0)).unwrap().dim(), (3, 0));
}

#[test]
fn shapes_can_be_written_and_read() {
    let dense = serde_json::to_string(&Rows::new(3, 20)).unwrap();
    assert_eq!(dense, r#"{"rows":3,"cols":20}"#);
    for shape in [Rows::new(3, 20), Rows::new(8205, 20).stride(32).out_stride(24)] {
        let text = serde_json::to_string(&shape).unwrap();
        assert_eq!(serde_json::from_str::<Rows>(&text).unwrap(), shape);
    }
    assert!(serde_json::from_str::<Rows>(r#"{"rows":3,"cols":20,"strde":32}"#).is_err());
}

#[test]
fn costs_can_be_written_and_read() {
    let text =
        r#"{"registers":32,"shared_bytes":0,"local_bytes":0,"threads":256,"blocks_per_multiprocessor":8}"#;
    let cost: warpfold::Cost = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&cost).unwrap(), text);
}
