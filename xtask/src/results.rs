//! What ran on a GPU: the summary that a bundle writes, the one that is kept in `benches/results/gpu-tests.json`, and
//! `cargo xtask check-results`, which compares the two. The count of tests that ran on a GPU may not drop.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::bundle::run::first_line;
use crate::bundle::sanitize::{Sanitizer, TOOLS};
use crate::tally::{Counts, Tally};
use crate::workspace;

/// Where the kept summary is, in the workspace.
const KEPT: &str = "benches/results/gpu-tests.json";

/// What came of one run of a bundle, or of several over the same commit.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Summary {
    /// The name of the first GPU.
    pub card: String,
    /// The version of its driver.
    pub driver: String,
    /// When, in UTC.
    pub date: String,
    /// The commit of the sources.
    pub commit: String,
    /// The tests, where they ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tests: Option<Tests>,
    /// The examples, where they ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub examples: Option<Programs>,
    /// The benches, where they ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub benches: Option<Programs>,
    /// The findings of each tool that ran.
    #[serde(default, skip_serializing_if = "Sanitizer::is_empty")]
    pub sanitizer: Sanitizer,
}

/// The counts of tests.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Tests {
    /// Passed, failed, skipped.
    #[serde(flatten)]
    pub counts: Counts,
    /// How many of them ran on the GPU.
    pub gpu_run: usize,
}

impl Tests {
    /// Adds what one program gave.
    pub fn add(&mut self, tally: &Tally) {
        let counts = tally.counts();
        self.counts.passed += counts.passed;
        self.counts.failed += counts.failed;
        self.counts.skipped += counts.skipped;
        self.gpu_run += tally.on_gpu();
    }
}

/// The counts of programs.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Programs {
    /// Programs that ended well.
    pub passed: usize,
    /// Programs that did not.
    pub failed: usize,
}

impl Summary {
    /// An empty summary that names this machine's card and driver, and today.
    pub fn of_this_machine(commit: &str) -> Self {
        let ask = |what: &str| {
            first_line(
                "nvidia-smi",
                &[&format!("--query-gpu={what}"), "--format=csv,noheader"],
            )
        };
        Summary {
            card: ask("name"),
            driver: ask("driver_version"),
            date: first_line("date", &["-u", "+%Y-%m-%dT%H:%M:%SZ"]),
            commit: commit.to_owned(),
            tests: None,
            examples: None,
            benches: None,
            sanitizer: Sanitizer::new(),
        }
    }

    /// Writes the summary as JSON.
    pub fn write(&self, path: &Path) -> Result<()> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Reads a summary.
    pub fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        serde_json::from_str(&text)
            .with_context(|| format!("{} is no summary of a bundle's run", path.display()))
    }

    /// What went wrong in the stages that ran.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        if let Some(tests) = self.tests {
            if tests.counts.failed > 0 {
                faults.push(format!("{} tests failed", tests.counts.failed));
            }
            if tests.gpu_run == 0 {
                faults.push("no test ran on a gpu".to_owned());
            }
        }
        for (programs, what) in [(self.examples, "examples"), (self.benches, "benches")] {
            if let Some(failed) = programs
                .map(|programs| programs.failed)
                .filter(|failed| *failed > 0)
            {
                faults.push(format!("{failed} {what} failed"));
            }
        }
        for (tool, findings) in self
            .sanitizer
            .iter()
            .filter(|(_, findings)| !findings.are_clean())
        {
            faults.push(format!(
                "{tool}: {} errors over {} tests",
                findings.errors, findings.tests
            ));
        }
        faults
    }

    /// Takes over the stages that another run over the same commit and card made.
    fn merge(&mut self, other: Summary) -> Result<()> {
        if (&self.commit, &self.card) != (&other.commit, &other.card) {
            bail!(
                "summaries of different runs: {} on {}, {} on {}",
                self.commit,
                self.card,
                other.commit,
                other.card
            );
        }
        self.tests = other.tests.or(self.tests);
        self.examples = other.examples.or(self.examples);
        self.benches = other.benches.or(self.benches);
        self.sanitizer.extend(other.sanitizer);
        self.date = other.date;
        Ok(())
    }

    /// What is worse here than in the summary kept so far.
    fn losses(&self, kept: &Summary) -> Vec<String> {
        let mut losses = Vec::new();
        let gpu_run = |summary: &Summary| summary.tests.map_or(0, |tests| tests.gpu_run);
        if gpu_run(self) < gpu_run(kept) {
            losses.push(format!(
                "{} tests ran on a gpu, {} did before",
                gpu_run(self),
                gpu_run(kept)
            ));
        }
        for tool in TOOLS {
            if kept.sanitizer.contains_key(tool) && !self.sanitizer.contains_key(tool) {
                losses.push(format!("{tool} did not run, it did before"));
            }
        }
        losses
    }
}

