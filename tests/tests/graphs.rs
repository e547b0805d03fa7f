//! Calls captured in a CUDA graph, which runs them again on other values.

#![allow(
    clippy::cast_lossless,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::float_cmp,
    clippy::many_single_char_names,
    clippy::too_many_lines,
    clippy::type_complexity,
    reason = "tests compute what is wanted another way, with numbers of every type side by side"
)]

use std::sync::Arc;

use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode, cuGraphGetNodes};
use cudarc::driver::{CudaContext, CudaGraph, CudaSlice, CudaStream};
use warpfold::{Error, Rows};
use warpfold_tests::check::{Alone, gpu};
use warpfold_tests::data::random;
use warpfold_tests::ran_on_gpu;
use warpfold_tests::specs::{apply, custom, filters, scans, table};

/// Runs a test where there is a GPU; it gives what it found wrong.
fn on_gpu(test: impl Fn() -> Result<Vec<String>, Error>) {
    let _alone = Alone::new();
    if gpu().is_none() {
        return;
    }
    let faults = test().expect("the driver does as asked");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    ran_on_gpu();
}

#[test]
fn a_captured_call_runs_again() {
    on_gpu(run);
}

#[test]
fn a_captured_call_over_an_array_is_one_kernel() {
    on_gpu(nodes);
}

#[test]
fn a_prepared_call_is_captured_at_once() {
    on_gpu(prepared);
}

#[test]
fn graphs_run_beside_each_other_and_beside_calls() {
    on_gpu(side_by_side);
}

/// A graph of what `enqueue` enqueues; what compiles its kernels is not captured.
fn capture(
    stream: &Arc<CudaStream>,
    mut enqueue: impl FnMut() -> Result<(), Error>,
) -> Result<Option<CudaGraph>, Error> {
    enqueue()?;
    capture_only(stream, enqueue)
}

/// The same of kernels that are compiled already.
fn capture_only(
    stream: &Arc<CudaStream>,
    enqueue: impl FnOnce() -> Result<(), Error>,
) -> Result<Option<CudaGraph>, Error> {
    stream.synchronize()?;
    stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)?;
    let captured = enqueue();
    let graph = stream.end_capture(CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
    captured?;
    Ok(graph?)
}

fn nodes() -> Result<Vec<String>, Error> {
    let mut faults = Vec::new();
    let context = CudaContext::new(0)?;
    // SAFETY: one stream is used for everything in this process's context, one test after the other or each its own.
    unsafe { context.disable_event_tracking() };
    let stream = context.new_stream()?;
    for n in [1_usize, 1000, 1 << 16, 1 << 20, 200_003, 5_000_003] {
        let x = stream.clone_htod(&random::<f32>(7, n))?;
        let mut total = stream.alloc_zeros::<f32>(1)?;
        let mut running = stream.alloc_zeros::<f32>(n)?;
        let mut kept = stream.alloc_zeros::<f32>(n)?;
        let mut at = stream.alloc_zeros::<u64>(n)?;
        let mut count = stream.alloc_zeros::<u64>(1)?;
        let mut count_again = stream.alloc_zeros::<u64>(1)?;
        let graphs = [
            (
                "reduce",
                capture(&stream, || table::of_f32::sum::array_into(&x, &mut total))?,
            ),
            (
                "scan",
                capture(&stream, || scans::sums::array_into(&x, &mut running))?,
            ),
            (
                "filter",
                capture(&stream, || {
                    filters::positive::array_into(&x, &mut kept, &mut count)
                })?,
            ),
            (
                "indices",
                capture(&stream, || {
                    filters::positive::indices_into(&x, &mut at, &mut count_again)
                })?,
            ),
        ];
        for (name, graph) in &graphs {
            let Some(graph) = graph else {
                faults.push(format!("{name} of {n}: no graph"));
                continue;
            };
            let mut nodes = 0;
            // SAFETY: the graph is alive; without a place for them the driver gives the number of nodes alone.
            let asked = unsafe { cuGraphGetNodes(graph.cu_graph(), std::ptr::null_mut(), &raw mut nodes) };
            asked.result()?;
            if nodes != 1 {
                faults.push(format!("{name} of {n}: {nodes} nodes, want the kernel alone"));
            }
        }
    }
    Ok(faults)
}

