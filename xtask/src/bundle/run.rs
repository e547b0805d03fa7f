//! `run.sh` of a bundle, on the machine with the GPU: runs the stages asked for and writes what came of them.
//!
//! Each stage writes one log; `summary.json` holds the counts, the card, its driver, the date and the commit. Every
//! program has a time limit, and so has the whole run.

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::sanitize::{self, Findings, Sanitizer};
use super::{Kind, Manifest, Program, hand_over};
use crate::results::{Programs, Summary, Tests};
use crate::tally::Tally;
use crate::{nvrtc, process};

/// The options of `run.sh`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// What to run, in this order; by default the tests and the examples.
    #[arg(value_enum)]
    stages: Vec<Stage>,

    /// The folder of the bundle; `run.sh` fills it in.
    #[arg(long, hide = true)]
    bundle: PathBuf,

    /// The folder for logs and summary.json; by default what the variable OUT says, else `log`.
    #[arg(long)]
    out: Option<PathBuf>,

    /// Run only the programs whose name contains this; may be repeated.
    #[arg(long)]
    only: Vec<String>,

    /// Run only the tests whose name contains this.
    #[arg(long)]
    filter: Option<String>,

    /// Sanitize with this tool only; may be repeated.
    #[arg(long, value_parser = sanitize::TOOLS)]
    tool: Vec<String>,

    /// Seconds for the whole run.
    #[arg(long, default_value_t = 560)]
    limit: u64,

    /// Seconds for one program.
    #[arg(long, default_value_t = 300)]
    each: u64,

    /// Tests that run at once in one program.
    #[arg(long, default_value_t = 4)]
    threads: usize,

    /// Programs that run at once, of the tests and under the sanitizers; each writes to the log when it ends.
    #[arg(long, default_value_t = 1)]
    jobs: usize,

    /// Passed on to the examples and benches.
    #[arg(last = true)]
    rest: Vec<String>,
}

/// A part of the run.
#[derive(Clone, Copy, Debug, Eq, PartialEq, clap::ValueEnum)]
enum Stage {
    /// Every test program.
    Test,
    /// Every example.
    Examples,
    /// The test programs under compute-sanitizer; after `test`, only those in which a test ran on the GPU.
    Sanitize,
    /// Every bench.
    Bench,
}

/// Runs the stages; says whether all is well.
pub fn run(options: &Options) -> Result<bool> {
    Session::new(options)?.run()
}

/// One run of a bundle.
struct Session<'a> {
    options: &'a Options,
    manifest: Manifest,
    /// Where logs and the summary go.
    out: PathBuf,
    library_path: Option<PathBuf>,
    deadline: Instant,
    /// The names of the test programs in which no test ran on the GPU.
    without_gpu: Vec<String>,
}

impl<'a> Session<'a> {
    fn new(options: &'a Options) -> Result<Self> {
        let manifest = options.bundle.join("manifest.json");
        let manifest =
            fs::read_to_string(&manifest).with_context(|| format!("cannot read {}", manifest.display()))?;
        let out = options
            .out
            .clone()
            .or_else(|| std::env::var_os("OUT").map(PathBuf::from));
        let out = out.unwrap_or_else(|| PathBuf::from("log"));
        fs::create_dir_all(&out).with_context(|| format!("cannot make the folder {}", out.display()))?;
        Ok(Session {
            options,
            manifest: serde_json::from_str(&manifest).context("manifest.json is not one of this task's")?,
            out: fs::canonicalize(out)?,
            library_path: nvrtc::beyond_the_loader(),
            deadline: Instant::now() + Duration::from_secs(options.limit),
            without_gpu: Vec::new(),
        })
    }

    fn run(mut self) -> Result<bool> {
        let stages = match self.options.stages.as_slice() {
            [] => &[Stage::Test, Stage::Examples],
            stages => stages,
        };
        let mut summary = Summary::of_this_machine(&self.manifest.commit);
        println!(
            "{} · driver {} · {} · {}",
            summary.card, summary.driver, summary.date, summary.commit
        );
        for stage in stages {
            match stage {
                Stage::Test => summary.tests = Some(self.test()?),
                Stage::Examples => summary.examples = Some(self.programs(Kind::Example, "examples")?),
                Stage::Bench => summary.benches = Some(self.programs(Kind::Bench, "bench")?),
                Stage::Sanitize => summary.sanitizer = self.sanitize()?,
            }
            // After each stage: a run that is cut short keeps what it had.
            summary.write(&self.out.join("summary.json"))?;
        }
        let faults = summary.faults();
        for fault in &faults {
            println!("failed: {fault}");
        }
        if let Some(tests) = summary.tests {
            println!("{} ran on a gpu\n{}", tests.gpu_run, tests.counts);
        }
        Ok(faults.is_empty())
    }

