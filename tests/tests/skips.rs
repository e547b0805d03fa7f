//! A skip reaches whoever counts, though libtest captures what tests print.

use std::process::Command;

use warpfold_tests::{Lacks, ran_on_gpu, skip};

/// Set in the run that the tests below start of this same program.
const INNER: &str = "WARPFOLD_TEST_OF_SKIPS";

#[test]
fn inner() {
    match std::env::var(INNER).as_deref() {
        Ok("skip") => skip(Lacks::Gpu, "nothing plugged in"),
        Ok("gpu") => ran_on_gpu(),
        _ => println!("captured"),
    }
}

/// What this program prints when it runs `inner` alone, its output captured as by default.
fn run_inner(what: &str) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "inner", "--test-threads=2"])
        .env(INNER, what)
        .env_remove("RUST_TEST_NOCAPTURE");
    let output = command.output().unwrap();
    assert!(output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout)
}

#[test]
fn a_skip_is_printed_though_output_is_captured() {
    let output = run_inner("skip");
    assert!(
        output
            .lines()
            .any(|line| line == "skipped: inner: no gpu: nothing plugged in"),
        "{output}"
    );
}

#[test]
fn a_test_on_the_gpu_is_printed_though_output_is_captured() {
    let output = run_inner("gpu");
    assert!(output.lines().any(|line| line == "ran on gpu: inner"), "{output}");
    assert!(!run_inner("nothing").contains("captured"));
}
