//! What a launch costs the host: many small ones through warpfold, beside the same through cudarc's own builder and bare.
//!
//! 8,205 rows of 20 in a stride of 32. All enqueue on one stream; the host's clock runs while a batch is enqueued
//! behind a kernel that keeps the GPU busy, so that none waits for the GPU. Also the time of each on the GPU, alone
//! and inside a CUDA graph, and what first calls cost, compiled and from the disk (`first_calls`, in ms). Writes `launches.json` where `WARPFOLD_RESULTS` says, and prints it.

use std::ffi::{CString, c_void};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use cudarc::driver::{CudaFunction, CudaSlice, DevicePtr, DevicePtrMut, LaunchConfig, PushKernelArg, result};
use cudarc::nvrtc::{CompileOptions, compile_ptx_with_opts};
use warpfold::Rows;
use warpfold_benches::contest::median;
use warpfold_benches::first;
use warpfold_benches::gpu::{Card, Launch};
use warpfold_benches::ours::specs;

const ROWS: usize = 8205;
const COLUMNS: usize = 20;
const STRIDE: usize = 32;
/// Launches in a batch: fewer than a stream takes before the host has to wait.
const BATCH: u32 = 200;
const BATCHES: usize = 25;

/// What a user would write by hand: a warp a row.
const BY_HAND: &str = r#"
extern "C" __global__ void row_max(const float* x, float* out, unsigned rows, unsigned columns, unsigned stride) {
    unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float state = lane < columns ? x[row * stride + lane] : __int_as_float(0xff800000);
    for (int k = 16; k > 0; k /= 2) state = fmaxf(state, __shfl_down_sync(0xffffffffu, state, k));
    if (lane == 0) out[row] = state;
}
"#;

fn main() -> ExitCode {
    let said = match std::env::var(first::CHILD) {
        Ok(task) => first::child(&task),
        Err(_) => run(),
    };
    match said {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<String, String> {
    let card = Card::first()?;
    let x: CudaSlice<f32> = card.make(ROWS * STRIDE, 0, 1.0, 0.0)?;
    let ways = [
        ("warpfold", warpfold(&card, x.clone())?),
        ("cudarc", by_hand(&card, x.clone(), false)?),
        ("bare", by_hand(&card, x, true)?),
    ];
    let mut report = serde_json::Map::new();
    report.insert("card".to_owned(), card.name()?.into());
    let mut host: Vec<Vec<f64>> = vec![Vec::new(); ways.len()];
    let mut ways = ways;
    for _ in 0..BATCHES {
        // In turn, so that a slow moment of the machine falls on both.
        for ((_, launch), times) in ways.iter_mut().zip(&mut host) {
            times.push(batch(&card, launch)?);
        }
    }
    for ((name, launch), times) in ways.into_iter().zip(host) {
        let mut alone = card.ready(launch, false)?;
        let gpu = median(&card.time(&mut alone, 30)?);
        let mut graph = card.ready(alone.into_launch(), true)?;
        let in_graph = median(&card.time(&mut graph, 30)?);
        let numbers =
            serde_json::json!({"host_us": median(&times), "gpu_us": gpu, "gpu_in_graph_us": in_graph});
        report.insert(name.to_owned(), numbers);
    }
    report.insert("first_calls".to_owned(), first::measure()?);
    let text = serde_json::to_string_pretty(&report).map_err(|error| error.to_string())?;
    let folder = std::env::var_os("WARPFOLD_RESULTS").map_or_else(|| PathBuf::from("results"), PathBuf::from);
    let path = folder.join("launches.json");
    std::fs::write(&path, text.clone() + "\n").map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(text)
}

/// Host time of one launch in a batch, in µs.
fn batch(card: &Card, launch: &mut Launch) -> Result<f64, String> {
    launch()?;
    card.synchronize()?;
    card.spin()?;
    let begin = Instant::now();
    (0..BATCH).try_for_each(|_| launch())?;
    let us = 1e6 * begin.elapsed().as_secs_f64() / f64::from(BATCH);
    card.synchronize()?;
    Ok(us)
}

fn warpfold(card: &Card, x: CudaSlice<f32>) -> Result<Launch, String> {
    let mut out = card
        .stream
        .alloc_zeros::<f32>(ROWS)
        .map_err(|error| format!("{error:?}"))?;
    let shape = Rows::new(ROWS, COLUMNS).stride(STRIDE);
    Ok(Box::new(move || {
        specs::max::rows_into(shape, &x, &mut out).map_err(|error| error.to_string())
    }))
}

/// The kernel written by hand: by cudarc's builder, or `bare` by the driver's function alone, all that it takes at hand.
fn by_hand(card: &Card, x: CudaSlice<f32>, bare: bool) -> Result<Launch, String> {
    let words = |error: cudarc::driver::DriverError| format!("{error:?}");
    let options = CompileOptions {
        arch: Some("compute_75"),
        ..CompileOptions::default()
    };
    let kernel = compile_ptx_with_opts(BY_HAND, options).map_err(|error| format!("{error:?}"))?;
    let text = CString::new(kernel.to_src()).map_err(|error| error.to_string())?;
    let module = card.stream.context().load_module(kernel).map_err(words)?;
    let function: CudaFunction = module.load_function("row_max").map_err(words)?;
    let mut out = card.stream.alloc_zeros::<f32>(ROWS).map_err(words)?;
    let stream = card.stream.clone();
    let (rows, columns, stride) = (ROWS as u32, COLUMNS as u32, STRIDE as u32);
    let grid = LaunchConfig {
        grid_dim: (rows.div_ceil(8), 1, 1),
        block_dim: (256, 1, 1),
        shared_mem_bytes: 0,
    };
    if bare {
        // SAFETY: NVRTC's PTX is text that ends with NUL; loading the kernels made the context current on this thread.
        let module = unsafe { result::module::load_data(text.as_ptr().cast()) }.map_err(words)?;
        // SAFETY: the module was just loaded, and is never unloaded.
        let function = unsafe { result::module::get_function(module, c"row_max".into()) }.map_err(words)?;
        let (mut from, mut to) = (x.device_ptr(&stream).0, out.device_ptr_mut(&stream).0);
        let (mut rows, mut columns, mut stride) = (rows, columns, stride);
        return Ok(Box::new(move || {
            let _held = (&x, &out);
            let mut parameters: [*mut c_void; 5] = [
                (&raw mut from).cast(),
                (&raw mut to).cast(),
                (&raw mut rows).cast(),
                (&raw mut columns).cast(),
                (&raw mut stride).cast(),
            ];
            let (blocks, threads) = (grid.grid_dim, grid.block_dim);
            // SAFETY: as below; both arrays are held and the context is current on this, the only thread.
            let launched = unsafe {
                result::launch_kernel(function, blocks, threads, 0, stream.cu_stream(), &mut parameters)
            };
            launched.map_err(words)
        }));
    }
    Ok(Box::new(move || {
        let mut builder = stream.launch_builder(&function);
        builder
            .arg(&x)
            .arg(&mut out)
            .arg(&rows)
            .arg(&columns)
            .arg(&stride);
        // SAFETY: the kernel reads `rows` rows of `stride` elements, which the input has, and writes `rows` results;
        // its parameters have these types in this order.
        unsafe { builder.launch(grid) }.map(drop).map_err(words)
    }))
}
