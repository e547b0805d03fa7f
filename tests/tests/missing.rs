//! Parts of the surroundings that are missing or broken: NVRTC, the folder of compiled kernels, device memory.
//!
//! Each case runs in a process of its own, this same program with only `inner`, because what a process finds it keeps.

#![allow(clippy::float_cmp, reason = "sums of small whole numbers are exact")]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use cudarc::driver::CudaContext;
use warpfold::{Device, Error, Rows};
use warpfold_tests::specs::table::of_f32::sum;
use warpfold_tests::{Lacks, ran_on_gpu, skip};

/// What `inner` shall do.
const TASK: &str = "WARPFOLD_TEST_OF_MISSING";

#[test]
fn inner() {
    match std::env::var(TASK).as_deref() {
        Ok("describe") => describe(),
        Ok("sum") => sum_on_the_gpu(),
        Ok("exhaust") => exhaust_memory(),
        _ => (),
    }
}

/// Says what this process finds.
fn describe() {
    println!("best: {}", Device::best().unwrap().describe());
    match Device::gpu(0) {
        Ok(device) => println!("gpu: {}", device.describe()),
        Err(error) => println!("gpu: {error}"),
    }
    if let Err(error) = warpfold::__private::compile_source("own", "__global__ void f() {}", 90) {
        println!("compile: {error}");
    }
}

/// One reduction on the GPU: its answer, its time, and whether NVRTC was loaded.
fn sum_on_the_gpu() {
    let device = Device::gpu(0).unwrap();
    let x = device.buffer(&vec![1.0_f32; 3 * 40]).unwrap();
    device.synchronize().unwrap();
    let start = Instant::now();
    let sums = sum::rows(Rows::new(3, 40), &x).unwrap();
    let ms = start.elapsed().as_secs_f64() * 1e3;
    assert_eq!(sums.to_vec().unwrap(), [40.0; 3]);
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    println!(
        "first call {ms:.3} ms, nvrtc loaded: {}",
        maps.contains("libnvrtc")
    );
}

#[warpfold::warp_scan(op = sum)]
fn bytes(x: u8) -> u64 {
    x as u64
}

/// Asks for more results than any device holds, then for some that it does. Other tests run beside this one, so the
/// device's memory is not filled up for it.
fn exhaust_memory() {
    let device = Device::gpu(0).unwrap();
    let context = CudaContext::new(0).unwrap();
    let stream = context.new_stream().unwrap();
    let (_, total) = context.mem_get_info().unwrap();
    // With 8 bytes an element the results alone need more than all there is.
    let x = stream.alloc_zeros::<u8>(total / 8 + 1).unwrap();
    let error = bytes::array(&x).unwrap_err();
    assert!(matches!(error, Error::Driver(_)), "{error}");
    println!("refused: {error}");
    let few = device.buffer(&[1_u8; 1000]).unwrap();
    assert_eq!(bytes::array(&few).unwrap().to_vec().unwrap()[999], 1000);
    println!("went on");
}

/// This program with only `inner`, doing `task`, with `variables` set.
fn start(task: &str, variables: &[(&str, &Path)]) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "inner", "--nocapture", "--test-threads=2"])
        .env(TASK, task)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    for (name, value) in variables {
        command.env(name, value);
    }
    command.spawn().unwrap()
}

/// What such a run printed; it must have ended well.
fn output(child: Child) -> String {
    let output = child.wait_with_output().unwrap();
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    text
}

fn run(task: &str, variables: &[(&str, &Path)]) -> String {
    output(start(task, variables))
}

/// The rest of the line of `text` that begins with `key`.
fn said<'a>(text: &'a str, key: &str) -> &'a str {
    text.lines()
        .find_map(|line| line.split_once(key).map(|(_, rest)| rest))
        .unwrap_or_else(|| panic!("nothing on {key:?} in\n{text}"))
}

/// Whether this machine lacks a GPU; the test that asks is then skipped.
#[track_caller]
fn lacks_gpu() -> bool {
    match Device::gpu(0) {
        Ok(_) => false,
        Err(error) => {
            let lacks = if matches!(error, Error::NoNvrtc { .. }) {
                Lacks::Nvrtc
            } else {
                Lacks::Gpu
            };
            skip(lacks, error);
            true
        }
    }
}

