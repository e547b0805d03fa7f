//! What an operation runs on a GPU, what that needs and how long it takes.

use std::error::Error;
use std::sync::Arc;

use cudarc::driver::CudaContext;
use cudarc::driver::sys::{CUdevice_attribute as Attribute, CUevent_flags};
use warpfold::prelude::*;

use super::operation::{Operation, argmax, cumsum, keep_positive, log_sum_exp, max, softmax, sum, variance};

/// Prints the plan, the CUDA C++, the kernel's registers and occupancy, the bytes and the time.
///
/// `rate` is what the card moves, in GB/s; where it is not given and there is a GPU, a copy is timed.
pub fn explain(
    device: &Device,
    operation: Operation,
    rows: usize,
    cols: usize,
    rate: Option<f64>,
) -> Result<(), Box<dyn Error>> {
    // What is wrong is said before two thousand lines are printed, and not below them.
    let bytes = bytes(operation, rows, cols).ok_or_else(|| {
        format!(
            "{rows} rows of {cols} are more bytes than 64 bits count\nhelp: pass smaller --rows and --cols"
        )
    })?;
    if let Some(rate) = rate.filter(|&rate| rate.is_nan() || rate <= 0.0) {
        return Err(format!("a rate of {rate} GB/s moves nothing\nhelp: pass --rate 4000").into());
    }
    let shape = Rows::new(rows, cols);
    let context = device.stream().map(|stream| Arc::clone(stream.context()));
    macro_rules! spec {
        ($spec:ident) => {{
            println!("{}\n{}", $spec::plan(), $spec::cuda());
            match &context {
                Some(context) => Some($spec::cost(context, shape)?),
                None => None,
            }
        }};
    }
    let cost = match operation {
        Operation::Max => spec!(max),
        Operation::Sum => spec!(sum),
        Operation::Argmax => spec!(argmax),
        Operation::LogSumExp => spec!(log_sum_exp),
        Operation::Variance => spec!(variance),
        Operation::Softmax => spec!(softmax),
        Operation::Cumsum => spec!(cumsum),
        Operation::KeepPositive => spec!(keep_positive),
    };
    match (&cost, &context) {
        (Some(cost), Some(context)) => {
            let most = context.attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR)?;
            let resident = cost.blocks_per_multiprocessor * cost.threads;
            println!("kernel: {cost}");
            println!(
                "occupancy: {resident} of {most} threads a multiprocessor, {:.0} %",
                100.0 * f64::from(resident) / f64::from(most)
            );
        }
        _ => println!("kernel: not known without a GPU; this is {}", device.describe()),
    }
    println!("bytes moved: {bytes}, each element and each result once");
    let rate = match (rate, &context) {
        (Some(rate), _) => Some((rate, "as given")),
        (None, Some(context)) => Some((measured(context)?, "as a copy was just timed")),
        (None, None) => None,
    };
    match rate {
        #[allow(clippy::cast_precision_loss, reason = "a time to a few digits")]
        Some((rate, source)) => println!(
            "expected time: {:.1} µs at {rate:.0} GB/s, {source}",
            bytes as f64 / rate / 1e3
        ),
        None => println!("expected time: pass what the card moves in GB/s, as in --rate 4000"),
    }
    Ok(())
}

/// Each element once and each result once.
fn bytes(operation: Operation, rows: usize, cols: usize) -> Option<u64> {
    let (rows, cols) = (rows as u64, cols as u64);
    let elements = rows.checked_mul(cols)?.checked_mul(4)?;
    let results = match operation {
        Operation::Argmax => rows.checked_mul(12)?,
        Operation::Softmax | Operation::Cumsum => elements,
        Operation::KeepPositive => elements.checked_add(rows.checked_mul(8)?)?,
        _ => rows.checked_mul(4)?,
    };
    elements.checked_add(results)
}

/// GB/s of a copy on the device, reads and writes together: the best of five.
fn measured(context: &Arc<CudaContext>) -> Result<f64, Box<dyn Error>> {
    const BYTES: u32 = 1 << 28;
    let stream = context.new_stream()?;
    let from = stream.alloc_zeros::<u8>(BYTES as usize)?;
    let mut to = stream.alloc_zeros::<u8>(BYTES as usize)?;
    let mut best = f32::INFINITY;
    for _ in 0..5 {
        let start = stream.record_event(Some(CUevent_flags::CU_EVENT_DEFAULT))?;
        stream.memcpy_dtod(&from, &mut to)?;
        let end = stream.record_event(Some(CUevent_flags::CU_EVENT_DEFAULT))?;
        best = best.min(start.elapsed_ms(&end)?);
    }
    Ok(2.0 * f64::from(BYTES) / (f64::from(best) * 1e6))
}