/// Calls that are captured before they ever ran: what they need is prepared.
fn prepared() -> Result<Vec<String>, Error> {
    let mut faults = Vec::new();
    let context = CudaContext::new(0)?;
    // SAFETY: one stream is used for everything here.
    unsafe { context.disable_event_tracking() };
    let stream = context.new_stream()?;
    for n in [77_777_usize, 300_000] {
        let shape = Rows::new(1, n);
        table::of_f32::min::prepare(&context, shape)?;
        scans::offsets::prepare(&context, shape)?;
        filters::odd_bytes::prepare(&context, shape)?;
        let (floats, counts, bytes) = (random::<f32>(1, n), random::<u32>(2, n), random::<u8>(3, n));
        let (x, y, z) = (
            stream.clone_htod(&floats)?,
            stream.clone_htod(&counts)?,
            stream.clone_htod(&bytes)?,
        );
        let mut least = stream.alloc_zeros::<f32>(1)?;
        let mut before = stream.alloc_zeros::<u32>(n)?;
        let mut kept = stream.alloc_zeros::<u8>(n)?;
        let mut count = stream.alloc_zeros::<u64>(1)?;
        let graph = capture_only(&stream, || {
            table::of_f32::min::array_into(&x, &mut least)?;
            scans::offsets::array_into(&y, &mut before)?;
            filters::odd_bytes::array_into(&z, &mut kept, &mut count)
        })?;
        let Some(graph) = graph else {
            faults.push(format!("{n}: no graph"));
            continue;
        };
        for _ in 0..2 {
            graph.launch()?;
        }
        let want = filters::odd_bytes::array(&bytes)?;
        let length = stream.clone_dtoh(&count)?[0] as usize;
        let right = stream.clone_dtoh(&least)?[0] == table::of_f32::min::array(&floats)?
            && stream.clone_dtoh(&before)? == scans::offsets::array(&counts)?
            && stream.clone_dtoh(&kept)?[..length.min(n)] == want[..];
        if !right {
            faults.push(format!("{n}: other results than the CPU's"));
        }
    }
    Ok(faults)
}

/// Two graphs on two streams, calls on a third, and graphs that come and go, all at once.
fn side_by_side() -> Result<Vec<String>, Error> {
    let mut faults = Vec::new();
    let context = CudaContext::new(0)?;
    // SAFETY: every slice below is used on the stream that it was made on.
    unsafe { context.disable_event_tracking() };
    let n = 1_000_003;
    let streams = [
        context.new_stream()?,
        context.new_stream()?,
        context.new_stream()?,
    ];
    let hosts: Vec<Vec<f32>> = (0..3).map(|k| random(k, n)).collect();
    let mut inputs = Vec::new();
    let mut outputs: Vec<CudaSlice<f32>> = Vec::new();
    for (stream, host) in streams.iter().zip(&hosts) {
        inputs.push(stream.clone_htod(host)?);
        outputs.push(stream.alloc_zeros::<f32>(n)?);
    }
    let call =
        |k: usize, outputs: &mut Vec<CudaSlice<f32>>| scans::sums::array_into(&inputs[k], &mut outputs[k]);
    for round in 0..3 {
        let graphs = [
            capture(&streams[0], || call(0, &mut outputs))?,
            capture(&streams[1], || call(1, &mut outputs))?,
        ];
        for output in &mut outputs {
            let stream = Arc::clone(output.stream());
            stream.memset_zeros(output)?;
        }
        for _ in 0..50 {
            for graph in graphs.iter().flatten() {
                graph.launch()?;
            }
            call(2, &mut outputs)?;
        }
        // The graphs go while they may still run: their memory must not serve others before they are done.
        drop(graphs);
        for ((stream, host), output) in streams.iter().zip(&hosts).zip(&outputs) {
            let got = stream.clone_dtoh(output)?;
            let want = scans::sums::array(host)?;
            if got.iter().zip(&want).any(|(a, b)| a.to_bits() != b.to_bits()) {
                faults.push(format!("round {round}: other bits than the CPU's"));
            }
        }
    }
    Ok(faults)
}

