//! What a plain user of `warpfold` builds: optional features bring nothing to those who do not ask for them.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The names of the crates that `cargo tree` lists for these words; none where there is no cargo or no source.
fn tree(words: &[&str]) -> Option<BTreeSet<String>> {
    let lines = lines(&[&["--format", "{p}"], words].concat())?;
    Some(
        lines
            .iter()
            .filter_map(|line| line.split(' ').next())
            .map(str::to_owned)
            .collect(),
    )
}

/// What `cargo tree` prints for these words.
fn lines(words: &[&str]) -> Option<Vec<String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    if !folder.is_dir() {
        return None; // The tests were copied to a machine without the sources.
    }
    let output = Command::new(std::env::var_os("CARGO")?)
        .current_dir(folder)
        .args([
            "tree", "--locked", "-p", "warpfold", "--edges", "normal", "--prefix", "none",
        ])
        .args(words)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).unwrap();
    Some(
        text.lines()
            .filter(|line| !line.is_empty())
            .map(str::to_owned)
            .collect(),
    )
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
        "rustc-hash",
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
    let Some(plain) = tree(&["--depth", "1"]) else {
        return;
    };
    for feature in ["ndarray", "serde"] {
        let direct = tree(&["--depth", "1", "--features", feature]).unwrap();
        let brought: Vec<_> = direct.difference(&plain).collect();
        assert_eq!(brought, [feature]);
    }
}

/// A crate that wants cudarc linked, as candle does, can stand in one build with warpfold: that CUDA's libraries are loaded is
/// what happens where nobody asks for anything else. cudarc refuses `dynamic-loading` beside `dynamic-linking`.
#[test]
fn how_cudarc_comes_to_cuda_is_left_to_others() {
    let Some(lines) = lines(&["--depth", "1", "--format", "{p} features: {f}"]) else {
        return;
    };
    let cudarc = lines.iter().find(|line| line.starts_with("cudarc ")).unwrap();
    let (_, features) = cudarc.split_once("features: ").unwrap();
    let features: Vec<&str> = features.split(',').collect();
    assert!(features.contains(&"fallback-dynamic-loading"), "{cudarc}");
    assert!(!features.contains(&"dynamic-loading"), "{cudarc}");
}