/// The options of `cargo xtask check-results`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Summaries that bundles of one commit wrote; a later one replaces the stages of an earlier. Without any, the
    /// kept one is checked.
    new: Vec<PathBuf>,

    /// Keep the new summary if nothing is wrong with it.
    #[arg(long, requires = "new")]
    keep: bool,
}

/// Compares a new summary with the kept one; says whether it is as good.
pub fn check(options: &Options) -> Result<bool> {
    let path = workspace::locate()?.root.join(KEPT);
    let kept = path.is_file().then(|| Summary::read(&path)).transpose()?;
    let mut new: Option<Summary> = None;
    for file in &options.new {
        let summary = Summary::read(file)?;
        match &mut new {
            Some(new) => new.merge(summary)?,
            None => new = Some(summary),
        }
    }
    let Some(summary) = new.as_ref().or(kept.as_ref()) else {
        println!("{KEPT} is not there yet");
        return Ok(true);
    };
    let mut wrong = summary.faults();
    wrong.extend(kept.iter().flat_map(|kept| summary.losses(kept)));
    for fault in &wrong {
        println!("failed: {fault}");
    }
    if wrong.is_empty() {
        let tests = summary.tests.unwrap_or_default();
        println!(
            "{}: {}, {} on a gpu, commit {}",
            summary.card, tests.counts, tests.gpu_run, summary.commit
        );
        if options.keep {
            fs::create_dir_all(path.parent().context("the kept summary has a folder")?)?;
            summary.write(&path)?;
        }
    }
    Ok(wrong.is_empty())
}

/// How many tests ran on a GPU in the kept summary; 0 where none is kept.
pub fn kept_gpu_tests(root: &Path) -> Result<usize> {
    let path = root.join(KEPT);
    if !path.is_file() {
        return Ok(0);
    }
    Ok(Summary::read(&path)?.tests.map_or(0, |tests| tests.gpu_run))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::sanitize::Findings;

    fn summary(gpu_run: usize, tools: &[&str]) -> Summary {
        let clean = Findings {
            tests: 1,
            ..Findings::default()
        };
        Summary {
            card: "card".to_owned(),
            driver: "1".to_owned(),
            date: "2026-01-01T00:00:00Z".to_owned(),
            commit: "c".to_owned(),
            tests: Some(Tests {
                counts: Counts {
                    passed: 9,
                    failed: 0,
                    skipped: 1,
                },
                gpu_run,
            }),
            examples: None,
            benches: None,
            sanitizer: tools.iter().map(|tool| ((*tool).to_owned(), clean)).collect(),
        }
    }

    #[test]
    fn a_summary_reads_back_as_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("summary.json");
        let written = summary(5, &TOOLS);
        written.write(&path).unwrap();
        assert_eq!(Summary::read(&path).unwrap(), written);
        let text = fs::read_to_string(&path).unwrap();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json["tests"]["passed"], 9);
        assert_eq!(json["tests"]["gpu_run"], 5);
    }

    #[test]
    fn fewer_gpu_tests_or_tools_are_losses() {
        let kept = summary(5, &["memcheck", "racecheck"]);
        assert!(summary(5, &["memcheck", "racecheck"]).losses(&kept).is_empty());
        assert!(summary(6, &TOOLS).losses(&kept).is_empty());
        assert_eq!(summary(4, &["memcheck"]).losses(&kept).len(), 2);
    }

    #[test]
    fn faults_are_failures_and_findings_and_nothing_run() {
        assert!(summary(1, &TOOLS).faults().is_empty());
        assert_eq!(summary(0, &[]).faults(), ["no test ran on a gpu"]);
        let mut bad = summary(1, &TOOLS);
        bad.tests.as_mut().unwrap().counts.failed = 2;
        bad.examples = Some(Programs { passed: 1, failed: 1 });
        bad.sanitizer.insert(
            "memcheck".to_owned(),
            Findings {
                tests: 1,
                errors: 3,
                explained: 0,
            },
        );
        assert_eq!(
            bad.faults(),
            [
                "2 tests failed",
                "1 examples failed",
                "memcheck: 3 errors over 1 tests"
            ]
        );
    }

    #[test]
    fn stages_of_two_runs_come_together_only_over_one_commit() {
        let mut tests = summary(5, &[]);
        let mut tools = summary(0, &TOOLS);
        tools.tests = None;
        tests.merge(tools).unwrap();
        assert_eq!(tests, summary(5, &TOOLS));

        let mut other = summary(5, &[]);
        other.commit = "d".to_owned();
        assert!(tests.merge(other).is_err());
    }
}
