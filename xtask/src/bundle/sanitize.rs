//! compute-sanitizer over test programs: its four tools and what they report.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use serde::{Deserialize, Serialize};

/// The tools, by the names compute-sanitizer gives them; the slowest first, so that it is not what is waited for at the end.
pub const TOOLS: [&str; 4] = ["racecheck", "memcheck", "initcheck", "synccheck"];

/// The variable that tells tests under which tool they run: a tool makes a kernel many times slower, so that a test
/// may take fewer sizes.
pub const VARIABLE: &str = "WARPFOLD_SANITIZER";

/// What one tool found over all programs.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Findings {
    /// Tests that ran on the GPU under the tool.
    pub tests: usize,
    /// Errors it reported that nothing explains, and programs that failed or did not end under it.
    pub errors: usize,
    /// Reports of racecheck on what mbarriers hand over, each pair of whose accesses is one that is meant.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub explained: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Findings {
    /// Whether something ran and nothing was found.
    pub fn are_clean(self) -> bool {
        self.tests > 0 && self.errors == 0
    }
}

/// The findings of each tool.
pub type Sanitizer = BTreeMap<String, Findings>;

/// A command that runs what follows under a tool.
pub fn under(tool: &str) -> Command {
    let mut command = Command::new(executable());
    // A report that is not printed cannot be explained.
    let shown = if tool == "racecheck" { "10000" } else { "20" };
    command.args(["--tool", tool, "--print-limit", shown]);
    // Past its limit racecheck drops hazards, and says so in a warning that nothing explains.
    command.env("NV_COMPUTE_SANITIZER_MAX_RACECHECK_HAZARDS", "100000000");
    command.env(VARIABLE, tool);
    command
}

/// compute-sanitizer on the path, or where the toolkit puts it.
fn executable() -> PathBuf {
    let usual = PathBuf::from("/usr/local/cuda/bin/compute-sanitizer");
    let on_path = std::env::var_os("PATH").is_some_and(|path| {
        std::env::split_paths(&path).any(|folder| folder.join("compute-sanitizer").is_file())
    });
    if on_path || !usual.is_file() {
        PathBuf::from("compute-sanitizer")
    } else {
        usual
    }
}

/// Whether a line says that the program never called CUDA: there was nothing to check, which a tool takes for an error.
pub fn never_began(line: &str) -> bool {
    line.contains("terminated before first instrumented API call")
}

/// The number of errors that a summary line of a tool gives.
pub fn errors(line: &str) -> Option<usize> {
    let line = line.trim_start_matches('=').trim();
    if let Some(rest) = line.strip_prefix("ERROR SUMMARY: ") {
        return rest.split_whitespace().next()?.parse().ok();
    }
    // Racecheck counts hazards, warnings among them: none is acceptable.
    line.strip_prefix("RACECHECK SUMMARY: ")?
        .split_whitespace()
        .next()?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_of_all_tools_are_read() {
        assert_eq!(errors("========= ERROR SUMMARY: 0 errors"), Some(0));
        assert_eq!(errors("========= ERROR SUMMARY: 1 error"), Some(1));
        assert_eq!(
            errors("========= RACECHECK SUMMARY: 3 hazards displayed (1 error, 2 warnings)"),
            Some(3)
        );
        assert_eq!(errors("========= Invalid __global__ read of size 4 bytes"), None);
        assert_eq!(errors("test result: ok. 3 passed"), None);
    }

    #[test]
    fn a_program_without_cuda_is_told_from_one_that_failed() {
        assert!(never_began(
            "========= Error: Target application terminated before first instrumented API call"
        ));
        assert!(!never_began(
            "========= Error: process didn't terminate successfully"
        ));
    }

    #[test]
    fn nothing_run_is_not_clean() {
        assert!(!Findings::default().are_clean());
        let findings = |errors, explained| Findings {
            tests: 3,
            errors,
            explained,
        };
        assert!(!findings(1, 0).are_clean());
        assert!(!findings(1, 1).are_clean());
        assert!(findings(0, 0).are_clean());
        assert!(findings(0, 1).are_clean());
    }

    #[test]
    fn tests_are_told_the_tool() {
        let command = under("memcheck");
        assert!(command.get_args().any(|argument| argument == "memcheck"));
        assert!(
            command
                .get_envs()
                .any(|(name, value)| name == VARIABLE && value.unwrap() == "memcheck")
        );
    }
}
