//! Fuzzing without a fuzzer: inputs that are made from a seed, so that every run can be had again by its number, on
//! the toolchain that is pinned.
//!
//! - [`tokens`]: specs that are almost right, for the compiler: it never panics, and each of its errors points into
//!   what was written. What is accepted is written as CUDA C++ and as Rust.
//! - [`shapes`]: calls of small shapes, for the CPU back end: each gives what a plain loop gives, or the error that
//!   stands for what is wrong with its shape, and then nothing is written.
//!
//! The tests run few of both; `cargo run --release -p warpfold-fuzz -- tokens --runs 1000000` runs many. A text that
//! went wrong once is kept in `corpus/wrong`, where it is tried by itself and changed further.

pub mod mutate;
pub mod shapes;
pub mod tokens;

use std::fmt::{self, Display};

/// What came of many runs.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Inputs that were tried.
    pub runs: u64,
    /// Those that came as far as the laws (specs), or to an answer (shapes).
    pub reached: u64,
    /// What was wrong, with the number of the run that shows it.
    pub faults: Vec<(u64, String)>,
}

impl Tally {
    /// How many of 100 inputs came far enough to say something.
    pub const fn percent_reached(&self) -> u64 {
        if self.runs == 0 {
            return 0;
        }
        self.reached * 100 / self.runs
    }

    /// Both together.
    pub fn add(&mut self, other: Tally) {
        self.runs += other.runs;
        self.reached += other.reached;
        self.faults.extend(other.faults);
    }
}

impl Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, fault) in self.faults.iter().take(20) {
            writeln!(f, "run {number}: {fault}\n")?;
        }
        write!(
            f,
            "{} runs, {} % of them far enough, {} faults",
            self.runs,
            self.percent_reached(),
            self.faults.len()
        )
    }
}