    fn test(&mut self) -> Result<Tests> {
        let log = self.log("test")?;
        let programs = self.chosen(Kind::Test);
        let tallies = at_once(self.options.jobs, &programs, |program| {
            let command = self.command(None, program, &self.test_arguments());
            run_tests(command, program, &log)
        })?;
        let mut total = Tests::default();
        for (program, tally) in programs.into_iter().zip(&tallies) {
            if tally.on_gpu() == 0 {
                self.without_gpu.push(program.name);
            }
            total.add(tally);
        }
        Ok(total)
    }

    fn programs(&self, kind: Kind, stage: &str) -> Result<Programs> {
        let log = self.log(stage)?;
        let mut total = Programs::default();
        for program in self.chosen(kind) {
            let command = self.command(None, &program, &self.options.rest);
            let status = logged(command, &program.name, &log, |_| ())?;
            *(if status {
                &mut total.passed
            } else {
                &mut total.failed
            }) += 1;
        }
        Ok(total)
    }

    fn sanitize(&self) -> Result<Sanitizer> {
        let log = self.log("sanitize")?;
        let programs = self.chosen(Kind::Test);
        let on_gpu = || {
            programs
                .iter()
                .filter(|program| !self.without_gpu.contains(&program.name))
        };
        let asked =
            |tool: &&str| self.options.tool.is_empty() || self.options.tool.iter().any(|name| name == tool);
        let runs: Vec<_> = sanitize::TOOLS
            .into_iter()
            .filter(asked)
            .flat_map(|tool| on_gpu().map(move |program| (tool, program)))
            .collect();
        let findings = at_once(self.options.jobs, &runs, |(tool, program)| {
            self.sanitize_program(tool, program, &log)
        })?;

        let mut found = Sanitizer::new();
        for ((tool, _), findings) in runs.into_iter().zip(findings) {
            let total = found.entry(tool.to_owned()).or_default();
            total.tests += findings.tests;
            total.errors += findings.errors;
            total.explained += findings.explained;
        }
        for (tool, total) in &found {
            println!(
                "{tool}: {} tests, {} errors, {} reports explained",
                total.tests, total.errors, total.explained
            );
        }
        Ok(found)
    }

    fn sanitize_program(&self, tool: &str, program: &Program, log: &Mutex<File>) -> Result<Findings> {
        let mut command = self.command(Some(sanitize::under(tool)), program, &self.test_arguments());
        let sources = tempfile::tempdir()?;
        let mut races = hand_over::Reader::new(sources.path());
        if tool == "racecheck" {
            command.env("WARPFOLD_SOURCES", sources.path());
        }
        let mut tally = Tally::default();
        let mut errors = None;
        let mut never_began = false;
        let status = logged(command, &format!("{tool} {}", program.name), log, |line| {
            tally.read(line);
            races.read(line);
            never_began |= sanitize::never_began(line);
            errors = sanitize::errors(line)
                .map(|count| errors.unwrap_or(0) + count)
                .or(errors);
        })?;
        races.end();
        if never_began && tally.counts().failed == 0 && tally.on_gpu() == 0 {
            return Ok(Findings::default());
        }
        for pair in &races.unexplained {
            println!("    not meant: {pair}");
        }
        Ok(Findings {
            tests: tally.on_gpu(),
            // A tool that was killed, or could not start, reports no number.
            errors: errors
                .map_or(1, |errors| errors.saturating_sub(races.explained))
                .max(races.unexplained.len())
                .max(usize::from(!status)),
            explained: races.explained,
        })
    }

