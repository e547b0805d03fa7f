//! The count of tests, read from what `cargo test` prints.
//!
//! libtest counts a test that found no GPU as passed; such a test prints a line `skipped: NAME: REASON` and is counted
//! as skipped here. A test that did run on a GPU prints `ran on gpu: NAME`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

/// How many tests passed, failed and were skipped.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Counts {
    /// Tests that ran and passed.
    pub passed: usize,
    /// Tests that ran and failed, and programs that died.
    pub failed: usize,
    /// Tests that were ignored or lacked what they need.
    pub skipped: usize,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} passed, {} failed, {} skipped",
            self.passed, self.failed, self.skipped
        )
    }
}

/// What has been read so far.
#[derive(Debug, Default)]
pub struct Tally {
    passed: usize,
    failed: usize,
    ignored: usize,
    /// The program whose output is being read: tests of two programs may share a name.
    program: String,
    /// (program, test) → reason.
    skips: BTreeMap<(String, String), String>,
    on_gpu: BTreeSet<(String, String)>,
    failures: BTreeSet<(String, String)>,
}

impl Tally {
    /// Says which test program prints the next lines.
    pub fn begin(&mut self, program: &str) {
        program.clone_into(&mut self.program);
    }

    /// Reads one line of output.
    pub fn read(&mut self, line: &str) {
        let line = without_colour(line);
        let line = line.trim();
        if let Some(program) = line
            .strip_prefix("Running ")
            .or_else(|| line.strip_prefix("Doc-tests "))
        {
            self.begin(program);
        } else if let Some([passed, failed, ignored]) = summary(line) {
            self.passed += passed;
            self.failed += failed;
            self.ignored += ignored;
        } else if let Some((test, reason)) = said(line, "skipped: ").and_then(|rest| rest.split_once(": ")) {
            self.skips.insert(self.named(test), reason.to_owned());
        } else if let Some(test) = said(line, "ran on gpu: ") {
            self.on_gpu.insert(self.named(test));
        } else if let Some(test) = failure(line) {
            self.failures.insert(self.named(test));
        }
    }

    /// Says how the programs ended: one that died, or did not compile, leaves no summary and counts as one failure.
    pub fn end(&mut self, success: bool) {
        if !success && self.failed == 0 {
            self.failed = 1;
        }
    }

    /// The counts so far; a skipped test is not counted as passed.
    pub fn counts(&self) -> Counts {
        Counts {
            passed: self.passed.saturating_sub(self.skips.len()),
            failed: self.failed,
            skipped: self.ignored + self.skips.len(),
        }
    }

    /// How many tests ran on a GPU.
    pub fn on_gpu(&self) -> usize {
        self.on_gpu.len()
    }

    /// How many tests ran on a GPU or would have, had there been one.
    pub fn for_gpu(&self) -> usize {
        self.on_gpu()
            + self
                .skips
                .values()
                .filter(|reason| reason.starts_with("no gpu"))
                .count()
    }

    /// The tests skipped for want of NVRTC.
    pub fn without_nvrtc(&self) -> usize {
        self.lacking("no nvrtc")
    }

    /// How many tests were skipped for a reason that begins so, in capitals or not: errors of warpfold say `no GPU`.
    fn lacking(&self, what: &str) -> usize {
        let begins = |reason: &&String| {
            reason
                .get(..what.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(what))
        };
        self.skips.values().filter(begins).count()
    }

    /// The names of the tests that failed, each with its program.
    pub fn failures(&self) -> impl Iterator<Item = String> {
        self.failures
            .iter()
            .map(|(program, test)| format!("{test} ({program})"))
    }

    /// Each reason why tests were skipped, with how many it stopped.
    pub fn reasons(&self) -> BTreeMap<&str, usize> {
        let mut reasons = BTreeMap::new();
        for reason in self.skips.values() {
            *reasons.entry(reason.as_str()).or_default() += 1;
        }
        reasons
    }

    fn named(&self, test: &str) -> (String, String) {
        (self.program.clone(), test.trim().to_owned())
    }
}

