//! Variance of rows with a struct of one's own as the state: Welford's moments, merged as Chan, Golub and `LeVeque` do.

#![allow(clippy::cast_precision_loss, reason = "lengths of rows are far below 2^52")]

use std::error::Error;

use warpfold::prelude::*;
use warpfold_examples::{Values, agree};

/// A state with names, its operator, and the specs that use them.
#[warp_module]
pub mod stats {
    /// What is known of some elements.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Moments {
        /// How many there are.
        pub n: f32,
        /// Their mean.
        pub mean: f32,
        /// The sum of their squared distances from it.
        pub m2: f32,
    }

    /// Moments of two runs of elements; an empty one changes nothing, and nothing is divided by zero.
    fn merge(a: Moments, b: Moments) -> Moments {
        if a.n == 0.0 {
            b
        } else if b.n == 0.0 {
            a
        } else {
            let n = a.n + b.n;
            let delta = b.mean - a.mean;
            Moments {
                n,
                mean: a.mean + delta * (b.n / n),
                m2: a.m2 + b.m2 + delta * delta * (a.n * (b.n / n)),
            }
        }
    }

    /// The variance of a row.
    #[warp_reduce(
        identity = Moments { n: 0.0, mean: 0.0, m2: 0.0 },
        op = merge,
        finish = |s| -> f32 { s.m2 / s.n },
    )]
    pub fn variance(x: f32) -> Moments {
        Moments {
            n: 1.0,
            mean: x,
            m2: 0.0,
        }
    }
}

fn reference(row: &[f32]) -> f64 {
    let mean = row.iter().map(|&x| f64::from(x)).sum::<f64>() / row.len() as f64;
    row.iter().map(|&x| (f64::from(x) - mean).powi(2)).sum::<f64>() / row.len() as f64
}

/// Runs on rows whose elements are far from 0 beside their spread.
pub(crate) fn run(device: &Device) -> Result<(), Box<dyn Error>> {
    println!("variance on {}", device.describe());
    for (rows, cols) in [(100, 1), (100, 33), (64, 1000), (2, 70_000)] {
        let x: Vec<f32> = Values::new(cols as u64)
            .normal(rows * cols)
            .iter()
            .map(|x| x + 1000.0)
            .collect();
        let found = stats::variance::rows(Rows::new(rows, cols), &device.buffer(&x)?)?.to_vec()?;
        let wanted: Vec<f64> = x.chunks(cols).map(reference).collect();
        agree(&format!("{cols} columns"), &found, &wanted, 1e-3)?;
    }
    // A closed form: of 0, 1, … n - 1 it is (n² - 1) / 12.
    let numbers: Vec<f32> = (0..1000_u16).map(f32::from).collect();
    let found = stats::variance::rows(Rows::new(1, 1000), &device.buffer(&numbers)?)?.to_vec()?;
    agree("0 to 999", &found, &[999_999.0 / 12.0], 1e-5)
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&Device::best()?)
}