    fn chosen(&self, kind: Kind) -> Vec<Program> {
        let only = &self.options.only;
        let named =
            |program: &Program| only.is_empty() || only.iter().any(|name| program.name.contains(name));
        let wanted = |program: &&Program| program.kind == kind && named(program);
        self.manifest.programs.iter().filter(wanted).cloned().collect()
    }

    fn test_arguments(&self) -> Vec<String> {
        // libtest runs a lone test on the main thread, which has no test's name: at least two.
        let mut arguments = vec![format!("--test-threads={}", self.options.threads.max(2))];
        arguments.extend(self.options.filter.clone());
        arguments
    }

    /// A program of the bundle under its time limit, and under a tool if one is given; it is told where the
    /// workspace's files are.
    fn command(&self, tool: Option<Command>, program: &Program, arguments: &[String]) -> Command {
        let left = self.deadline.saturating_duration_since(Instant::now()).as_secs();
        let files = self.options.bundle.join("files");
        let folder = files.join(&program.folder);
        let mut command = Command::new("timeout");
        // 0 would mean no limit.
        command.args(["--kill-after=10", &left.min(self.options.each).max(1).to_string()]);
        if let Some(tool) = tool {
            command.arg(tool.get_program()).args(tool.get_args());
            command.envs(tool.get_envs().filter_map(|(name, value)| Some((name, value?))));
        }
        command
            .arg(self.options.bundle.join(&program.file))
            .args(arguments);
        command.env("WARPFOLD_ROOT", &files);
        command.env("WARPFOLD_EXAMPLES_DATA", files.join("examples/data"));
        command.env("WARPFOLD_RESULTS", &self.out);
        command.env("WARPFOLD_COMMIT", &self.manifest.commit);
        command.env("CARGO_MANIFEST_DIR", &folder);
        if let Some(path) = &self.library_path {
            nvrtc::search_first(path, &mut command);
        }
        if folder.is_dir() {
            command.current_dir(folder);
        }
        command
    }

    fn log(&self, stage: &str) -> Result<Mutex<File>> {
        let path = self.out.join(format!("{stage}.log"));
        let file = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Mutex::new(file))
    }
}

/// Does the work of every item, of `jobs` at once, and gives the results in the order of the items.
fn at_once<T: Sync, R: Send>(
    jobs: usize,
    items: &[T],
    work: impl Fn(&T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let result = work(item);
                    done.lock()
                        .expect("no job panics with the lock held")
                        .push((index, result));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no job panics with the lock held");
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Runs a test program and counts its tests.
fn run_tests(command: Command, program: &Program, log: &Mutex<File>) -> Result<Tally> {
    let mut tally = Tally::default();
    tally.begin(&program.name);
    let status = logged(command, &program.name, log, |line| tally.read(line))?;
    tally.end(status);
    for failure in tally.failures() {
        println!("failed: {failure}");
    }
    Ok(tally)
}

/// Runs a program, writing its output to a log, and prints how it ended; of one that failed, its last lines too.
fn logged(command: Command, name: &str, log: &Mutex<File>, mut on_line: impl FnMut(&str)) -> Result<bool> {
    const SHOWN: usize = 30;
    let start = Instant::now();
    let mut lines = Vec::new();
    let status = process::each_line(command, |line| {
        on_line(line);
        lines.push(line.to_owned());
    })?;
    let end = match status.code() {
        Some(0) => "ok".to_owned(),
        Some(124 | 137) => "ran past its time limit".to_owned(),
        Some(code) => format!("exit status {code}"),
        None => "killed".to_owned(),
    };
    println!("{name}: {end} ({:.1} s)", start.elapsed().as_secs_f64());
    let text = format!("== {name}\n{}\n== {name}: {end}\n", lines.join("\n"));
    // A full disk must not end the run: the counts still matter.
    let _ = writeln!(log.lock().expect("no job panics with the lock held"), "{text}");
    if !status.success() {
        for line in &lines[lines.len().saturating_sub(SHOWN)..] {
            println!("    {line}");
        }
    }
    Ok(status.success())
}

/// The first line that a program prints, or `unknown`.
pub fn first_line(program: &str, arguments: &[&str]) -> String {
    let output = process::output(Command::new(program).args(arguments)).unwrap_or_default();
    output
        .lines()
        .next()
        .map_or_else(|| "unknown".to_owned(), str::to_owned)
}

#[cfg(test)]
mod tests;
