//! What the attributes refuse, one rule a file: `<theme>/<rule>.rs` is a program that must not compile, and
//! `<theme>/<rule>.stderr` is what rustc says about it, word for word.
//!
//! `tests/compile_fail.rs` compiles them all; `cargo xtask bless ui` writes the `.stderr` files anew.

use std::io;
use std::path::{Path, PathBuf};

/// The folders of this package that are no themes.
const NO_THEMES: [&str; 4] = ["src", "tests", "target", "wip"];

/// The files of all themes whose name ends in `.extension`, sorted.
///
/// # Errors
///
/// When a folder cannot be read.
pub fn files(package: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for theme in package.read_dir()? {
        let theme = theme?;
        let is_theme = theme.file_type()?.is_dir()
            && !NO_THEMES.iter().any(|name| theme.file_name() == *name)
            && !theme.file_name().to_string_lossy().starts_with('.');
        if is_theme {
            for file in theme.path().read_dir()? {
                let file = file?.path();
                if file.extension().is_some_and(|found| found == extension) {
                    found.push(file);
                }
            }
        }
    }
    found.sort();
    Ok(found)
}

/// What does not come in a pair: a `.stderr` without its `.rs` is left over from a rule that is gone, an `.rs` without
/// its `.stderr` was never blessed.
///
/// # Errors
///
/// When a folder cannot be read.
pub fn unpaired(package: &Path) -> io::Result<Vec<PathBuf>> {
    let mut alone = Vec::new();
    for (extension, partner) in [("rs", "stderr"), ("stderr", "rs")] {
        let files = files(package, extension)?;
        alone.extend(
            files
                .into_iter()
                .filter(|file| !file.with_extension(partner).is_file()),
        );
    }
    Ok(alone)
}
