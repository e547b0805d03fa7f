//! The harness of the benches: cells, data, reference results, peers, interleaved timing, table and plot.
//!
//! `src/bin/bench.rs` is the program; `README.md` beside this crate says how to run it and what the numbers mean.

// Counts up to 2^30 and times in µs: far inside what an `f64` holds exactly.
#![allow(clippy::cast_precision_loss, clippy::cast_sign_loss)]

pub mod bytes;
pub mod cell;
pub mod cells;
pub mod contest;
pub mod data;
pub mod date;
pub mod first;
pub mod goal;
pub mod gpu;
pub mod ours;
pub mod peer;
pub mod plot;
pub mod reference;
pub mod report;
pub mod table;
