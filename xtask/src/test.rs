//! `cargo xtask test`: every test of the workspace, with NVRTC at hand, and their count as the last line.

use anyhow::Result;

use crate::tally::Tally;
use crate::{nvrtc, process, workspace};

/// The options of `cargo xtask test`.
#[derive(Debug, Default, clap::Args)]
pub struct Options {
    /// Fail if a test was skipped for want of NVRTC.
    #[arg(long)]
    pub require_nvrtc: bool,

    /// Test these packages only, not the whole workspace.
    #[arg(short, long)]
    pub package: Vec<String>,

    /// Passed on to `cargo test`, for instance a filter.
    #[arg(last = true)]
    pub rest: Vec<String>,
}

/// Runs the tests and prints their count as the last line; says whether all is well.
pub fn run(options: &Options) -> Result<bool> {
    let (well, tally) = run_and_count(options)?;
    println!("{}", tally.counts());
    Ok(well)
}

/// Runs the tests and prints what was skipped and what failed; says whether all is well, with what was read.
pub fn run_and_count(options: &Options) -> Result<(bool, Tally)> {
    let workspace = workspace::locate()?;
    let mut command = process::cargo();
    command
        .current_dir(&workspace.root)
        .args(["test", "--no-fail-fast"]);
    if options.package.is_empty() {
        command.arg("--workspace");
    }
    for package in &options.package {
        command.args(["--package", package]);
    }
    command.args(&options.rest);
    // Where libtest runs one test at a time, on one core, its thread has no test's name to be skipped by.
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    if std::env::var_os("RUST_TEST_THREADS").is_none() && cores == 1 {
        command.env("RUST_TEST_THREADS", "2");
    }

    match nvrtc::find_or_fetch(&workspace.target) {
        Ok(nvrtc) => {
            eprintln!("{nvrtc}");
            nvrtc.tell(&mut command);
        }
        Err(error) if options.require_nvrtc => return Err(error),
        Err(error) => eprintln!("warning: tests that need NVRTC are skipped: {error:#}"),
    }

    let mut tally = Tally::default();
    let status = process::stream(command, |line| tally.read(line))?;
    tally.end(status.success());

    println!();
    for (reason, tests) in tally.reasons() {
        println!("{tests} skipped: {reason}");
    }
    if tally.on_gpu() > 0 {
        println!("{} ran on a gpu", tally.on_gpu());
    }
    for failure in tally.failures() {
        println!("failed: {failure}");
    }
    let lacking = tally.without_nvrtc();
    if options.require_nvrtc && lacking > 0 {
        println!("failed: {lacking} tests were skipped for want of NVRTC, which --require-nvrtc forbids");
        return Ok((false, tally));
    }
    Ok((status.success(), tally))
}
