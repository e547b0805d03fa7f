//! `cargo xtask supply`: what a release rests on. The crates package and build from their packages, the lowest versions
//! that `Cargo.toml` allows build too, candle's newest version takes the operation that the guide shows, and `cargo deny` accepts
//! every dependency by licence, advisory and source.
//!
//! Not a part of `ci`: it takes minutes and what it finds changes with the world, not with the code.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{process, workspace};

/// The crates that are published, each after those that it needs.
const PUBLISHED: [&str; 4] = [
    "warpfold-lanes",
    "warpfold-codegen",
    "warpfold-macros",
    "warpfold",
];

/// Runs every step; says whether all passed.
pub fn run() -> Result<bool> {
    let mut failed = Vec::new();
    for (step, check) in [
        ("packages", packages as fn() -> Result<bool>),
        ("lowest versions", lowest_versions),
        ("candle", candle),
        ("dependencies", dependencies),
    ] {
        if !check()? {
            failed.push(step);
        }
    }
    match failed.as_slice() {
        [] => println!("packages, lowest versions, candle and dependencies are well"),
        failed => println!("failed: {}", failed.join(", ")),
    }
    Ok(failed.is_empty())
}

/// Packages the published crates and builds each from its package.
fn packages() -> Result<bool> {
    let mut package = process::cargo();
    package.current_dir(workspace::locate()?.root).arg("package");
    for name in PUBLISHED {
        package.args(["-p", name]);
    }
    process::succeeds(&mut package)
}

/// Builds with the lowest versions of the dependencies that the workspace names, in a copy of what is committed.
fn lowest_versions() -> Result<bool> {
    let workspace = workspace::locate()?;
    let copy = workspace.target.join("lowest-versions");
    if copy.exists() {
        std::fs::remove_dir_all(&copy).with_context(|| format!("cannot empty {}", copy.display()))?;
    }
    let mut clone = Command::new("git");
    clone.args(["clone", "--quiet", "--depth=1"]);
    clone
        .arg(format!("file://{}", workspace.root.display()))
        .arg(&copy);
    if !process::succeeds(&mut clone)? {
        bail!("cannot copy the workspace to {}", copy.display());
    }
    let mut resolve = process::cargo();
    // The flag is for nightly toolchains; it changes Cargo.lock and nothing that is built.
    resolve
        .current_dir(&copy)
        .env("RUSTC_BOOTSTRAP", "1")
        .args(["-Z", "direct-minimal-versions", "update"]);
    let mut check = process::cargo();
    check
        .current_dir(&copy)
        .arg("check")
        .arg("--target-dir")
        .arg(copy.join("target"));
    for name in PUBLISHED {
        check.args(["-p", name]);
    }
    Ok(process::succeeds(&mut resolve)? && process::succeeds(&mut check)?)
}

/// Tests the operation of candle, which stands beside the workspace so that nobody else builds candle.
fn candle() -> Result<bool> {
    let workspace = workspace::locate()?;
    let mut test = process::cargo();
    test.current_dir(workspace.root.join("examples/candle"))
        .arg("test")
        .arg("--target-dir")
        .arg(workspace.target.join("candle"));
    process::succeeds(&mut test)
}

/// Asks cargo-deny, by the rules of `deny.toml`.
fn dependencies() -> Result<bool> {
    let mut there = process::cargo();
    there.args(["deny", "--version"]);
    if !process::succeeds(&mut there)? {
        bail!("cargo-deny is not installed; help: cargo install cargo-deny --locked");
    }
    let mut deny = process::cargo();
    deny.current_dir(workspace::locate()?.root)
        .args(["deny", "check"]);
    process::succeeds(&mut deny)
}