fn run() -> Result<Vec<String>, Error> {
    let mut faults = Vec::new();
    let context = CudaContext::new(0)?;
    // SAFETY: one stream is used for everything in this process, so no event has to order slices between streams.
    unsafe { context.disable_event_tracking() };
    let stream = context.new_stream()?;
    for (rows, cols) in [(40, 20), (3, 5000), (1, 200_003)] {
        let (n, shape) = (rows * cols, Rows::new(rows, cols));
        let mut x = stream.alloc_zeros::<f32>(n)?;
        let ones = stream.clone_htod(&vec![1.0_f32; cols])?;
        let mut sums = stream.alloc_zeros::<f32>(rows)?;
        let mut ordered = stream.alloc_zeros::<f32>(rows)?;
        let mut total = stream.alloc_zeros::<f32>(1)?;
        let mut scanned = stream.alloc_zeros::<f32>(n)?;
        let mut running = stream.alloc_zeros::<f32>(n)?;
        let mut normal = stream.alloc_zeros::<f32>(n)?;
        let mut kept = stream.alloc_zeros::<f32>(n)?;
        let mut count = stream.alloc_zeros::<u64>(1)?;
        let mut enqueue = |x: &CudaSlice<f32>| {
            table::of_f32::sum::rows_into(shape, x, &mut sums)?;
            custom::sum_in_order::rows_into(shape, x, &mut ordered)?;
            table::of_f32::sum::array_into(x, &mut total)?;
            scans::sums::rows_into(shape, x, &mut scanned)?;
            scans::sums::array_into(x, &mut running)?;
            apply::rms_norm::rows_into(shape, x, &ones, 0.5, &mut normal)?;
            filters::positive::array_into(x, &mut kept, &mut count)
        };
        // A first call compiles.
        enqueue(&x)?;
        stream.synchronize()?;
        stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)?;
        let captured = enqueue(&x);
        let graph =
            stream.end_capture(CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
        if let Err(error) = captured {
            faults.push(format!("{shape:?}: not captured: {error}"));
            continue;
        }
        let Some(graph) = graph? else {
            faults.push(format!("{shape:?}: no graph"));
            continue;
        };
        for round in 0..4 {
            let host: Vec<f32> = random(round, n);
            stream.memcpy_htod(&host, &mut x)?;
            graph.launch()?;
            stream.synchronize()?;
            let mut same = |name: &str, got: Vec<f32>, want: &[f32]| {
                let bits = |x: &[f32]| x.iter().map(|x| x.to_bits()).collect::<Vec<u32>>();
                if bits(&got) != bits(want) {
                    faults.push(format!(
                        "{name} over {shape:?}, launch {round}: other bits than the CPU's"
                    ));
                }
            };
            same(
                "sum",
                stream.clone_dtoh(&sums)?,
                &table::of_f32::sum::rows(shape, &host)?,
            );
            same(
                "sum in order",
                stream.clone_dtoh(&ordered)?,
                &custom::sum_in_order::rows(shape, &host)?,
            );
            same(
                "sum of all",
                stream.clone_dtoh(&total)?,
                &[table::of_f32::sum::array(&host)?],
            );
            same(
                "scan",
                stream.clone_dtoh(&scanned)?,
                &scans::sums::rows(shape, &host)?,
            );
            same(
                "scan of all",
                stream.clone_dtoh(&running)?,
                &scans::sums::array(&host)?,
            );
            same(
                "apply",
                stream.clone_dtoh(&normal)?,
                &apply::rms_norm::rows(shape, &host, &vec![1.0; cols], 0.5)?,
            );
            let want = filters::positive::array(&host)?;
            let kept_now = stream.clone_dtoh(&kept)?;
            let length = stream.clone_dtoh(&count)?[0] as usize;
            same("filter", kept_now[..length.min(n)].to_vec(), &want);
        }
    }
    Ok(faults)
}
