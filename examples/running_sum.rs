//! Running sums: along rows, over a whole array, and from the end.

use std::error::Error;

use warpfold::prelude::*;
use warpfold_examples::{Values, equal};

/// The sum up to and with each element.
#[warp_scan(op = sum)]
pub fn running_sum(x: i64) -> i64 {
    x
}

/// The sum from each element to the end of its row.
#[warp_scan(op = sum, direction = reverse)]
pub fn still_to_come(x: i64) -> i64 {
    x
}

fn reference(row: &[i64]) -> Vec<i64> {
    row.iter()
        .scan(0, |sum, x| {
            *sum += x;
            Some(*sum)
        })
        .collect()
}

fn reference_from_the_end(row: &[i64]) -> Vec<i64> {
    let mirrored: Vec<i64> = row.iter().rev().copied().collect();
    let mut sums = reference(&mirrored);
    sums.reverse();
    sums
}

/// Runs on rows of many lengths and on one array.
pub(crate) fn run(device: &Device) -> Result<(), Box<dyn Error>> {
    println!("running sums on {}", device.describe());
    for (rows, cols) in [(100, 1), (100, 33), (64, 1000), (3, 70_000)] {
        let mut values = Values::new(cols as u64);
        let x: Vec<i64> = (0..rows * cols)
            .map(|_| i64::from(values.below(2001)) - 1000)
            .collect();
        let (shape, data) = (Rows::new(rows, cols), device.buffer(&x)?);
        let found = running_sum::rows(shape, &data)?.to_vec()?;
        let wanted: Vec<i64> = x.chunks(cols).flat_map(reference).collect();
        equal(&format!("rows of {cols}"), &found, &wanted)?;
        let found = still_to_come::rows(shape, &data)?.to_vec()?;
        let wanted: Vec<i64> = x.chunks(cols).flat_map(reference_from_the_end).collect();
        equal(&format!("rows of {cols}, from the end"), &found, &wanted)?;
    }
    // A closed form: 1 + 2 + … + n = n (n + 1) / 2.
    let numbers: Vec<i64> = (1..=100_000).collect();
    let found = running_sum::array(&device.buffer(&numbers)?)?.to_vec()?;
    let wanted: Vec<i64> = numbers.iter().map(|n| n * (n + 1) / 2).collect();
    equal("triangular numbers", &found, &wanted)
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&Device::best()?)
}
