//! The kernels of `runtime/kernels`, run on the CPU by the emulator in `emulator/` and compared, bit for bit, with the
//! order spelled out element by element. Needs a C++ compiler (`CXX`, or `g++`); without one each test says so and is skipped.

use std::{env, path::Path, process::Command};

use warpfold_tests::{Lacks, skip};

/// Compiles `emulator/<name>.cpp` and runs it; what it prints on failure is the message of the test.
fn emulate(name: &str) {
    let compiler = env::var("CXX").unwrap_or_else(|_| "g++".into());
    if let Err(error) = Command::new(&compiler).arg("--version").output() {
        return skip(
            Lacks::CxxCompiler,
            format!("{compiler}: {error}; help: install g++ or set CXX"),
        );
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("emulator")
        .join(name)
        .with_extension("cpp");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let built = Command::new(&compiler)
        .args([
            "-std=c++17",
            "-O1",
            "-ffp-contract=off",
            "-DWARPFOLD_EMULATE",
            "-Wall",
            "-Wextra",
            "-Werror",
        ])
        .args([
            "-Wno-unknown-pragmas",
            "-Wno-maybe-uninitialized",
            // Emitted specs take every argument, whether they use it or not.
            "-Wno-unused-parameter",
            "-Wno-unused-variable",
        ])
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .output()
        .expect("the compiler was there a moment ago");
    assert!(
        built.status.success(),
        "{name} does not compile:\n{}",
        String::from_utf8_lossy(&built.stderr)
    );
    let ran = Command::new(&program)
        .output()
        .expect("the program was just built");
    assert!(
        ran.status.success(),
        "{name}:\n{}",
        String::from_utf8_lossy(&ran.stderr)
    );
}

#[test]
fn swift_division_has_the_bits_of_the_slow_one() {
    emulate("division");
}

#[test]
fn rows_reduce_keeps_the_order() {
    emulate("rows_reduce");
}

#[test]
fn rows_apply_keeps_the_order() {
    emulate("rows_apply");
}

#[test]
fn rows_scan_keeps_the_order() {
    emulate("rows_scan");
}

#[test]
fn rows_filter_keeps_the_order() {
    emulate("rows_filter");
}

#[test]
fn array_scan_keeps_the_order() {
    emulate("array_scan");
}

#[test]
fn array_filter_keeps_the_order() {
    emulate("array_filter");
}

#[test]
fn columns_keep_the_order_and_exchanges_keep_to_their_groups() {
    emulate("columns");
}

#[test]
fn blocks_of_any_size_reduce_and_scan_in_order() {
    emulate("block");
}

#[test]
fn emitted_specs_keep_the_order() {
    emulate("goldens");
}

#[test]
fn rows_staged_keep_the_order() {
    emulate("rows_staged");
}

#[test]
fn scans_of_columns_keep_the_order_of_rows() {
    emulate("columns_scan");
}

#[test]
fn filters_of_segments_keep_the_order() {
    emulate("segments_filter");
}

#[test]
fn segments_keep_the_order_of_rows() {
    emulate("segments");
}

#[test]
fn shards_of_a_group_keep_the_order_and_go_on_from_each_other() {
    emulate("shard");
}
