//! Rows of every width from 1 to 300 and around the thresholds of the schedule: no width may be much slower than its neighbours.
//!
//! Sums, softmax and running sums of `f32` over 2^26 elements, and what a byte takes at each width. Where that is more than
//! 1.5 times what it takes at the quicker neighbour the width is named and the program fails. Writes `sweep.json` where
//! `WARPFOLD_RESULTS` says, and prints what is slow.

// Bytes of one launch: far inside what an `f64` holds exactly.
#![allow(clippy::cast_precision_loss)]

use std::cell::RefCell;
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::SystemTime;

use clap::Parser;
use cudarc::driver::CudaSlice;
use rayon::prelude::*;
use serde_json::json;
use warpfold::Rows;
use warpfold_benches::contest::median;
use warpfold_benches::date;
use warpfold_benches::gpu::{Card, Launch};
use warpfold_benches::ours::specs;

/// Five times an H200's L2 cache.
const ELEMENTS: usize = 1 << 26;
/// Where the schedule, the order or a kernel changes.
const THRESHOLDS: [usize; 11] = [
    512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 98_304, 131_072, 262_144,
];
/// How much slower than its neighbours a width may be.
const MOST: f64 = 1.5;

#[derive(Parser)]
#[command(about = "rows of every width: none much slower than its neighbours")]
struct Options {
    /// The last of the widths that are taken one by one.
    #[arg(long, default_value_t = 300)]
    to: usize,
    /// Launches a width.
    #[arg(long, default_value_t = 5)]
    launches: u32,
}

/// What is timed.
#[derive(Clone, Copy)]
enum Work {
    Sum,
    Softmax,
    RunningSum,
}

impl Work {
    const ALL: [Self; 3] = [Self::Sum, Self::Softmax, Self::RunningSum];

    const fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Softmax => "softmax",
            Self::RunningSum => "running_sum",
        }
    }

    /// Bytes that rows of `cols` columns move.
    const fn bytes(self, rows: usize, cols: usize) -> usize {
        match self {
            Self::Sum => 4 * rows * (cols + 1),
            Self::Softmax | Self::RunningSum => 8 * rows * cols,
        }
    }

    /// A launch from `x` into `out`.
    fn launch(self, shape: Rows, x: &Rc<CudaSlice<f32>>, out: &Rc<RefCell<CudaSlice<f32>>>) -> Launch {
        let (x, out) = (Rc::clone(x), Rc::clone(out));
        Box::new(move || {
            let (x, out) = (&*x, &mut *out.borrow_mut());
            let launched = match self {
                Self::Sum => specs::sum::rows_into(shape, x, out),
                Self::Softmax => specs::softmax::rows_into(shape, x, out),
                Self::RunningSum => specs::running_sum::rows_into(shape, x, out),
            };
            launched.map_err(|error| error.to_string())
        })
    }
}

/// The widths, rising.
fn widths(to: usize) -> Vec<usize> {
    let around = THRESHOLDS.iter().flat_map(|&at| at - 2..=at + 2);
    let mut all: Vec<usize> = (1..=to).chain(around).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The places of what takes more than [`MOST`] times as long as a neighbour. The ends have one.
fn slow(times: &[f64]) -> Vec<usize> {
    let beside = |at: usize| [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
    let quicker = |at: usize| {
        beside(at)
            .filter_map(|other| times.get(other))
            .fold(f64::INFINITY, |a, &b| a.min(b))
    };
    (0..times.len())
        .filter(|&at| times[at] > MOST * quicker(at))
        .collect()
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(slow) => {
            println!("{slow} widths are more than {MOST} times as slow as a neighbour");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Times all; gives how many widths are slow.
fn run(options: &Options) -> Result<usize, String> {
    let card = Card::first()?;
    let widths = widths(options.to);
    let shape = |cols: usize| Rows::new(ELEMENTS / cols, cols);
    // All cores compile; a kernel that nobody needs, as one for memory that starts anywhere, costs little.
    let context = card.stream.context();
    widths.par_iter().try_for_each(|&cols| {
        specs::sum::prepare(context, shape(cols))
            .and_then(|()| specs::softmax::prepare(context, shape(cols)))
            .and_then(|()| specs::running_sum::prepare(context, shape(cols)))
            .map_err(|error| format!("{cols} columns: {error}"))
    })?;

    let x = Rc::new(card.make::<f32>(ELEMENTS, 0, 1.0, 0.0)?);
    let out = card.stream.alloc_zeros(ELEMENTS);
    let out = Rc::new(RefCell::new(out.map_err(|error| format!("{error:?}"))?));
    let mut works = serde_json::Map::new();
    let mut found = 0;
    for work in Work::ALL {
        let mut times = Vec::new();
        for &cols in &widths {
            let launch = work.launch(shape(cols), &x, &out);
            let mut timed = card.ready(launch, false)?;
            let us = median(&card.time(&mut timed, options.launches)?);
            times.push(us * 1e3 / work.bytes(ELEMENTS / cols, cols) as f64);
        }
        for at in slow(&times) {
            found += 1;
            println!(
                "{} of {} columns: {:.3} ps a byte, beside it {:.3?}",
                work.name(),
                widths[at],
                1e3 * times[at],
                times[at.saturating_sub(1)..(at + 2).min(times.len())]
                    .iter()
                    .map(|ns| 1e3 * ns)
                    .collect::<Vec<_>>()
            );
        }
        works.insert(work.name().to_owned(), json!(times));
    }
    let report = json!({
        "card": card.name()?,
        "date": date::of(SystemTime::now()),
        "columns": widths,
        "ns_a_byte": works,
    });
    let folder = std::env::var_os("WARPFOLD_RESULTS").map_or_else(|| PathBuf::from("results"), PathBuf::from);
    let path = folder.join("sweep.json");
    std::fs::write(&path, report.to_string() + "\n")
        .map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_slower_than_a_neighbour_is_found() {
        assert_eq!(slow(&[1.0, 1.4, 1.6, 1.2, 1.2]), Vec::<usize>::new());
        assert_eq!(slow(&[1.0, 1.6, 1.6, 1.6]), [1], "the quicker neighbour counts");
        assert_eq!(slow(&[2.0, 1.0, 1.0, 2.0]), [0, 3], "the ends too");
        assert_eq!(slow(&[1.0]), Vec::<usize>::new());
    }

    #[test]
    fn every_width_to_the_last_and_both_sides_of_thresholds() {
        let widths = widths(300);
        assert!((1..=300).all(|cols| widths.contains(&cols)));
        for at in THRESHOLDS {
            assert!([at - 1, at, at + 1].iter().all(|cols| widths.contains(cols)));
        }
        assert!(widths.is_sorted());
    }
}
