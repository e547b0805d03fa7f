//! The ranks (`PageRank`) of a real graph: each vertex sums what its neighbours pass on, a segment a vertex.
//!
//! The neighbours of all vertices stand one behind the other, as in a CSR matrix. In every step a vertex shares its
//! rank among its neighbours; collecting the shares is a line of the host's, adding them up is the reduction.

use std::error::Error;

use ndarray::Array1;
use warpfold::prelude::*;
use warpfold_examples::{DataError, agree, data_folder, require};

/// The rank of a vertex from the shares of its neighbours.
#[warp_reduce(op = sum, finish = |shares| -> f64 { (1.0 - damping) / vertices + damping * shares })]
pub fn rank(share: f64, #[uniform] damping: f64, #[uniform] vertices: f64) -> f64 {
    share
}

const DAMPING: f64 = 0.85;

fn read<T: ndarray_npy::ReadableElement + Clone>(name: &str) -> Result<Vec<T>, DataError> {
    let path = data_folder().join(name);
    let array: Result<Array1<T>, _> = ndarray_npy::read_npy(&path);
    array
        .map(|array| array.to_vec())
        .map_err(|source| DataError { path, source })
}

/// Ranks the members of a karate club by their friendships.
pub(crate) fn run(device: &Device) -> Result<(), Box<dyn Error>> {
    println!("pagerank on {}", device.describe());
    let offsets: Vec<u32> = read("karate_offsets.npy")?;
    let neighbours: Vec<u32> = read("karate_neighbours.npy")?;
    let degrees: Vec<f64> = offsets
        .windows(2)
        .map(|pair| f64::from(pair[1] - pair[0]))
        .collect();
    let vertices = f64::from(u32::try_from(degrees.len())?);
    let starts = device.buffer(&offsets)?;
    let mut ranks = vec![1.0 / vertices; degrees.len()];
    let mut steps = 0;
    loop {
        let passed = |&vertex: &u32| ranks[vertex as usize] / degrees[vertex as usize];
        let shares: Vec<f64> = neighbours.iter().map(passed).collect();
        let next = rank::segments(&starts, &device.buffer(&shares)?, DAMPING, vertices)?.to_vec()?;
        let moved: f64 = next.iter().zip(&ranks).map(|(new, old)| (new - old).abs()).sum();
        ranks = next;
        steps += 1;
        if moved < 1e-12 {
            break;
        }
        require(steps < 1000, "the ranks do not settle")?;
    }
    println!("  settled after {steps} steps");
    let found: Vec<f32> = ranks.iter().map(|&rank| rank as f32).collect();
    agree(
        "ranks, beside NetworkX",
        &found,
        &read::<f64>("karate_pagerank.npy")?,
        1e-7,
    )?;
    let best = (0..ranks.len()).max_by(|&a, &b| ranks[a].total_cmp(&ranks[b]));
    println!("  the first is member {best:?}");
    require(best == Some(33), "the president of the club ranks highest")
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&Device::best()?)
}
