//! The tasks of the warpfold workspace: `cargo xtask help` lists them, and each is a file here.

mod bless;
mod build_time;
mod bundle;
mod ci;
mod nvrtc;
mod process;
mod results;
mod supply;
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
    /// Build `bundle/`: the tests, examples and benches, to run on a GPU machine without cargo.
    Gpu,
    /// What `run.sh` of a bundle runs.
    #[command(hide = true)]
    RunBundle(bundle::run::Options),
    /// Compare what ran on a GPU with what ran before; the count of tests may not drop.
    CheckResults(results::Options),
    /// Measure what a hundred specs add to a debug build of a crate.
    BuildTime(build_time::Options),
    /// Write the expected files of tests anew: compile errors and goldens.
    Bless(bless::Options),
    /// Check what a release rests on: packages, lowest versions, licences and advisories of the dependencies.
    Supply,
}

fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::Test(options) => test::run(&options),
        Task::Ci => ci::run(),
        Task::Gpu => bundle::build(),
        Task::RunBundle(options) => bundle::run::run(&options),
        Task::CheckResults(options) => results::check(&options),
        Task::BuildTime(options) => build_time::run(&options),
        Task::Bless(options) => bless::run(&options),
        Task::Supply => supply::run(),
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
