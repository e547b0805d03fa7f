//! Runs of bundles whose programs are shell scripts.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use clap::Parser;

use super::*;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    options: Options,
}

/// A bundle whose programs are shell scripts.
fn bundle(programs: &[(Kind, &str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut manifest = Manifest {
        commit: "c0ffee".to_owned(),
        programs: Vec::new(),
    };
    for (kind, name, script) in programs {
        let file = folder.path().join(name);
        fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        let (name, file) = ((*name).to_owned(), PathBuf::from(name));
        manifest.programs.push(Program {
            kind: *kind,
            name,
            folder: "tests".into(),
            file,
        });
    }
    fs::write(
        folder.path().join("manifest.json"),
        serde_json::to_string(&manifest).unwrap(),
    )
    .unwrap();
    folder
}

fn run_in(bundle: &Path, arguments: &[&str]) -> (bool, Summary) {
    let out = bundle.join("out");
    let mut line = vec![
        "run.sh",
        "--bundle",
        bundle.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ];
    line.extend(arguments);
    let well = run(&Line::parse_from(line).options).unwrap();
    (well, Summary::read(&out.join("summary.json")).unwrap())
}

const GOOD: &str = "echo 'ran on gpu: a' >&2; echo 'skipped: b: no gpu: x' >&2
    echo 'test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured'";

#[test]
fn tests_and_examples_run_and_are_counted() {
    let bundle = bundle(&[
        (Kind::Test, "good", GOOD),
        (Kind::Example, "max", "true"),
        (Kind::Bench, "no", "false"),
    ]);
    let (well, summary) = run_in(bundle.path(), &[]);
    assert!(well);
    let tests = summary.tests.unwrap();
    assert_eq!(
        (tests.counts.to_string().as_str(), tests.gpu_run),
        ("2 passed, 0 failed, 1 skipped", 1)
    );
    assert_eq!(summary.examples, Some(Programs { passed: 1, failed: 0 }));
    assert_eq!((summary.benches, summary.commit.as_str()), (None, "c0ffee"));
    assert!(
        fs::read_to_string(bundle.path().join("out/test.log"))
            .unwrap()
            .contains("ran on gpu: a")
    );
}

#[test]
fn a_program_that_dies_or_never_ends_fails_the_run_and_the_others_still_count() {
    let bundle = bundle(&[
        (Kind::Test, "dies", "kill -SEGV $$"),
        (Kind::Test, "good", GOOD),
        (Kind::Test, "hangs", "sleep 60"),
    ]);
    let (well, summary) = run_in(bundle.path(), &["test", "--each", "1"]);
    assert!(!well);
    assert_eq!(
        summary.tests.unwrap().counts.to_string(),
        "2 passed, 2 failed, 1 skipped"
    );
    assert_eq!(summary.examples, None);
}

#[test]
fn programs_know_where_the_workspaces_files_are() {
    let script = r#"test -n "$WARPFOLD_EXAMPLES_DATA" && test "$WARPFOLD_ROOT/tests" = "$CARGO_MANIFEST_DIR" && test "$1" = big"#;
    let bundle = bundle(&[(Kind::Bench, "rows", script)]);
    let (well, summary) = run_in(bundle.path(), &["bench", "--", "big"]);
    assert!(well);
    assert_eq!(summary.benches, Some(Programs { passed: 1, failed: 0 }));
}

#[test]
fn only_and_filter_choose() {
    let counted =
        r#"test "$2" = max; echo "ran on gpu: a"; echo "test result: ok. 1 passed; 0 failed; 0 ignored""#;
    let bundle = bundle(&[(Kind::Test, "rows", counted), (Kind::Test, "scans", "false")]);
    let (well, _) = run_in(bundle.path(), &["test", "--only", "row", "--filter", "max"]);
    assert!(well);
    let (well, _) = run_in(
        bundle.path(),
        &["test", "--only", "row", "--only", "scan", "--filter", "max"],
    );
    assert!(!well, "the second is chosen too");
}

#[test]
fn jobs_run_at_once_and_give_their_results_in_order() {
    // Each waits for the other: one after the other they would never end.
    let both = std::sync::Barrier::new(2);
    let results = at_once(2, &[1, 2], |item| {
        both.wait();
        Ok(item * 10)
    });
    assert_eq!(results.unwrap(), [10, 20]);
    assert_eq!(at_once(8, &[1, 2, 3], |item| Ok(*item)).unwrap(), [1, 2, 3]);
    assert!(
        at_once(1, &[1, 2], |item| if *item == 2 {
            anyhow::bail!("no")
        } else {
            Ok(())
        })
        .is_err()
    );
}
