//! Groups of threads over the CPU back end: the same combining code as over GPUs.

mod answers;
mod failures;
mod meetings;
mod shares;

use std::ops::Range;

use crate::Group;
use crate::prelude::*;

#[warp_reduce(op = sum)]
pub fn total(x: f32) -> f32 {
    x
}

#[warp_reduce(op = sum)]
pub fn whole(x: u64) -> u64 {
    x
}

/// Cuts `n` elements at `cuts` and gives rank r of a group what stands before cut r.
fn shard(cuts: &[usize], rank: usize) -> Range<usize> {
    let start = if rank == 0 { 0 } else { cuts[rank - 1] };
    start..cuts[rank]
}

/// Ways to share out `n` elements: even, uneven, with empty shards at every place.
fn ways(n: usize) -> Vec<Vec<usize>> {
    let mut ways = vec![
        vec![n],
        vec![0, n],
        vec![n, n],
        vec![0, 0, n / 3, n / 3, n],
        vec![1, n - 1, n],
        vec![n / 2, n],
    ];
    ways.extend([3, 8, 33].map(|ranks| (1..=ranks).map(|rank| n * rank / ranks).collect::<Vec<_>>()));
    ways
}

/// Numbers of 24 random bits and random signs: sums of them depend on their order.
#[allow(clippy::cast_precision_loss, reason = "24 bits are what an f32 holds")]
fn random(n: usize) -> Vec<f32> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..n)
        .map(|_| {
            let bits = next();
            let size = (bits >> 40) as f32 * (0.5_f32).powi((bits & 15) as i32);
            if bits & 16 == 0 { size } else { -size }
        })
        .collect()
}

/// What each rank of a group of threads gives.
fn on_each<R: Send>(ranks: usize, work: impl Fn(&mut Group) -> R + Sync) -> Vec<R> {
    Group::run(Group::threads(ranks), work)
}
