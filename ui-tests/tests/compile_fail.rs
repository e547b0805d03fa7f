//! Every program of every theme is refused, with the words that its `.stderr` holds.

use std::fs;
use std::path::PathBuf;

use warpfold_ui_tests::{files, unpaired};

/// The folder of this package, as cargo says when it runs the test: two checkouts may share one build folder.
fn package() -> PathBuf {
    std::env::var_os("CARGO_MANIFEST_DIR")
        .expect("cargo runs this test")
        .into()
}

#[test]
fn every_rule_is_refused_as_written() {
    let cases = trybuild::TestCases::new();
    for file in files(&package(), "rs").unwrap() {
        // trybuild runs in the package's folder and shows names as they are given.
        cases.compile_fail(file.strip_prefix(package()).unwrap());
    }
}

#[test]
fn every_program_has_its_message_and_every_message_its_program() {
    // While messages are being blessed, a new program has none yet.
    if std::env::var_os("TRYBUILD").is_some_and(|mode| mode == "overwrite") {
        return;
    }
    let alone = unpaired(&package()).unwrap();
    assert!(
        alone.is_empty(),
        "without a partner: {alone:#?}\nhelp: run `cargo xtask bless ui`"
    );
}

#[test]
fn themes_are_searched_and_strays_are_found() {
    let package = tempfile::tempdir().unwrap();
    for file in [
        "mask/empty.rs",
        "mask/empty.stderr",
        "mask/old.stderr",
        "width/new.rs",
        "src/lib.rs",
    ] {
        let path = package.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    let names = |paths: Vec<PathBuf>| -> Vec<String> {
        paths
            .iter()
            .map(|path| path.strip_prefix(package.path()).unwrap().display().to_string())
            .collect()
    };
    assert_eq!(
        names(files(package.path(), "rs").unwrap()),
        ["mask/empty.rs", "width/new.rs"]
    );
    assert_eq!(
        names(unpaired(package.path()).unwrap()),
        ["width/new.rs", "mask/old.stderr"]
    );
}
