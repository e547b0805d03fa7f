//! The tasks of the warpfold workspace: `cargo xtask help` lists them, and each is a file here.

mod bless;
mod ci;
mod nvrtc;
mod process;
mod tally;
mod test;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The tasks of the warpfold workspace.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run every test of the workspace; fetch NVRTC from PyPI where this machine has none.
    Test(test::Options),
    /// Check a change: formatting, lints, docs and every test, none of NVRTC's skipped.
    Ci,
    /// Write the expected files of tests anew: compile errors and goldens.
    Bless(bless::Options),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::Test(options) => test::run(&options),
        Task::Ci => ci::run(),
        Task::Bless(options) => bless::run(&options),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
