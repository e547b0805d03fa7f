//! The brightest value and the ink of handwritten digits, and the largest value of 8,205 short rows.
//!
//! `cargo run --release --example row_max` runs on a GPU where there is one and on the CPU elsewhere.

use std::error::Error;

use warpfold::prelude::*;
use warpfold_examples::Digits;

/// The largest value of a row.
#[warp_reduce(op = max, identity = -inf, width = 32, land = all)]
pub fn row_max(x: f32) -> f32 {
    x
}

/// The sum of a row.
#[warp_reduce(op = sum)]
pub fn ink(x: f32) -> f32 {
    x
}

/// Rows whose value differs from the one a plain loop gives.
fn wrong(rows: &[f32], found: &[f32], plain: impl Fn(&[f32]) -> f32, cols: usize, stride: usize) -> usize {
    (0..found.len())
        .filter(|&r| plain(&rows[r * stride..r * stride + cols]) != found[r])
        .count()
}

fn largest(row: &[f32]) -> f32 {
    row.iter().copied().fold(f32::NEG_INFINITY, f32::max)
}

fn main() -> Result<(), Box<dyn Error>> {
    let device = Device::best()?;
    println!("device: {}", device.describe());

    let Digits { images, labels } = warpfold_examples::digits()?;
    let (rows, cols) = images.dim();
    let pixels = images.as_slice().ok_or("the images are not in row order")?;
    let shape = Rows::new(rows, cols);
    let data = device.buffer(pixels)?;
    let brightest = row_max::rows(shape, &data)?.to_vec()?;
    let inks = ink::rows(shape, &data)?.to_vec()?;
    println!("\nUCI digits: {rows} images of {cols} values");
    for r in 0..3 {
        println!(
            "  image {r} (a {}): brightest {}, ink {}",
            labels[r], brightest[r], inks[r]
        );
    }
    // Whole numbers below 2^24: their sum is exact in any order.
    let bad = wrong(pixels, &brightest, largest, cols, cols)
        + wrong(pixels, &inks, |row| row.iter().sum(), cols, cols);
    println!("{bad} rows wrong");

    let (rows, cols, stride) = (8205, 20, 32);
    // The columns past the 20th hold what must never be seen.
    let values: Vec<f32> = (0..rows * stride)
        .map(|i| {
            if i % stride < cols {
                -1.0 - (i * 7919 % 1000) as f32
            } else {
                1e9
            }
        })
        .collect();
    let found = row_max::rows(Rows::new(rows, cols).stride(stride), &device.buffer(&values)?)?.to_vec()?;
    println!("\n{rows} rows of {cols} live columns in a stride of {stride}");
    for (r, value) in found.iter().enumerate().take(3) {
        println!("  row {r}: {value}");
    }
    println!("{} rows wrong", wrong(&values, &found, largest, cols, stride));

    println!("\n{}", row_max::plan());
    Ok(())
}
