//! Where the workspace and its build folder are, in cargo's own words.

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::process;

/// What `cargo metadata` says of the workspace.
#[derive(Debug, Deserialize)]
pub struct Workspace {
    /// The folder of the workspace's `Cargo.toml`.
    #[serde(rename = "workspace_root")]
    pub root: PathBuf,
    /// The folder of what cargo builds.
    #[serde(rename = "target_directory")]
    pub target: PathBuf,
}

/// Asks cargo where the workspace is.
pub fn locate() -> Result<Workspace> {
    let mut command = process::cargo();
    command.args(["metadata", "--no-deps", "--format-version", "1"]);
    // What cargo says when it runs this task, not when it built it: two checkouts may share one build folder.
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    command.current_dir(PathBuf::from(package).join(".."));
    let metadata = process::output(&mut command).context("`cargo metadata` failed in this workspace")?;
    serde_json::from_str(&metadata).context("`cargo metadata` gave what this task cannot read")
}
