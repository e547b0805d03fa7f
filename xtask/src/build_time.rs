//! `cargo xtask build-time`: what a hundred specs add to a debug build of a crate.
//!
//! It writes three crates outside of the workspace, so that none of its profiles help: one without specs, one with a
//! hundred that nobody calls, and one that calls each once on the CPU. Each is built several times with everything it
//! depends on at hand; the quickest build counts.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::{process, workspace};

/// What a hundred specs may add to a debug build.
const BUDGET: Duration = Duration::from_secs(2);

/// The specs of one module; ten such modules make a hundred.
const TEN_SPECS: &str = include_str!("build_time/ten_specs.txt");
/// A call of each.
const TEN_CALLS: &str = include_str!("build_time/ten_calls.txt");

/// The options of `cargo xtask build-time`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// How often each crate is built.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
}

/// Builds the crates and prints a table; says whether the specs stay in their budget.
pub fn run(options: &Options) -> Result<bool> {
    let workspace = workspace::locate()?;
    let folder = workspace.target.join("build-time");
    write_crates(&workspace.root, &folder)?;
    let crates = ["none", "declared", "called"];
    for name in crates {
        ensure!(build(&folder, name)?, "`{name}` does not build");
    }
    let mut quickest = [(Duration::MAX, Duration::MAX); 3];
    for _ in 0..options.rounds.max(1) {
        for (name, best) in crates.into_iter().zip(&mut quickest) {
            let (wall, cpu) = timed(&folder, name)?;
            *best = (best.0.min(wall), best.1.min(cpu));
        }
    }
    println!("a crate with          wall s   cpu s");
    for (what, (wall, cpu)) in ["no spec", "100 specs", "100 specs, each called"]
        .into_iter()
        .zip(quickest)
    {
        println!(
            "{what:22} {:>5.2}   {:>5.2}",
            wall.as_secs_f64(),
            cpu.as_secs_f64()
        );
    }
    let added = quickest[1].0.saturating_sub(quickest[0].0);
    println!(
        "100 specs add {:.2} s and may add {} s",
        added.as_secs_f64(),
        BUDGET.as_secs()
    );
    Ok(added <= BUDGET)
}

/// The three crates, in a workspace of their own with the versions that this one has locked.
fn write_crates(root: &Path, folder: &Path) -> Result<()> {
    let source = |specs: &str| -> String {
        let module = |i| format!("pub mod of_{i} {{\nuse warpfold::prelude::*;\n{specs}}}\n");
        (0..10).map(module).collect()
    };
    let crates = [
        ("none", "use warpfold::prelude::*;\n".to_owned()),
        ("declared", source(TEN_SPECS)),
        ("called", source(&format!("{TEN_SPECS}{TEN_CALLS}"))),
    ];
    for (name, source) in crates {
        let own = folder.join(name);
        fs::create_dir_all(own.join("src"))?;
        fs::write(
            own.join("Cargo.toml"),
            format!(
                "[package]\nname = \"{name}\"\nedition = \"2024\"\n\n[dependencies]\nwarpfold = {{ path = \"{}\" }}\n",
                root.join("runtime").display()
            ),
        )?;
        fs::write(own.join("src/lib.rs"), format!("#![allow(unused)]\n{source}"))?;
    }
    fs::write(
        folder.join("Cargo.toml"),
        "[workspace]\nresolver = \"3\"\nmembers = [\"none\", \"declared\", \"called\"]\n",
    )?;
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).context("there is no Cargo.lock")?;
    Ok(())
}

fn build(folder: &Path, name: &str) -> Result<bool> {
    let mut command = process::cargo();
    command
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target(folder));
    process::succeeds(command.args(["build", "--quiet", "--package", name]))
}

/// A build of one crate from nothing but its dependencies: how long it takes, and how long all its threads work.
fn timed(folder: &Path, name: &str) -> Result<(Duration, Duration)> {
    let mut clean = process::cargo();
    clean.current_dir(folder).env("CARGO_TARGET_DIR", target(folder));
    ensure!(
        process::succeeds(clean.args(["clean", "--quiet", "--package", name]))?,
        "cannot clean `{name}`"
    );
    let (start, worked) = (Instant::now(), children());
    ensure!(build(folder, name)?, "`{name}` does not build");
    Ok((start.elapsed(), children().saturating_sub(worked)))
}

fn target(folder: &Path) -> PathBuf {
    folder.join("target")
}

/// How long the processes worked that this one waited for; nothing where the system does not say.
fn children() -> Duration {
    fs::read_to_string("/proc/self/stat").map_or(Duration::ZERO, |stat| worked(&stat))
}

/// Fields 16 and 17 of `proc_pid_stat(5)`, in hundredths of a second.
fn worked(stat: &str) -> Duration {
    // The second field, a name in parentheses, may hold spaces.
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let fields = after_name.split_whitespace().skip(13).take(2);
    let hundredths: u64 = fields.filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(hundredths * 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_of_children_is_read_past_a_name_with_spaces() {
        let stat = "7 (a b) c) S 1 7 7 0 -1 4194560 9 9 0 0 11 12 250 50 20 0 1 0 5 0 0";
        assert_eq!(worked(stat), Duration::from_secs(3));
        assert_eq!(worked(""), Duration::ZERO);
    }

    #[test]
    fn ten_specs_are_ten_and_each_is_called() {
        let specs = TEN_SPECS.matches("#[warp_").count() - TEN_SPECS.matches("#[warp_module]").count();
        assert_eq!(specs, 10);
        assert_eq!(TEN_CALLS.matches("Rows::new").count(), 10);
    }
}
