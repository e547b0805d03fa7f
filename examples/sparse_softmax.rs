//! Softmax over the rows of a sparse matrix in CSR form, however uneven they are: attention in which each vertex of a
//! graph looks at its neighbours alone.
//!
//! Only the entries that are there take part, so that nothing is padded and no `-inf` stands for what is masked. An
//! empty row gives no shares, and what is attended to from it is 0.

use std::error::Error;

use ndarray::Array1;
use warpfold::prelude::*;
use warpfold_examples::{DataError, Values, agree, data_folder, require};

/// Each entry's share of its row's exponentials.
#[warp_reduce(op = softmax, land = all, apply = |total| -> f32 { (score - total.0).exp() / total.1 })]
pub fn attention(score: f32) -> f32 {
    score
}

/// What a row attends to: the values that its entries stand for, by their shares.
#[warp_reduce(op = sum)]
pub fn attended(share: f32, value: f32) -> f32 {
    share * value
}

/// The same two, a row at a time in `f64`.
fn reference(offsets: &[u32], scores: &[f32], values: &[f32]) -> (Vec<f64>, Vec<f64>) {
    let (mut shares, mut sums) = (Vec::new(), Vec::new());
    for pair in offsets.windows(2) {
        let row = pair[0] as usize..pair[1] as usize;
        let largest = scores[row.clone()]
            .iter()
            .fold(f64::NEG_INFINITY, |m, &x| m.max(x.into()));
        let exps: Vec<f64> = scores[row.clone()]
            .iter()
            .map(|&x| (f64::from(x) - largest).exp())
            .collect();
        let total: f64 = exps.iter().sum();
        let own = exps.iter().map(|exp| exp / total);
        sums.push(
            own.clone()
                .zip(&values[row])
                .map(|(s, &v)| s * f64::from(v))
                .sum(),
        );
        shares.extend(own);
    }
    (shares, sums)
}

/// Both specs over one matrix, beside the loops; says how long its longest row is.
fn check(
    device: &Device,
    name: &str,
    offsets: &[u32],
    scores: &[f32],
    values: &[f32],
) -> Result<(), Box<dyn Error>> {
    let (starts, x, y) = (
        device.buffer(offsets)?,
        device.buffer(scores)?,
        device.buffer(values)?,
    );
    let shares = attention::segments(&starts, &x)?;
    let sums = attended::segments(&starts, &shares, &y)?.to_vec()?;
    let lengths = offsets.windows(2).map(|pair| pair[1] - pair[0]);
    println!(
        "  {name}: {} rows of {} to {} entries",
        offsets.len() - 1,
        lengths.clone().min().unwrap_or(0),
        lengths.max().unwrap_or(0)
    );
    let (wanted_shares, wanted_sums) = reference(offsets, scores, values);
    agree(
        &format!("{name}, shares"),
        &shares.to_vec()?,
        &wanted_shares,
        1e-6,
    )?;
    agree(&format!("{name}, attended"), &sums, &wanted_sums, 1e-5)
}

/// How alike two vectors of 16 numbers are, scaled by the root of 16 as attention does it.
fn likeness(a: &[f32], b: &[f32]) -> f32 {
    let dot: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    dot / 4.0
}

/// Attention over the friendships of a karate club, and over a matrix whose rows are as uneven as they get.
pub(crate) fn run(device: &Device) -> Result<(), Box<dyn Error>> {
    println!("sparse softmax on {}", device.describe());
    let read = |name: &str| -> Result<Vec<u32>, DataError> {
        let path = data_folder().join(name);
        let array: Result<Array1<u32>, _> = ndarray_npy::read_npy(&path);
        array
            .map(|array| array.to_vec())
            .map_err(|source| DataError { path, source })
    };
    let (offsets, neighbours) = (read("karate_offsets.npy")?, read("karate_neighbours.npy")?);

    // A vector of 16 numbers a member; an entry's score is how alike the two members of a friendship are.
    let features = Values::new(34).normal(34 * 16);
    let of = |member: usize| &features[16 * member..][..16];
    let (mut scores, mut values) = (Vec::new(), Vec::new());
    for (member, pair) in offsets.windows(2).enumerate() {
        for &neighbour in &neighbours[pair[0] as usize..pair[1] as usize] {
            scores.push(likeness(of(member), of(neighbour as usize)));
            values.push(of(neighbour as usize)[0]);
        }
    }
    check(device, "karate club", &offsets, &scores, &values)?;

    // Rows of 1 to some thousand entries, most of them short, every fifth empty, and one of 100,000 in their middle.
    let mut random = Values::new(5);
    let mut uneven = vec![0_u32];
    for row in 0..2000_u32 {
        let length = match row {
            1000 => 100_000,
            _ if row % 5 == 0 => 0,
            _ => (4096 / (1 + random.below(4096))).max(1),
        };
        uneven.push(uneven[row as usize] + length);
    }
    let entries = uneven[2000] as usize;
    let scores = random.between(-8.0, 8.0, entries);
    check(
        device,
        "uneven",
        &uneven,
        &scores,
        &random.between(-1.0, 1.0, entries),
    )?;

    let shares = attention::segments(&device.buffer(&uneven)?, &device.buffer(&scores)?)?.to_vec()?;
    let whole = |pair: &[u32]| {
        let row = &shares[pair[0] as usize..pair[1] as usize];
        row.is_empty() || (row.iter().map(|&x| f64::from(x)).sum::<f64>() - 1.0).abs() < 1e-4
    };
    require(uneven.windows(2).all(whole), "the shares of each row add up to 1")
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&Device::best()?)
}
