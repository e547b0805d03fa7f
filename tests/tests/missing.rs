//! Parts of the surroundings that are missing or broken: the driver, NVRTC, the folder of compiled kernels, device memory.
//!
//! Each case runs in a process of its own, this same program with only `inner`, because what a process finds it keeps.

#![allow(clippy::float_cmp, reason = "sums of small whole numbers are exact")]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use cudarc::driver::CudaContext;
use warpfold::{Device, Error, Rows};
use warpfold_tests::check::{gpu, steps_aside};
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

/// The folder that the loader looks into first, with these files for the driver: `libcuda.so` by both its names.
fn driver_made_of(bytes: &[u8]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["libcuda.so", "libcuda.so.1"] {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

/// What `describe` says where that folder has the driver.
fn described_with_driver(folder: &Path) -> String {
    // NVRTC asks the driver too, and dies of one that lacks what it calls: `describe` shall not load it.
    let none = Path::new("none");
    run(
        "describe",
        &[
            ("LD_LIBRARY_PATH", folder),
            ("WARPFOLD_CACHE", Path::new("off")),
            ("WARPFOLD_NVRTC", none),
        ],
    )
}

/// A library of these functions; none where there is no C compiler.
fn library(source: &str) -> Option<Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("driver.c"), folder.path().join("driver.so"));
    fs::write(&from, source).unwrap();
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(compiler);
    command.args(["-shared", "-fPIC", "-o"]).arg(&to).arg(&from);
    let well = command.status().is_ok_and(|status| status.success());
    well.then(|| fs::read(to).unwrap())
}

#[test]
#[cfg(target_os = "linux")]
fn a_driver_that_is_no_library_leaves_the_cpu() {
    if watched() {
        return;
    }
    for bytes in [
        b"".as_slice(),
        b"no library",
        &[0x7f, b'E', b'L', b'F', 2, 1, 1, 0],
    ] {
        let text = described_with_driver(driver_made_of(bytes).path());
        let best = said(&text, "best: ");
        assert!(
            best.starts_with("the CPU") && best.contains("no CUDA driver"),
            "{text}"
        );
        assert!(
            said(&text, "gpu: ").starts_with("no GPU: no CUDA driver"),
            "{text}"
        );
        assert!(text.contains("install NVIDIA's driver"), "{text}");
    }
}

/// The toolkit's stand-in for the driver, whose every function gives one error, a driver without a device, a library of another
/// kind, and a driver of long ago.
#[test]
#[cfg(target_os = "linux")]
fn a_driver_that_does_not_start_leaves_the_cpu() {
    if watched() {
        return;
    }
    let functions = |names: &[&str], gives: u32| -> String {
        let one = |name: &&str| format!("int {name}(void) {{ return {gives}; }}\n");
        names.iter().map(one).collect()
    };
    let old = ["cuInit", "cuGetErrorString", "cuDeviceGetCount"];
    let all = [
        &old[..],
        &[
            "cuMemAllocAsync",
            "cuUserObjectCreate",
            "cuStreamGetCaptureInfo_v2",
        ],
    ]
    .concat();
    for (source, word) in [
        (functions(&all, 34), "STUB_LIBRARY"),
        (functions(&all, 100), "NO_DEVICE"),
        (functions(&["other"], 0), "lacks cuInit"),
        (functions(&old, 0), "older than CUDA 11.3"),
    ] {
        let Some(driver) = library(&source) else {
            return skip(Lacks::CxxCompiler, "cc makes no library");
        };
        let text = described_with_driver(driver_made_of(&driver).path());
        let best = said(&text, "best: ");
        assert!(best.starts_with("the CPU") && best.contains(word), "{text}");
        let error = said(&text, "gpu: ");
        assert!(error.starts_with("no GPU: ") && error.contains(word), "{text}");
    }
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

/// Whether compute-sanitizer watches, which would follow every process.
#[track_caller]
fn watched() -> bool {
    steps_aside("it checks kernels, none of which are new here")
}

/// Whether this machine lacks a GPU, or is watched; the test that asks is then skipped.
#[track_caller]
fn lacks_gpu() -> bool {
    watched() || gpu().is_none()
}

#[test]
fn without_nvrtc_the_cpu_serves_and_the_error_says_what_to_install() {
    if watched() {
        return;
    }
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
    if watched() {
        return;
    }
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

/// This program doing `sum` with a bound on the size of what it writes, as a full disk has one; `prelude` goes before it.
fn sum_with_small_files(folder: &Path, prelude: &str) -> std::process::Output {
    // The driver's own cache of PTX would meet the bound too.
    Command::new("sh")
        .args(["-c", &format!("{prelude} ulimit -f 8; exec \"$0\" \"$@\"")])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "inner", "--nocapture", "--test-threads=2"])
        .env(TASK, "sum")
        .env("WARPFOLD_CACHE", folder)
        .env("CUDA_CACHE_DISABLE", "1")
        .output()
        .unwrap()
}

/// Whether a folder holds files whose name ends so.
fn has(folder: &Path, extension: &str) -> bool {
    let mut files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.any(|path| path.extension().is_some_and(|it| it == extension))
}

/// A write that fails half way leaves nothing behind, and the call still gives its answer.
#[test]
#[cfg(target_os = "linux")]
fn a_full_folder_costs_only_time() {
    if lacks_gpu() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let output = sum_with_small_files(folder.path(), "trap '' XFSZ;");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("nvrtc loaded: true"),
        "{output:?}"
    );
    assert!(
        !has(folder.path(), "bin"),
        "the kernel did fit: the bound is too high"
    );
    assert!(!has(folder.path(), "part"), "half an entry is left");
    ran_on_gpu();
}

/// A process that is killed in the middle of a write leaves half an entry beside its name, which nobody takes for one.
#[test]
#[cfg(target_os = "linux")]
fn a_process_killed_while_it_writes_does_no_harm() {
    if lacks_gpu() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // The signal of the bound ends the process at the write that passes it.
    let output = sum_with_small_files(folder.path(), "");
    assert!(!output.status.success(), "it was not killed: {output:?}");
    assert!(has(folder.path(), "part") && !has(folder.path(), "bin"));
    let cache = [("WARPFOLD_CACHE", folder.path())];
    assert!(run("sum", &cache).contains("nvrtc loaded: true"));
    assert!(run("sum", &cache).contains("nvrtc loaded: false"));
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
        let children: Vec<_> = (0..50).map(|_| start("sum", &cache)).collect();
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
