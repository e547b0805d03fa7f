//! Top-p sampling (nucleus sampling): the fewest tokens whose probabilities add up to p, and one drawn from them.
//!
//! Softmax, a sort by the standard library on the host, a cumulative sum, and the first index past p.

use std::error::Error;

use warpfold::prelude::*;
use warpfold_examples::{Values, equal, require};

/// A token's probability.
#[warp_reduce(op = softmax, land = all, apply = |total| -> f32 { (x - total.0).exp() / total.1 })]
pub fn softmax(x: f32) -> f32 {
    x
}

/// The probability of a token and all that are likelier.
#[warp_scan(op = sum)]
pub fn cumulated(probability: f32) -> f32 {
    probability
}

/// The first index whose cumulated probability reaches `p`.
#[warp_reduce(op = min, identity = MAX)]
pub fn first_past(cumulated: f32, #[uniform] p: f32, #[index] i: u32) -> u32 {
    if cumulated >= p { i } else { u32::MAX }
}

/// Logits as a language model gives them: most tokens are out of the question, a few stand out.
fn logits(rows: usize, vocabulary: usize) -> Vec<f32> {
    let mut values = Values::new(11);
    let mut logits: Vec<f32> = values.normal(rows * vocabulary).iter().map(|x| 2.5 * x).collect();
    for row in logits.chunks_mut(vocabulary) {
        for likely in 0..5_u8 {
            row[values.below(vocabulary as u32) as usize] = 14.0 - f32::from(likely);
        }
    }
    logits
}

/// How many of the sorted probabilities reach `p`, by a plain loop in the given precision.
fn reference(sorted: &[f32], p: f64) -> usize {
    let mut sum = 0.0;
    1 + sorted
        .iter()
        .position(|&x| {
            sum += f64::from(x);
            sum >= p
        })
        .unwrap_or(sorted.len() - 1)
}

/// Draws a token for each of a few rows of logits.
pub(crate) fn run(device: &Device) -> Result<(), Box<dyn Error>> {
    println!("top-p sampling on {}", device.describe());
    let (rows, vocabulary, p) = (4, 32_000, 0.9_f32);
    let shape = Rows::new(rows, vocabulary);
    let logits = logits(rows, vocabulary);
    let probabilities = softmax::rows(shape, &device.buffer(&logits)?)?.to_vec()?;

    // Each row's tokens, the likeliest first.
    let sorted: Vec<(u32, f32)> = probabilities
        .chunks(vocabulary)
        .flat_map(|row| {
            let mut tokens: Vec<(u32, f32)> = (0..).zip(row.iter().copied()).collect();
            tokens.sort_by(|a, b| b.1.total_cmp(&a.1));
            tokens
        })
        .collect();
    let likeliest_first: Vec<f32> = sorted.iter().map(|token| token.1).collect();
    let sums = cumulated::rows(shape, &device.buffer(&likeliest_first)?)?;
    let last = first_past::rows(shape, &sums, p)?.to_vec()?;

    let sums = sums.to_vec()?;
    let mut values = Values::new(12);
    for (row, &last) in last.iter().enumerate() {
        let nucleus = row * vocabulary..=row * vocabulary + last as usize;
        // Drawn among the sums themselves, so that each token has its share of what the nucleus holds.
        let draw = values.between(0.0, sums[*nucleus.end()], 1)[0];
        let place = nucleus.start() + sums[nucleus.clone()].partition_point(|&sum| sum <= draw);
        let (token, probability) = sorted[place];
        println!(
            "  row {row}: {} tokens reach {p}; drew token {token}, probability {probability:.4}",
            last + 1
        );
        require(
            nucleus.contains(&place),
            "a token outside of the nucleus was drawn",
        )?;
    }
    let wanted: Vec<u32> = likeliest_first
        .chunks(vocabulary)
        .map(|row| reference(row, f64::from(p)) as u32)
        .collect();
    let found: Vec<u32> = last.iter().map(|last| last + 1).collect();
    equal("sizes of the nuclei", &found, &wanted)
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&Device::best()?)
}
