//! `cargo xtask ci`: what a change must pass, a minute of fuzzing included. Every step runs, so that one push shows all that
//! is wrong; the count of tests is the last line.

use std::process::Command;

use anyhow::Result;

use crate::{process, results, test, workspace};

/// What is fuzzed, for half a minute each.
const FUZZED: [&str; 2] = ["tokens", "shapes"];
const FUZZ_SECONDS: &str = "30";

/// Runs every step; says whether all passed.
pub fn run() -> Result<bool> {
    let workspace = workspace::locate()?;
    let mut failed = Vec::new();

    for (step, arguments) in STEPS {
        let mut command = process::cargo();
        command.current_dir(&workspace.root).args(*arguments);
        if *step == "docs" {
            command.env("RUSTDOCFLAGS", "-D warnings");
        }
        if !process::succeeds(&mut command)? {
            failed.push(*step);
        }
    }

    let options = test::Options {
        require_nvrtc: true,
        ..test::Options::default()
    };
    let (well, tally) = test::run_and_count(&options)?;
    if !well {
        failed.push("tests");
    }
    // Without a GPU too, the tests that are for one can be counted: they say that they are skipped.
    let kept = results::kept_gpu_tests(&workspace.root)?;
    if tally.for_gpu() < kept {
        println!(
            "{} tests are for a gpu, and {kept} ran on one before",
            tally.for_gpu()
        );
        failed.push("count of gpu tests");
    }
    let mut git = Command::new("git");
    git.current_dir(&workspace.root).args(["rev-parse", "HEAD"]);
    let head = process::output(&mut git);
    let from = first_run(head.as_deref().unwrap_or_default()).to_string();
    for target in FUZZED {
        let mut command = process::cargo();
        command
            .current_dir(&workspace.root)
            .args(["run", "--quiet", "-p", "warpfold-fuzz", "--", target])
            .args(["--seconds", FUZZ_SECONDS, "--from", &from]);
        if !process::succeeds(&mut command)? {
            failed.push(target);
        }
    }
    if !failed.is_empty() {
        println!("failed: {}", failed.join(", "));
    }
    println!("{}", tally.counts());
    Ok(failed.is_empty())
}

/// The first number that is fuzzed at a commit: the same whenever the commit is tried again, another for the next one.
/// The numbers below a million are left to the tests and to long runs.
fn first_run(commit: &str) -> u64 {
    let digits: String = commit.chars().take(10).collect();
    1_000_000 + u64::from_str_radix(&digits, 16).unwrap_or(0)
}

/// The steps before the tests, the quickest first.
const STEPS: &[(&str, &[&str])] = &[
    ("formatting", &["fmt", "--all", "--check"]),
    (
        "lints",
        &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"],
    ),
    ("docs", &["doc", "--workspace", "--no-deps"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_has_runs_of_its_own() {
        let (one, other) = (first_run("434b828e0d"), first_run("74848dd1aa"));
        assert!(one != other && one > 1_000_000);
        assert_eq!(
            first_run("434b828e0dffff"),
            one,
            "the rest of the hash is not looked at"
        );
        assert_eq!(
            first_run(""),
            1_000_000,
            "sources without git are fuzzed all the same"
        );
    }
}
