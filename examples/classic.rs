//! The classic programs of a warp: broadcast, butterfly, ladder, scan and dot product, looked at lane by lane.

use std::error::Error;

use warpfold::prelude::*;
use warpfold_examples::{Values, agree, equal, require};

/// Every lane gets what lane 5 holds.
#[warp_shuffle(from = lane(5), width = 32)]
pub fn broadcast(x: i32) -> i32 {
    x
}

/// Lanes swap with the other half of the warp.
#[warp_shuffle(from = xor(16), width = 32)]
pub fn partner(x: i32) -> i32 {
    x
}

/// The butterfly: every lane ends with the sum.
#[warp_reduce(op = sum, land = all, width = 32)]
pub fn butterfly(x: i32) -> i32 {
    x
}

/// The ladder: lane 0 ends with the sum, in half the exchanges.
#[warp_reduce(op = sum, land = 0, width = 32)]
pub fn ladder(x: i32) -> i32 {
    x
}

/// A scan over rows that are longer than a warp, or a block, or several.
#[warp_scan(op = sum)]
pub fn scan(x: u32) -> u32 {
    x
}

/// A dot product reads each input once.
#[warp_reduce(op = sum)]
pub fn dot(a: f32, b: f32) -> f32 {
    a * b
}

/// Runs the exchanges on rows, and each pattern on one warp, step by step.
pub(crate) fn run(device: &Device) -> Result<(), Box<dyn Error>> {
    println!("classic programs on {}", device.describe());
    let lanes: Vec<i32> = (0..32).collect();
    let shape = Rows::new(1, 32);
    let data = device.buffer(&lanes)?;
    let found = broadcast::rows(shape, &data)?.to_vec()?;
    equal("broadcast", &found, &[5; 32])?;
    let found = partner::rows(shape, &data)?.to_vec()?;
    equal(
        "partner",
        &found,
        &lanes.iter().map(|lane| lane ^ 16).collect::<Vec<i32>>(),
    )?;

    // 0 + 1 + … + 31 = 496. After the last step of the butterfly every lane holds it.
    equal("butterfly", butterfly::trace(&lanes).end(), &[Some(496); 32])?;
    // Of the ladder only lane 0 does; the others hold what nobody may use.
    let trace = ladder::trace(&lanes);
    require(
        trace.end()[0] == Some(496),
        "lane 0 of the ladder must hold the sum",
    )?;
    let unusable = trace.end().iter().filter(|lane| lane.is_none()).count();
    println!("  ladder: lane 0 holds 496, {unusable} lanes hold what nobody may use");
    let sums = butterfly::rows(shape, &data)?.to_vec()?;
    equal("sum of a row", &sums, &[496])?;

    let ones = vec![1; 100_000];
    let found = scan::rows(Rows::new(4, 25_000), &device.buffer(&ones)?)?.to_vec()?;
    let wanted: Vec<u32> = (0..4).flat_map(|_| 1..=25_000).collect();
    equal("scan of ones", &found, &wanted)?;

    let mut values = Values::new(1);
    let (a, b) = (
        values.between(-1.0, 1.0, 100_000),
        values.between(-1.0, 1.0, 100_000),
    );
    let found = dot::array(&device.buffer(&a)?, &device.buffer(&b)?)?;
    let wanted = a.iter().zip(&b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
    agree("dot product", &[found], &[wanted], 1e-4)?;
    println!("\n{}\n{}", butterfly::plan(), ladder::plan());
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&Device::best()?)
}
