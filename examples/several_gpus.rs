//! One array over several devices: a process a rank where a launcher has numbered it, otherwise a thread a GPU.
//!
//! ```text
//! cargo run --example several_gpus                                                    # all GPUs of this machine, or 3 threads
//! torchrun --nproc-per-node 2 --no-python target/debug/examples/several_gpus          # a process a GPU
//! WARPFOLD_GROUP=tcp://node0:29501 srun -n 16 target/debug/examples/several_gpus      # nodes of a cluster
//! ```

use std::error::Error;

use warpfold::Group;
use warpfold::prelude::*;
use warpfold_examples::{Values, equal, require};

/// How many tokens there are.
#[warp_reduce(op = sum)]
pub fn total(count: u64) -> u64 {
    count
}

/// Where the tokens of each document begin.
#[warp_scan(op = sum, kind = exclusive)]
pub fn starts(count: u64) -> u64 {
    count
}

/// The longest document, and which it is.
#[warp_reduce(op = argmax)]
pub fn longest(count: u64) -> u64 {
    count
}

const DOCUMENTS: usize = 1_000_003;

/// What one rank does with its part of the documents, on a device.
fn work(group: &mut Group, device: &Device) -> Result<(), String> {
    let part = group.part(DOCUMENTS);
    let counts = counts();
    let words = |error: warpfold::Error| error.to_string();
    let shard = device.buffer(&counts[part.clone()]).map_err(words)?;
    let all = group.reduce::<total, _>((&shard,)).map_err(words)?;
    let (most, which) = group.reduce::<longest, _>((&shard,)).map_err(words)?;
    let begin = group
        .scan::<starts, _>((&shard,))
        .map_err(words)?
        .to_vec()
        .map_err(words)?;
    println!(
        "rank {} of {} on {}: documents {part:?} of {all} tokens, the longest is {which} with {most}",
        group.rank(),
        group.size(),
        device.describe()
    );
    let wanted: Vec<u64> = counts
        .iter()
        .scan(0, |sum, count| Some(std::mem::replace(sum, *sum + count)))
        .collect();
    check(&counts, &wanted, &part, all, (most, which), &begin).map_err(|error| error.to_string())
}

/// The plain loop's answers.
fn check(
    counts: &[u64],
    wanted: &[u64],
    part: &std::ops::Range<usize>,
    all: u64,
    top: (u64, u64),
    begin: &[u64],
) -> Result<(), Box<dyn Error>> {
    require(all == counts.iter().sum(), "the total is wrong")?;
    let most = counts.iter().copied().max().unwrap_or(0);
    let first = counts.iter().position(|&count| count == most).unwrap_or(0);
    require(top == (most, first as u64), "the longest document is another")?;
    equal("where documents begin", begin, &wanted[part.clone()])
}

fn counts() -> Vec<u64> {
    let mut values = Values::new(10);
    (0..DOCUMENTS).map(|_| u64::from(values.below(5000))).collect()
}

/// Runs on three ranks that are threads and share a device.
pub(crate) fn run(device: &Device) -> Result<(), Box<dyn Error>> {
    let ranks = Group::run(Group::threads(3), |group| work(group, device));
    Ok(ranks.into_iter().collect::<Result<_, _>>()?)
}

/// Runs on the device of its own that each rank has.
fn own(group: &mut Group) -> Result<(), String> {
    let device = group.device().clone();
    work(group, &device)
}

fn main() -> Result<(), Box<dyn Error>> {
    if std::env::var_os("WORLD_SIZE").is_some() || std::env::var_os("WARPFOLD_GROUP").is_some() {
        return Ok(own(&mut Group::from_env()?)?);
    }
    let gpus: Vec<_> = (0..64).take_while(|&gpu| Device::gpu(gpu).is_ok()).collect();
    if gpus.len() < 2 {
        return run(&Device::best()?);
    }
    let ranks = Group::run(Group::gpus(&gpus)?, own);
    Ok(ranks.into_iter().collect::<Result<_, _>>()?)
}
