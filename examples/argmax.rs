//! Where the largest value stands: ties go to the lowest index, and a `NaN` wins so that nobody overlooks it.

use std::error::Error;

use warpfold::prelude::*;
use warpfold_examples::{Values, equal};

/// The largest value of a row and its index. A tuple comes apart: two arrays.
#[warp_reduce(op = argmax)]
pub fn top(x: f32) -> f32 {
    x
}

/// Runs on rows with many ties, and on a few that show the rules.
pub(crate) fn run(device: &Device) -> Result<(), Box<dyn Error>> {
    println!("argmax on {}", device.describe());
    let (rows, cols) = (500, 333);
    let mut values = Values::new(2);
    // Ten different values in rows of 333: every row's largest occurs many times.
    let x: Vec<f32> = (0..rows * cols)
        .map(|_| f32::from(values.below(10) as u16))
        .collect();
    let (found, index) = top::rows(Rows::new(rows, cols), &device.buffer(&x)?)?;
    let wanted: Vec<(f32, u64)> = x
        .chunks(cols)
        .map(|row| {
            let largest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let first = row.iter().position(|&x| x >= largest).unwrap_or_default();
            (largest, first as u64)
        })
        .collect();
    let found: Vec<(f32, u64)> = found.to_vec()?.into_iter().zip(index.to_vec()?).collect();
    equal("rows with ties", &found, &wanted)?;

    let mut rules = vec![1.0; 3 * 32];
    rules[32 + 7] = f32::NAN;
    rules[64 + 9] = 2.0;
    let (_, index) = top::rows(Rows::new(3, 32), &device.buffer(&rules)?)?;
    equal(
        "all equal, a NaN at 7, the largest at 9",
        &index.to_vec()?,
        &[0, 7, 9],
    )
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&Device::best()?)
}
