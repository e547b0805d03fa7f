//! What the first call of a kernel costs: one that is compiled, and one that a new process finds on the disk.
//!
//! Each is measured in a process of its own, this program started again with [`CHILD`] set, because what a process has
//! compiled it keeps.

use std::path::Path;
use std::process::Command;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};
use warpfold::__private::compile_source;
use warpfold::{Device, Rows};

use crate::contest::median;
use crate::ours::specs;

/// The variable that says what such a process measures: `cold` or `warm`.
pub const CHILD: &str = "WARPFOLD_BENCH_FIRST";

/// New processes that take a kernel from the disk.
const STARTS: usize = 7;
/// New processes that compile everything.
const COLD_STARTS: usize = 5;

fn words(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// The times of first calls, in ms.
///
/// # Errors
/// When such a process does not end well.
pub fn measure() -> Result<Value, String> {
    let cold = (0..COLD_STARTS)
        .map(|_| start("cold", Path::new("off")))
        .collect::<Result<Vec<_>, _>>()?;
    let (mut cold, mut over) = (middle(&cold, "took_ms"), middle(&cold, "over_empty"));
    let empty = cold.remove("empty_kernel");
    over.remove("empty_kernel");
    let folder = std::env::temp_dir().join(format!("warpfold-first-{}", std::process::id()));
    start("warm", &folder)?;
    let warm = (0..STARTS)
        .map(|_| start("warm", &folder))
        .collect::<Result<Vec<_>, _>>();
    // Whatever came of it, nothing stays behind.
    let _ = std::fs::remove_dir_all(&folder);
    let warm = warm?;
    let times: Vec<f64> = warm.iter().filter_map(|said| said["first_ms"].as_f64()).collect();
    let loaded = warm.iter().any(|said| said["nvrtc_loaded"] != false);
    Ok(json!({
        "empty_kernel_ms": empty,
        "compiled_ms": cold,
        "compiled_over_empty": over,
        "from_disk_ms": median(&times),
        "from_disk_loads_nvrtc": loaded,
    }))
}

/// Of each kernel the median of what the processes say of it under a name.
fn middle(said: &[Map<String, Value>], name: &str) -> Map<String, Value> {
    let kernels = said.first().and_then(|first| first[name].as_object());
    let of = |kernel: &String| {
        let times: Vec<f64> = said
            .iter()
            .filter_map(|said| said[name][kernel].as_f64())
            .collect();
        (kernel.clone(), median(&times).into())
    };
    kernels.into_iter().flat_map(Map::keys).map(of).collect()
}

/// Starts this program as a process that measures `task`, its compiled kernels in `cache`; gives what it says.
fn start(task: &str, cache: &Path) -> Result<Map<String, Value>, String> {
    let program = std::env::current_exe().map_err(words)?;
    let output = Command::new(program)
        .env(CHILD, task)
        .env("WARPFOLD_CACHE", cache)
        // Beside a driver, NVRTC from 13 on finds there what it made of a source, whichever program asked for it.
        .env("CUDA_CACHE_DISABLE", "1")
        .output()
        .map_err(words)?;
    let said = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        return Err(format!(
            "the process for {task} ends with {}: {error}",
            output.status
        ));
    }
    serde_json::from_str(&said).map_err(|error| format!("{task}: {error} in {said}"))
}

/// What the process for a task measures, as JSON.
///
/// # Errors
/// When there is no GPU, or a call fails.
pub fn child(task: &str) -> Result<String, String> {
    let device = Device::gpu(0).map_err(words)?;
    let said = if task == "warm" {
        let x = device.buffer(&vec![1.0_f32; 8205 * 32]).map_err(words)?;
        device.synchronize().map_err(words)?;
        let shape = Rows::new(8205, 20).stride(32);
        let first = ms(|| specs::max::rows(shape, &x).map(drop))?;
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
        json!({"first_ms": first, "nvrtc_loaded": maps.contains("libnvrtc")})
    } else {
        compiled(&device)?
    };
    Ok(said.to_string())
}

/// What NVRTC is asked for to know what it takes at least: an empty kernel of a name that nobody asked for before.
/// Beside a driver, NVRTC from 13 on keeps what it made of a source and makes the same one again in half the time.
fn empty_kernel() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("extern \"C\" __global__ void wf_empty_{}() {{}}", now.as_nanos())
}

/// How long a call takes, in ms.
fn ms(call: impl FnOnce() -> Result<(), warpfold::Error>) -> Result<f64, String> {
    let begin = Instant::now();
    call().map_err(words)?;
    Ok(1e3 * begin.elapsed().as_secs_f64())
}

/// First calls that compile, each of another kernel. A second call of each takes some µs, so that they stand for the compiler,
/// our own work before it and the driver's loading.
fn compiled(device: &Device) -> Result<Value, String> {
    let stream = device.stream().ok_or("the device is no GPU")?;
    let (major, minor) = stream.context().compute_capability().map_err(words)?;
    let arch = 10 * major + minor;
    // The first of all loads the library.
    compile_source("empty", &empty_kernel(), arch).map_err(words)?;
    let empty = || {
        let source = empty_kernel();
        ms(|| compile_source("empty", &source, arch).map(drop))
    };
    let (mut took, mut over, mut empties) = (Map::new(), Map::new(), Vec::new());

    let x = device.buffer(&vec![1.0_f32; 1 << 20]).map_err(words)?;
    let large = device.buffer(&vec![1.0_f32; 1 << 23]).map_err(words)?;
    let rows = |cols: usize| Rows::new((1 << 20) / cols, cols);
    let mut first = |name: &str, call: &dyn Fn() -> Result<(), warpfold::Error>| {
        // Beside each kernel the empty one, before and after: a slow moment of the machine falls on both.
        let before = [empty()?, empty()?];
        let ms = ms(call)?;
        let beside = [before[0], before[1], empty()?, empty()?];
        took.insert(name.to_owned(), ms.into());
        over.insert(name.to_owned(), (ms / median(&beside)).into());
        empties.extend(beside);
        Ok::<(), String>(())
    };
    first("row_max_20", &|| specs::max::rows(rows(20), &x).map(drop))?;
    first("row_sum_1000", &|| specs::sum::rows(rows(1000), &x).map(drop))?;
    first("row_softmax_1024", &|| {
        specs::softmax::rows(rows(1024), &x).map(drop)
    })?;
    first("row_running_sum_4096", &|| {
        specs::running_sum::rows(rows(4096), &x).map(drop)
    })?;
    first("array_sum", &|| specs::sum::array(&large).map(drop))?;
    first("array_running_sum", &|| {
        specs::running_sum::array(&large).map(drop)
    })?;
    first("array_filter", &|| specs::below::array(&large, 0.0).map(drop))?;
    took.insert("empty_kernel".to_owned(), median(&empties).into());
    Ok(json!({"took_ms": took, "over_empty": over}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_empty_kernels_are_the_same() {
        let first = empty_kernel();
        std::thread::sleep(std::time::Duration::from_millis(1));
        assert_ne!(first, empty_kernel());
    }
}