#[test]
fn without_nvrtc_the_cpu_serves_and_the_error_says_what_to_install() {
    let folder = tempfile::tempdir().unwrap();
    let text = run(
        "describe",
        &[
            ("WARPFOLD_NVRTC", &folder.path().join("libnvrtc.so")),
            ("WARPFOLD_CACHE", folder.path()),
        ],
    );
    assert!(said(&text, "best: ").starts_with("the CPU"), "{text}");
    let compile = said(&text, "compile: ");
    assert!(compile.contains("NVRTC"), "{text}");
    assert!(text.contains("nvidia-cuda-nvrtc"), "{text}");
}

#[test]
fn a_file_that_is_no_library_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("libnvrtc.so");
    fs::write(&file, "no library").unwrap();
    let text = run(
        "describe",
        &[("WARPFOLD_NVRTC", &file), ("WARPFOLD_CACHE", folder.path())],
    );
    assert!(said(&text, "best: ").starts_with("the CPU"), "{text}");
    assert!(
        said(&text, "compile: ").contains(file.to_str().unwrap()),
        "{text}"
    );
}

#[test]
fn a_warm_start_does_not_load_nvrtc() {
    if lacks_gpu() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let cache = [("WARPFOLD_CACHE", folder.path())];
    let cold = run("sum", &cache);
    assert!(cold.contains("nvrtc loaded: true"), "{cold}");
    let warm = run("sum", &cache);
    assert!(warm.contains("nvrtc loaded: false"), "{warm}");
    println!(
        "cold: {}warm: {}",
        said(&cold, "first call"),
        said(&warm, "first call")
    );
    ran_on_gpu();
}

#[test]
fn damaged_entries_are_compiled_again() {
    if lacks_gpu() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let cache = [("WARPFOLD_CACHE", folder.path())];
    run("sum", &cache);
    let kernels = || {
        let files = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().path());
        files
            .filter(|path| path.extension().is_some_and(|it| it == "bin"))
            .collect::<Vec<_>>()
    };
    let first = kernels();
    assert!(!first.is_empty());
    for (path, keep) in first.iter().zip([7, 100, 0].into_iter().cycle()) {
        let bytes = fs::read(path).unwrap();
        fs::write(path, &bytes[..keep]).unwrap();
        // What a process that was killed while it wrote leaves behind.
        fs::write(path.with_extension("bin.1-0.part"), &bytes[..keep]).unwrap();
    }
    let again = run("sum", &cache);
    assert!(again.contains("nvrtc loaded: true"), "{again}");
    assert!(
        run("sum", &cache).contains("nvrtc loaded: false"),
        "the entries are whole again"
    );
    ran_on_gpu();
}

#[test]
fn a_folder_that_cannot_be_written_costs_only_time() {
    if lacks_gpu() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a file");
    fs::write(&file, "").unwrap();
    for cache in [file.join("below"), "/proc/cannot-be".into(), "off".into()] {
        let text = run("sum", &[("WARPFOLD_CACHE", &cache)]);
        assert!(text.contains("nvrtc loaded: true"), "{text}");
    }
    ran_on_gpu();
}

#[test]
fn many_processes_share_a_folder() {
    if lacks_gpu() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let cache = [("WARPFOLD_CACHE", folder.path())];
    for _ in 0..2 {
        let children: Vec<_> = (0..25).map(|_| start("sum", &cache)).collect();
        for child in children {
            output(child);
        }
    }
    let left = fs::read_dir(folder.path()).unwrap().filter(|entry| {
        entry
            .as_ref()
            .unwrap()
            .path()
            .extension()
            .is_some_and(|it| it == "part")
    });
    assert_eq!(left.count(), 0, "half-written entries are left");
    ran_on_gpu();
}

#[test]
fn without_room_for_results_a_call_is_refused_and_the_next_one_runs() {
    if lacks_gpu() {
        return;
    }
    let text = run("exhaust", &[]);
    assert!(
        said(&text, "refused: ").to_lowercase().contains("memory"),
        "{text}"
    );
    assert!(text.contains("went on"), "{text}");
    ran_on_gpu();
}
