//! The logarithm of a sum of exponentials, with an operator written out as a closure.

use std::error::Error;

use warpfold::prelude::*;
use warpfold_examples::{Values, agree, require};

/// `ln(Σ exp(x))`: the state is the largest value so far and the sum of `exp(x - largest)`.
///
/// Where a side's largest is the larger one its sum stays as it is: `exp(-inf - -inf)` would be `NaN`.
#[warp_reduce(identity = (-inf, 0.0), op = |p, q| {
    let m = p.0.max(q.0);
    let left = if p.0 == m { p.1 } else { p.1 * (p.0 - m).exp() };
    let right = if q.0 == m { q.1 } else { q.1 * (q.0 - m).exp() };
    (m, left + right)
}, finish = |s| -> f32 { s.0 + s.1.ln() })]
pub fn log_sum_exp(x: f32) -> (f32, f32) {
    (x, 1.0)
}

fn reference(row: &[f32]) -> f64 {
    let largest = row
        .iter()
        .map(|&x| f64::from(x))
        .fold(f64::NEG_INFINITY, f64::max);
    largest
        + row
            .iter()
            .map(|&x| (f64::from(x) - largest).exp())
            .sum::<f64>()
            .ln()
}

/// Runs on rows of many lengths, with values whose exponentials do not fit into an `f32`.
pub(crate) fn run(device: &Device) -> Result<(), Box<dyn Error>> {
    println!("log-sum-exp on {}", device.describe());
    for (rows, cols) in [(100, 1), (100, 33), (64, 1000), (2, 70_000)] {
        let x = Values::new(cols as u64).between(-200.0, 200.0, rows * cols);
        let found = log_sum_exp::rows(Rows::new(rows, cols), &device.buffer(&x)?)?.to_vec()?;
        let wanted: Vec<f64> = x.chunks(cols).map(reference).collect();
        agree(&format!("{cols} columns"), &found, &wanted, 1e-6)?;
    }
    // A closed form: n zeros give ln(n).
    let zeros = device.buffer(&[0.0; 1024])?;
    let found = log_sum_exp::rows(Rows::new(1, 1024), &zeros)?.to_vec()?;
    agree("1024 zeros", &found, &[1024_f64.ln()], 1e-6)?;
    let nothing = device.buffer(&[f32::NEG_INFINITY; 40])?;
    let found = log_sum_exp::rows(Rows::new(1, 40), &nothing)?.to_vec()?;
    require(found == [f32::NEG_INFINITY], "a row of -inf alone must give -inf")
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&Device::best()?)
}
