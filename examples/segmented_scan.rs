//! A segmented scan made with a flag in the state: the sum starts anew wherever a flag stands.
//!
//! `segments` does the same from offsets; the two must agree.

use std::error::Error;

use warpfold::prelude::*;
use warpfold_examples::{Values, equal};

/// The sum since the last flag: (whether a flag was met, the sum since).
#[warp_scan(
    identity = (false, 0),
    op = |p, q| (p.0 || q.0, if q.0 { q.1 } else { p.1 + q.1 }),
    finish = |s| -> u32 { s.1 },
)]
pub fn since_flag(starts: bool, x: u32) -> (bool, u32) {
    (starts, x)
}

/// The same over segments that are given by offsets.
#[warp_scan(op = sum)]
pub fn running_sum(x: u32) -> u32 {
    x
}

/// Runs on segments of 1 to 999 elements.
pub(crate) fn run(device: &Device) -> Result<(), Box<dyn Error>> {
    println!("segmented sums on {}", device.describe());
    let mut values = Values::new(8);
    let mut offsets = vec![0_u32];
    for _ in 0..300 {
        offsets.push(offsets[offsets.len() - 1] + 1 + values.below(999));
    }
    let n = offsets[offsets.len() - 1] as usize;
    let x: Vec<u32> = (0..n).map(|_| values.below(1000)).collect();
    let mut starts = vec![false; n];
    for &start in &offsets[..offsets.len() - 1] {
        starts[start as usize] = true;
    }

    let mut sum = 0;
    let wanted: Vec<u32> = x
        .iter()
        .zip(&starts)
        .map(|(x, &starts)| {
            sum = if starts { *x } else { sum + x };
            sum
        })
        .collect();
    let data = device.buffer(&x)?;
    let by_flag = since_flag::array(&device.buffer(&starts)?, &data)?.to_vec()?;
    equal("by a flag", &by_flag, &wanted)?;
    let by_offsets = running_sum::segments(&device.buffer(&offsets)?, &data)?.to_vec()?;
    equal("by offsets", &by_offsets, &wanted)
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&Device::best()?)
}
