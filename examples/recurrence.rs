//! A linear recurrence, as in state space models: `h[t] = a[t] · h[t-1] + b[t]`, read out as `y[t] = c[t] · h[t]`.
//!
//! Two steps in a row are one step: first `(a, b)`, then `(a', b')`, is `(a · a', a' · b + b')`. That is associative, so
//! that a scan computes all `h` at once, whatever the length.

use std::error::Error;

use warpfold::prelude::*;
use warpfold_examples::{Values, agree};

/// The recurrence read out at every step.
#[warp_scan(identity = (1.0, 0.0), op = |p, q| (p.0 * q.0, q.0 * p.1 + q.1), finish = |s| -> f32 { c * s.1 })]
pub fn state_space(a: f32, b: f32, c: f32) -> (f32, f32) {
    (a, b)
}

/// One step after the other.
fn reference(a: &[f32], b: &[f32], c: &[f32]) -> Vec<f64> {
    let mut h = 0.0;
    (0..a.len())
        .map(|t| {
            h = f64::from(a[t]) * h + f64::from(b[t]);
            f64::from(c[t]) * h
        })
        .collect()
}

/// Runs on channels of many lengths; some gates are shut (`a = 0`), and long products underflow.
pub(crate) fn run(device: &Device) -> Result<(), Box<dyn Error>> {
    println!("a linear recurrence on {}", device.describe());
    for (channels, steps) in [(64, 1), (64, 33), (32, 1000), (16, 5000)] {
        let mut values = Values::new(steps as u64);
        let mut a = values.between(0.0, 1.0, channels * steps);
        a.iter_mut().step_by(97).for_each(|a| *a = 0.0);
        let b = values.between(-1.0, 1.0, channels * steps);
        let c = values.between(-1.0, 1.0, channels * steps);
        let (a_data, b_data, c_data) = (device.buffer(&a)?, device.buffer(&b)?, device.buffer(&c)?);
        let found = state_space::rows(Rows::new(channels, steps), &a_data, &b_data, &c_data)?.to_vec()?;
        let wanted: Vec<f64> = (0..channels)
            .flat_map(|channel| {
                let steps = channel * steps..(channel + 1) * steps;
                reference(&a[steps.clone()], &b[steps.clone()], &c[steps])
            })
            .collect();
        agree(
            &format!("{channels} channels of {steps} steps"),
            &found,
            &wanted,
            2e-6,
        )?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&Device::best()?)
}
