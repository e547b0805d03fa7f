//! Compaction: what is positive, where it stood, and each row's share of it.

use std::error::Error;

use warpfold::prelude::*;
use warpfold_examples::{Values, equal};

/// Positive values stay.
#[warp_filter]
pub fn positive(x: f32) -> bool {
    x > 0.0
}

/// Of two arrays: positive values, each with its weight scaled.
#[warp_filter(keep = || (x, weight * scale))]
pub fn weighted(x: f32, weight: f32, #[uniform] scale: f32) -> bool {
    x > 0.0
}

/// Runs on an array and on rows.
pub(crate) fn run(device: &Device) -> Result<(), Box<dyn Error>> {
    println!("compaction on {}", device.describe());
    let (rows, cols) = (997, 100);
    let x = Values::new(5).between(-1.0, 1.0, rows * cols);
    let data = device.buffer(&x)?;

    let kept = positive::array(&data)?.to_vec()?;
    let wanted: Vec<f32> = x.iter().copied().filter(|&x| x > 0.0).collect();
    equal("values", &kept, &wanted)?;

    let indices = positive::indices(&data)?.to_vec()?;
    let stood: Vec<u64> = (0..).zip(&x).filter(|(_, x)| **x > 0.0).map(|(i, _)| i).collect();
    equal("indices", &indices, &stood)?;

    let weights = Values::new(6).between(0.0, 1.0, rows * cols);
    let (kept, scaled) = weighted::array(&data, &device.buffer(&weights)?, 2.0)?;
    equal("values of two arrays", &kept.to_vec()?, &wanted)?;
    let wanted: Vec<f32> = x
        .iter()
        .zip(&weights)
        .filter(|(x, _)| **x > 0.0)
        .map(|(_, w)| w * 2.0)
        .collect();
    equal("scaled weights", &scaled.to_vec()?, &wanted)?;

    let (kept, counts) = positive::rows(Rows::new(rows, cols), &data)?;
    let of_row = |row: &[f32]| row.iter().copied().filter(|&x| x > 0.0).collect::<Vec<f32>>();
    let wanted: Vec<u64> = x.chunks(cols).map(|row| of_row(row).len() as u64).collect();
    equal("counts of rows", &counts.to_vec()?, &wanted)?;
    let wanted: Vec<f32> = x
        .chunks(cols)
        .flat_map(|row| {
            let mut kept = of_row(row);
            kept.resize(cols, 0.0);
            kept
        })
        .collect();
    equal("values of rows", &kept.to_vec()?, &wanted)
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&Device::best()?)
}
