//! What a plain user of `warpfold` builds: optional features bring nothing to those who do not ask for them.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The crates that `cargo tree` lists for these words; none where there is no cargo or no source.
fn tree(words: &[&str]) -> Option<BTreeSet<String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    if !folder.is_dir() {
        return None; // The tests were copied to a machine without the sources.
    }
    let output = Command::new(std::env::var_os("CARGO")?)
        .current_dir(folder)
        .args([
            "tree", "--locked", "-p", "warpfold", "--edges", "normal", "--prefix", "none",
        ])
        .args(["--format", "{p}"])
        .args(words)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).unwrap();
    let names = text.lines().filter_map(|line| line.split(' ').next());
    Some(names.filter(|name| !name.is_empty()).map(str::to_owned).collect())
}

#[test]
fn a_plain_user_builds_what_contributing_names() {
    let Some(direct) = tree(&["--depth", "1"]) else {
        return;
    };
    let wanted = [
        "cudarc",
        "half",
        "libloading",
        "rayon",
        "thiserror",
        "warpfold",
        "warpfold-lanes",
        "warpfold-macros",
    ];
    assert_eq!(direct, wanted.map(str::to_owned).into());
    let all = tree(&[]).unwrap();
    for optional in ["ndarray", "serde"] {
        assert!(!all.contains(optional), "a plain user builds {optional}");
    }
}

#[test]
fn a_feature_brings_the_crate_of_its_name() {
    for feature in ["ndarray", "serde"] {
        let Some(direct) = tree(&["--depth", "1", "--features", feature]) else {
            return;
        };
        assert!(direct.contains(feature), "{feature}: {direct:?}");
        assert_eq!(direct.len(), 9, "{feature}: {direct:?}");
    }
}
