//! `cargo xtask ci`: what a change must pass. Every step runs, so that one push shows all that is wrong; the count of
//! tests is the last line.

use anyhow::Result;

use crate::{process, results, test, workspace};

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
    if !failed.is_empty() {
        println!("failed: {}", failed.join(", "));
    }
    println!("{}", tally.counts());
    Ok(failed.is_empty())
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
