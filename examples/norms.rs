//! The norms of neural networks: RMS norm, layer norm and L2 normalisation, beside references in `f64`.

#![allow(clippy::cast_precision_loss, reason = "lengths of rows are far below 2^52")]

use std::error::Error;

use warpfold::prelude::*;
use warpfold_examples::{Values, agree};

/// Each element over the root of the row's mean square, times its column's weight.
#[warp_reduce(op = sum, land = all,
    apply = |total| -> f32 { x * (total / n as f32 + eps).sqrt().recip() * gamma })]
pub fn rms_norm(x: f32, #[per_column] gamma: f32, #[uniform] eps: f32, #[len] n: u32) -> f32 {
    x * x
}

/// Each element less the row's mean, over the row's deviation, with a weight and a bias for each column.
#[warp_reduce(op = welford, land = all,
    apply = |s| -> f32 { (x - s.1) / (s.2 / s.0 + eps).sqrt() * gamma + beta })]
pub fn layer_norm(x: f32, #[per_column] gamma: f32, #[per_column] beta: f32, #[uniform] eps: f32) -> f32 {
    x
}

/// Each element over the row's length.
#[warp_reduce(op = sum, land = all, apply = |total| -> f32 { x / total.sqrt().max(1e-12) })]
pub fn l2_normalise(x: f32) -> f32 {
    x * x
}

const EPS: f64 = 1e-6;

fn mean(row: &[f32], of: impl Fn(f64) -> f64) -> f64 {
    row.iter().map(|&x| of(f64::from(x))).sum::<f64>() / row.len() as f64
}

/// Each row's elements under what `of` makes of the row.
fn reference<F: Fn(usize, f64) -> f64>(x: &[f32], cols: usize, of: impl Fn(&[f32]) -> F) -> Vec<f64> {
    x.chunks(cols)
        .flat_map(|row| {
            let each = of(row);
            (0..cols).map(|c| each(c, f64::from(row[c]))).collect::<Vec<_>>()
        })
        .collect()
}

/// Runs the three on rows of many lengths.
pub(crate) fn run(device: &Device) -> Result<(), Box<dyn Error>> {
    println!("norms on {}", device.describe());
    for (rows, cols) in [(64, 1), (256, 20), (128, 128), (16, 4096), (2, 70_000)] {
        let mut values = Values::new(cols as u64);
        // Far from 0, where the mean of the squares less the square of the mean would lose most of its digits.
        let x: Vec<f32> = values.normal(rows * cols).iter().map(|x| x + 30.0).collect();
        let (gamma, beta) = (values.between(0.5, 1.5, cols), values.between(-1.0, 1.0, cols));
        let weight = |c: usize| f64::from(gamma[c]);
        let shape = Rows::new(rows, cols);
        let (data, weights, biases) = (device.buffer(&x)?, device.buffer(&gamma)?, device.buffer(&beta)?);

        let found = rms_norm::rows(shape, &data, &weights, EPS as f32)?.to_vec()?;
        let wanted = reference(&x, cols, |row| {
            let scale = (mean(row, |x| x * x) + EPS).sqrt();
            move |c, x| x / scale * weight(c)
        });
        agree(&format!("RMS norm, {cols} columns"), &found, &wanted, 2e-6)?;

        let found = layer_norm::rows(shape, &data, &weights, &biases, EPS as f32)?.to_vec()?;
        let beta = &beta;
        let wanted = reference(&x, cols, |row| {
            let middle = mean(row, |x| x);
            let deviation = (mean(row, |x| (x - middle).powi(2)) + EPS).sqrt();
            move |c, x| (x - middle) / deviation * weight(c) + f64::from(beta[c])
        });
        agree(&format!("layer norm, {cols} columns"), &found, &wanted, 2e-5)?;

        let found = l2_normalise::rows(shape, &data)?.to_vec()?;
        let wanted = reference(&x, cols, |row| {
            let length = (mean(row, |x| x * x) * cols as f64).sqrt();
            move |_, x| x / length
        });
        agree(&format!("L2, {cols} columns"), &found, &wanted, 1e-6)?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&Device::best()?)
}
