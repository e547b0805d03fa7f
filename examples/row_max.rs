//! The brightest value and the ink of handwritten digits, and the largest value of 8,205 short rows.
//!
//! `cargo run --release --example row_max` runs on a GPU where there is one and on the CPU elsewhere.

#![allow(clippy::cast_precision_loss, reason = "whole numbers below 1000")]

use std::error::Error;
use std::io::{Write, stdout};

use warpfold::prelude::*;
use warpfold_examples::{Digits, require};

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
        .filter(|&r| plain(&rows[r * stride..r * stride + cols]).to_bits() != found[r].to_bits())
        .count()
}

fn largest(row: &[f32]) -> f32 {
    row.iter().copied().fold(f32::NEG_INFINITY, f32::max)
}

/// The digits: real input, dense rows.
fn digits(device: &Device, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let Digits { images, labels } = warpfold_examples::digits()?;
    let (rows, cols) = images.dim();
    let pixels = images.as_slice().ok_or("the images are not in row order")?;
    let shape = Rows::new(rows, cols);
    let data = device.buffer(pixels)?;
    let brightest = row_max::rows(shape, &data)?.to_vec()?;
    let inks = ink::rows(shape, &data)?.to_vec()?;

    writeln!(out, "\nUCI digits: {rows} images of {cols} values")?;
    for (r, label) in labels.iter().enumerate().take(3) {
        let (brightest, ink) = (brightest[r], inks[r]);
        writeln!(out, "  image {r} (a {label}): brightest {brightest}, ink {ink}")?;
    }
    // Whole numbers below 2^24: their sum is exact in any order.
    let bad = wrong(pixels, &brightest, largest, cols, cols)
        + wrong(pixels, &inks, |row| row.iter().sum(), cols, cols);
    writeln!(out, "{bad} rows wrong")?;
    require(bad == 0, "a row of the digits differs from a plain loop")
}

/// Rows with a gap after each: the columns past the 20th hold what must never be seen.
fn gaps(device: &Device, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let (rows, cols, stride) = (8205, 20, 32);
    let values: Vec<f32> = (0..rows * stride)
        .map(|i| match i % stride {
            column if column < cols => -1.0 - (i * 7919 % 1000) as f32,
            _ => 1e9,
        })
        .collect();
    let shape = Rows::new(rows, cols).stride(stride);
    let found = row_max::rows(shape, &device.buffer(&values)?)?.to_vec()?;

    writeln!(
        out,
        "\n{rows} rows of {cols} live columns in a stride of {stride}"
    )?;
    for (r, value) in found.iter().enumerate().take(3) {
        writeln!(out, "  row {r}: {value}")?;
    }
    if let Some(stream) = device.stream() {
        writeln!(out, "  kernel: {}", row_max::cost(stream.context(), shape)?)?;
    }
    let bad = wrong(&values, &found, largest, cols, stride);
    writeln!(out, "{bad} rows wrong")?;
    require(bad == 0, "a row with a gap differs from a plain loop")
}

/// Everything that the program prints.
pub(crate) fn report(device: &Device, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    writeln!(out, "device: {}", device.describe())?;
    digits(device, out)?;
    gaps(device, out)?;
    writeln!(out, "\n{}", row_max::plan())?;
    Ok(())
}

/// Prints it.
pub(crate) fn run(device: &Device) -> Result<(), Box<dyn Error>> {
    report(device, &mut stdout())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&Device::best()?)
}
