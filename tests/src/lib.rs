//! What the tests across crates share.
//!
//! A test that needs something this machine lacks says so with [`skip`] and returns; `cargo xtask test` counts it as
//! skipped, not as passed. A test that did run on a GPU says so with [`ran_on_gpu`], so that the count of such tests
//! can be kept and may not drop.

#![allow(
    clippy::cast_lossless,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "specs cast as users do, and random numbers are cut to every type"
)]

pub mod answer;
pub mod blocks;
pub mod check;
pub mod data;
pub mod lines;
pub mod own_cuda;
pub mod specs;

use std::fmt::Display;
use std::io::Write;
use std::panic::Location;
use std::path::PathBuf;

/// What a machine may lack that a test needs.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Lacks {
    /// A GPU with its driver.
    Gpu,
    /// The library NVRTC.
    Nvrtc,
    /// A C++ compiler, which runs the kernels on the CPU.
    CxxCompiler,
    /// Time: the tool that the tests run under would take hours.
    Time,
}

impl Display for Lacks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Lacks::Gpu => "no gpu",
            Lacks::Nvrtc => "no nvrtc",
            Lacks::CxxCompiler => "no c++ compiler",
            Lacks::Time => "no time",
        })
    }
}

/// Says that the running test is skipped, and why; the test then returns.
///
/// ```no_run
/// use warpfold_tests::{Lacks, skip};
///
/// # fn device() -> Result<(), String> { Ok(()) }
/// if let Err(why) = device() {
///     return skip(Lacks::Gpu, why);
/// }
/// ```
#[track_caller]
pub fn skip(lacks: Lacks, why: impl Display) {
    announce(&skip_line(&running_test(Location::caller()), lacks, &why));
}

/// Says that the running test did its work on a GPU.
#[track_caller]
pub fn ran_on_gpu() {
    announce(&format!("ran on gpu: {}", running_test(Location::caller())));
}

/// The root of the workspace's files: what `WARPFOLD_ROOT` says (tests copied to another machine), or where the
/// sources were.
pub fn root() -> PathBuf {
    std::env::var_os("WARPFOLD_ROOT").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/..")),
        PathBuf::from,
    )
}

/// `skipped: NAME: no gpu: REASON`, on one line whatever the reason holds.
fn skip_line(test: &str, lacks: Lacks, why: &impl Display) -> String {
    let why = why.to_string();
    let why = why.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("skipped: {test}: {lacks}: {why}")
}

/// The name of the running test: libtest names the thread after it, except where it runs tests on the main thread;
/// there the place of the call stands for it.
fn running_test(caller: &Location<'_>) -> String {
    let thread = std::thread::current();
    match thread.name() {
        Some(name) if name != "main" => name.to_owned(),
        _ => format!("{}:{}", caller.file(), caller.line()),
    }
}

/// Writes a line where libtest does not capture it: only the print macros are captured.
fn announce(line: &str) {
    // A test whose stderr is closed still runs; the line is then lost with everything else it prints.
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skip_is_one_line_with_test_lack_and_reason() {
        let line = skip_line("rows::max", Lacks::Gpu, &"no libcuda.so\n  searched: /usr/lib");
        assert_eq!(
            line,
            "skipped: rows::max: no gpu: no libcuda.so searched: /usr/lib"
        );
        assert_eq!(skip_line("a", Lacks::Nvrtc, &"x"), "skipped: a: no nvrtc: x");
    }

    #[test]
    fn the_running_test_is_named() {
        let name = running_test(Location::caller());
        assert!(
            name.ends_with("the_running_test_is_named") || name.contains("lib.rs:"),
            "{name}"
        );
    }

    #[test]
    fn the_root_holds_the_workspace() {
        assert!(root().join("tests").is_dir());
    }
}
