//! Softmax and log-softmax over rows, a line of `apply` each, beside a reference in `f64`.
//!
//! The operator of the table keeps the largest value and the sum of `exp(x - largest)` in one state, so that each row
//! is read once and nothing overflows.

use std::error::Error;

use warpfold::prelude::*;
use warpfold_examples::{Values, agree, require};

/// Each element's share of the row's exponentials.
#[warp_reduce(op = softmax, land = all, apply = |total| -> f32 { (x - total.0).exp() / total.1 })]
pub fn softmax(x: f32) -> f32 {
    x
}

/// The logarithm of [`softmax`], which does not lose small shares.
#[warp_reduce(op = softmax, land = all, apply = |total| -> f32 { x - total.0 - total.1.ln() })]
pub fn log_softmax(x: f32) -> f32 {
    x
}

/// The logarithms of the shares of one row.
fn reference(row: &[f32]) -> Vec<f64> {
    let largest = row
        .iter()
        .map(|&x| f64::from(x))
        .fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = row.iter().map(|&x| (f64::from(x) - largest).exp()).sum();
    row.iter().map(|&x| f64::from(x) - largest - sum.ln()).collect()
}

/// Runs both on rows of many lengths and on the rows that go wrong elsewhere.
pub(crate) fn run(device: &Device) -> Result<(), Box<dyn Error>> {
    println!("softmax and log-softmax on {}", device.describe());
    for (rows, cols) in [(64, 1), (64, 7), (1024, 64), (32, 1000), (8, 4096), (2, 70_000)] {
        let x = Values::new(cols as u64).between(-8.0, 8.0, rows * cols);
        let (shape, data) = (Rows::new(rows, cols), device.buffer(&x)?);
        let wanted: Vec<f64> = x.chunks(cols).flat_map(reference).collect();
        let log = log_softmax::rows(shape, &data)?.to_vec()?;
        agree(&format!("log-softmax, {cols} columns"), &log, &wanted, 2e-6)?;
        let shares = softmax::rows(shape, &data)?.to_vec()?;
        let wanted: Vec<f64> = wanted.iter().map(|x| x.exp()).collect();
        agree(&format!("softmax, {cols} columns"), &shares, &wanted, 1e-6)?;
    }

    // A masked position has no share; a row of nothing else has no answer, and says so.
    let masked = [f32::NEG_INFINITY, 0.0, 0.0, f32::NEG_INFINITY];
    let shares = softmax::rows(Rows::new(1, 4), &device.buffer(&masked)?)?.to_vec()?;
    agree(
        "softmax with masked positions",
        &shares,
        &[0.0, 0.5, 0.5, 0.0],
        0.0,
    )?;
    let nothing = device.buffer(&[f32::NEG_INFINITY; 5])?;
    let shares = softmax::rows(Rows::new(1, 5), &nothing)?.to_vec()?;
    require(
        shares.iter().all(|share| share.is_nan()),
        "a row of -inf alone must give NaN",
    )
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&Device::best()?)
}
