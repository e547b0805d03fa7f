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

use cudarc::driver::CudaContext;
use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use warpfold::{Device, Error, Rows};
use warpfold_tests::data::random;
use warpfold_tests::specs::{apply, custom, filters, scans, table};
use warpfold_tests::{Lacks, ran_on_gpu, skip};

#[test]
fn a_captured_call_runs_again() {
    if let Err(error) = Device::gpu(0) {
        let lacks = if matches!(error, Error::NoNvrtc { .. }) {
            Lacks::Nvrtc
        } else {
            Lacks::Gpu
        };
        return skip(lacks, error);
    }
    let faults = run().expect("the driver does as asked");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    ran_on_gpu();
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
        let mut enqueue = |x: &cudarc::driver::CudaSlice<f32>| {
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
