//! A GPU that is newer than NVRTC: its driver gets PTX and finishes it, and where it cannot the error says what to install.
//!
//! The driver is one of the test's own, which knows such a GPU; NVRTC is the one that is here.

#![cfg(target_os = "linux")]

use std::ffi::OsString;
use std::fs;
use std::process::Command;

use warpfold::{Device, Error, Rows};
use warpfold_tests::check::steps_aside;
use warpfold_tests::specs::table::of_f32::sum;
use warpfold_tests::{Lacks, skip};

/// What the driver shall do, in the process that has it.
const TASK: &str = "WARPFOLD_TEST_OF_NEWER";

const DRIVER: &str = include_str!("driver.c");

#[test]
fn inner() {
    if std::env::var_os(TASK).is_none() {
        return;
    }
    let device = Device::gpu(0).unwrap();
    println!("on: {}", device.describe());
    let x = device.buffer(&[1.0_f32; 100]).unwrap();
    match sum::rows(Rows::new(5, 20), &x) {
        Ok(_) => println!("said: nothing"),
        Err(error) => println!(
            "said: {}{}",
            error.to_string().replace('\n', " / "),
            if matches!(error, Error::Unsupported { .. }) {
                ""
            } else {
                " (of another kind)"
            }
        ),
    }
}

/// What a process with that driver says; none where there is no C compiler.
fn with_driver(task: &str) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let (source, library) = (folder.path().join("driver.c"), folder.path().join("libcuda.so.1"));
    fs::write(&source, DRIVER).unwrap();
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(compiler);
    command
        .args(["-shared", "-fPIC", "-w", "-o"])
        .arg(&library)
        .arg(&source);
    if !command.status().is_ok_and(|status| status.success()) {
        return None;
    }
    fs::copy(&library, folder.path().join("libcuda.so")).unwrap();
    // NVRTC may be where the loader looks because the variable says so.
    let mut path = OsString::from(folder.path());
    if let Some(before) = std::env::var_os("LD_LIBRARY_PATH") {
        path.push(":");
        path.push(before);
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "inner", "--nocapture", "--test-threads=2"])
        .env(TASK, task)
        .env("LD_LIBRARY_PATH", path)
        .env("WARPFOLD_CACHE", "off")
        .output()
        .unwrap();
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("on: a GPU of tomorrow"), "{text}");
    Some(text)
}

/// Whether there is no NVRTC, or a tool watches that has its own idea of the driver.
#[track_caller]
fn lacks_nvrtc() -> bool {
    if steps_aside("it checks kernels, and the driver here runs none") {
        return true;
    }
    match warpfold::__private::compile_source("own", "__global__ void f() {}", 90) {
        Err(error @ Error::NoNvrtc { .. }) => {
            skip(Lacks::Nvrtc, error);
            true
        }
        _ => false,
    }
}

#[test]
fn a_driver_that_finishes_ptx_runs_it() {
    if lacks_nvrtc() {
        return;
    }
    let Some(text) = with_driver("finishes") else {
        return skip(Lacks::CxxCompiler, "cc makes no library");
    };
    assert!(text.contains("launched 1 blocks of 256"), "{text}");
    assert!(text.contains("said: nothing"), "{text}");
}

#[test]
fn a_driver_that_does_not_is_told_of_with_what_to_install() {
    if lacks_nvrtc() {
        return;
    }
    let Some(text) = with_driver("refuses") else {
        return skip(Lacks::CxxCompiler, "cc makes no library");
    };
    for part in [
        "said: `sum`: NVRTC ",
        " knows no sm_990, and the driver does not finish its PTX for sm_",
        "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
        "/ help: install a newer NVRTC",
    ] {
        assert!(text.contains(part), "{part}\nin {text}");
    }
    assert!(!text.contains("of another kind"), "{text}");
}