/// `[passed, failed, ignored]` of a line such as `test result: ok. 3 passed; 0 failed; 1 ignored; …`.
fn summary(line: &str) -> Option<[usize; 3]> {
    let rest = line.strip_prefix("test result: ")?;
    let (_, counts) = rest.split_once(". ")?;
    let mut counts = counts.split("; ");
    let mut next = |unit: &str| counts.next()?.strip_suffix(unit)?.trim().parse().ok();
    Some([next("passed")?, next("failed")?, next("ignored")?])
}

/// What follows a keyword at the line's start, or behind `test NAME ... `, which libtest has already written where it
/// runs one test at a time.
fn said<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    line.strip_prefix(keyword).or_else(|| {
        let (_, rest) = line.strip_prefix("test ")?.split_once(" ... ")?;
        rest.strip_prefix(keyword)
    })
}

/// The test named in `test NAME ... FAILED`.
fn failure(line: &str) -> Option<&str> {
    let (name, outcome) = line.strip_prefix("test ")?.split_once(" ... ")?;
    (outcome == "FAILED").then_some(name)
}

/// A line without the escape sequences that colour it.
fn without_colour(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once('m').map_or(part, |(_, rest)| rest));
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Tally {
        let mut tally = Tally::default();
        text.lines().for_each(|line| tally.read(line));
        tally
    }

    #[test]
    fn summaries_of_several_programs_add_up() {
        let tally = read(
            "     Running unittests src/lib.rs (target/debug/deps/a-1)\n\
             test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\
             \x20  Doc-tests a\n\
             test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n",
        );
        assert_eq!(tally.counts().to_string(), "15 passed, 2 failed, 1 skipped");
    }

    #[test]
    fn a_skipped_test_is_not_passed_and_counts_once() {
        let tally = read(
            "Running a\nskipped: rows: no gpu: no driver\nskipped: rows: no gpu: no driver\n\
             test one ... skipped: one: no NVRTC: not found\nok\n\
             test result: ok. 3 passed; 0 failed; 0 ignored\n\
             Running b\nskipped: rows: no gpu: no driver\ntest result: ok. 1 passed; 0 failed; 0 ignored\n",
        );
        assert_eq!(
            tally.counts(),
            Counts {
                passed: 1,
                failed: 0,
                skipped: 3
            }
        );
        assert_eq!(tally.without_nvrtc(), 1);
        assert_eq!(tally.for_gpu(), 2);
        assert_eq!(tally.reasons()["no gpu: no driver"], 2);
    }

    #[test]
    fn tests_on_the_gpu_are_counted_once_each() {
        let tally =
            read("Running a\nran on gpu: x\nran on gpu: x\nran on gpu: y\nRunning b\nran on gpu: x\n");
        assert_eq!(tally.on_gpu(), 3);
    }

    #[test]
    fn failures_are_named() {
        let tally = read("Running a\ntest m::x ... FAILED\ntest y ... ok\n");
        assert_eq!(tally.failures().collect::<Vec<_>>(), ["m::x (a)"]);
    }

    #[test]
    fn a_program_that_dies_is_a_failure() {
        let mut tally = read("Running a\ntest x ... ok\n");
        tally.end(false);
        assert_eq!(tally.counts().failed, 1);

        let mut tally = read("test result: FAILED. 0 passed; 2 failed; 0 ignored\n");
        tally.end(false);
        assert_eq!(tally.counts().failed, 2);

        let mut tally = read("test result: ok. 1 passed; 0 failed; 0 ignored\n");
        tally.end(true);
        assert_eq!(tally.counts().failed, 0);
    }

    #[test]
    fn colours_do_not_hide_a_line() {
        let tally = read("test result: \u{1b}[32mok\u{1b}[0m. 2 passed; 0 failed; 0 ignored; 0 measured");
        assert_eq!(tally.counts().passed, 2);
    }

    #[test]
    fn other_lines_count_nothing() {
        let tally = read("test result\ntest result: ok. many passed\nskipped: a\nrunning 3 tests\n");
        assert_eq!(tally.counts(), Counts::default());
    }
}
