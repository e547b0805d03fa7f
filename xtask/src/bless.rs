//! `cargo xtask bless`: the files that tests compare with, written anew from what the code gives now. Look at the diff
//! before committing it.

use anyhow::Result;

use crate::{nvrtc, process, workspace};

/// The options of `cargo xtask bless`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// What to write anew.
    #[arg(value_enum, default_value_t = What::All)]
    pub what: What,
}

/// Kinds of expected files.
#[derive(Clone, Copy, Debug, Eq, PartialEq, clap::ValueEnum)]
pub enum What {
    /// Both.
    All,
    /// The messages of compile errors, `ui-tests/<theme>/<rule>.stderr`.
    Ui,
    /// The emitted CUDA C++ and Rust, and every other expectation in the tests.
    Goldens,
}

/// Runs the tests that write their expectations; says whether they passed.
pub fn run(options: &Options) -> Result<bool> {
    let workspace = workspace::locate()?;
    let mut well = true;

    if options.what != What::Goldens {
        let mut command = process::cargo();
        command.current_dir(&workspace.root).env("TRYBUILD", "overwrite");
        command.args(["test", "--package", "warpfold-ui-tests"]);
        well &= process::succeeds(&mut command)?;
    }
    if options.what != What::Ui {
        let mut command = process::cargo();
        command
            .current_dir(&workspace.root)
            .env("WARPFOLD_BLESS", "1")
            .env("UPDATE_EXPECT", "1");
        command.args([
            "test",
            "--no-fail-fast",
            "--workspace",
            "--exclude",
            "warpfold-ui-tests",
        ]);
        nvrtc::find_or_fetch(&workspace.target)?.tell(&mut command);
        well &= process::succeeds(&mut command)?;
    }
    process::succeeds(
        std::process::Command::new("git")
            .current_dir(&workspace.root)
            .args(["status", "--short"]),
    )?;
    Ok(well)
}
