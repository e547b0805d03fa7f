//! The GPU back end: from a checked call to a kernel on the stream.

mod cache;
mod compile_source;
mod cost;
mod disk;
pub(crate) mod kernel;
mod listing;
mod multiprocessors;
pub(crate) mod nvrtc;
mod pack;
mod resources;
mod schedule;
mod scratch;
mod segments;
pub(crate) mod shard;
#[cfg(test)]
mod tests;
pub(crate) mod toolchain;

use std::ffi::c_void;
use std::sync::Arc;

use cudarc::driver::{CudaSlice, CudaStream, DevicePtr, result};

use crate::argument::{Argument, DeviceOutput, Target};
use crate::error::Error;
use crate::gpu::pack::Packed;
use crate::gpu::schedule::{Launch, Machine, Packs};
use crate::gpu::scratch::Pointers;
use crate::launch::allocate;
use crate::order::Order;
use crate::place::{Cuda, Place};
use crate::rows::{Rows, Shape};
use crate::spec::Facts;

pub use compile_source::{compile_source, ptx_of_source};
pub use cost::{Cost, compile, cost, prepare, resources};
pub(crate) use multiprocessors::{checked, restrict};
use multiprocessors::{machine, machine_of, within};
pub use resources::Resources;
pub(crate) use segments::{Segments, segments, segments_filter, segments_longest};

/// `wf::RowShape`.
#[repr(C)]
struct RowShape {
    rows: u64,
    cols: u64,
    stride: u64,
    out_stride: u64,
}

impl RowShape {
    const fn of(shape: &Shape) -> Self {
        Self {
            rows: shape.rows as u64,
            cols: shape.cols as u64,
            stride: shape.stride as u64,
            out_stride: shape.out_stride as u64,
        }
    }
}

/// Enqueues one launch with its parameters.
fn enqueue(
    spec: Facts,
    stream: &Arc<CudaStream>,
    launch: &Launch,
    machine: &Machine,
    parameters: &mut [*mut c_void],
) -> Result<(), Error> {
    let context = stream.context();
    let loaded = cache::get(spec, context, launch.kernel, machine)?;
    let blocks = if launch.strides {
        launch
            .blocks
            .min(within(stream, machine.multiprocessors) * loaded.resident_blocks(launch.kernel.threads)?)
    } else {
        launch.blocks
    };
    let Some(blocks) = u32::try_from(blocks)
        .ok()
        .filter(|&blocks| i32::try_from(blocks).is_ok())
    else {
        return Err(Error::Unsupported {
            spec: spec.info.name,
            what: format!("{blocks} blocks are more than one launch takes"),
            remedy: "split the rows over several calls",
        });
    };
    context.bind_to_thread()?;
    let start = if launch.kernel.entry.is_resident() {
        result::launch_cooperative_kernel
    } else {
        result::launch_kernel
    };
    // SAFETY: the kernel was compiled from the source whose parameters these are, in its order and layout; every
    // pointer in them was checked to have as many elements as the shape needs and lives until the stream is past the
    // launch (cudarc frees in stream order). The context is current.
    unsafe {
        start(
            loaded.function(),
            (blocks, 1, 1),
            (launch.kernel.threads, 1, 1),
            launch.kernel.shared(),
            stream.cu_stream(),
            parameters,
        )
    }?;
    Ok(())
}

/// Bytes of `wf::Slot` of a state.
const fn slot_bytes(state: usize) -> usize {
    match state {
        0..=4 => 4,
        5..=8 => 8,
        _ => state.next_multiple_of(16),
    }
}

/// The address of a parameter.
fn at<T>(value: &mut T) -> *mut c_void {
    std::ptr::from_mut(value).cast()
}

/// A launch over rows whose parameters are `args, results, shape[, scratch]`.
fn run_rows(
    spec: Facts,
    stream: &Arc<CudaStream>,
    shape: &Shape,
    args: &mut Packed<'_>,
    results: *mut c_void,
    launch: &Launch,
    machine: &Machine,
) -> Result<(), Error> {
    let mut rows = RowShape::of(shape);
    let mut run = |scratch: &mut Pointers| {
        enqueue(
            spec,
            stream,
            launch,
            machine,
            &mut [args.start(), results, at(&mut rows), at(scratch)],
        )
    };
    match launch.scratch {
        // Kernels in parts take scratch even where one part does the whole row and never touches it.
        None => run(&mut Pointers::none()),
        Some(need) => scratch::with(stream, need, slot_bytes(spec.info.state.size), run),
    }
}

/// One result a row; with `apply` one an element.
pub(crate) fn rows_reduce(
    spec: Facts,
    stream: &Arc<CudaStream>,
    shape: &Shape,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
) -> Result<(), Error> {
    if shape.out_needed == 0 {
        return Ok(());
    }
    let machine = machine_of(stream)?;
    let order = Order::of_shape(spec.info, shape);
    pack::bind(
        spec.info,
        stream,
        arguments,
        targets,
        &order,
        shape,
        &mut |args, results, packs| {
            if spec.info.has_apply {
                return apply(spec, stream, shape, args, results, packs, &machine);
            }
            let launch = schedule::reduce(spec.info, shape, packs, &machine);
            run_rows(spec, stream, shape, args, results.start(), &launch, &machine)
        },
    )
}

fn apply(
    spec: Facts,
    stream: &Arc<CudaStream>,
    shape: &Shape,
    args: &mut Packed<'_>,
    results: &mut Packed<'_>,
    packs: Packs,
    machine: &Machine,
) -> Result<(), Error> {
    let (first, second) = schedule::apply(spec.info, shape, packs, machine);
    let Some(first) = first else {
        return run_rows(spec, stream, shape, args, results.start(), &second, machine);
    };
    // The first launch stores one state a row: of the results it takes only where the slots are.
    let slots: CudaSlice<u8> = allocate(stream, shape.rows * slot_bytes(spec.info.state.size), false)?;
    let mut totals = slots.device_ptr(stream).0;
    let dense = Shape {
        out_stride: 1,
        ..*shape
    };
    run_rows(spec, stream, &dense, args, at(&mut totals), &first, machine)?;
    let mut rows = RowShape::of(shape);
    enqueue(
        spec,
        stream,
        &second,
        machine,
        &mut [args.start(), results.start(), at(&mut rows), at(&mut totals)],
    )
}

/// One result an element: the state up to there.
pub(crate) fn rows_scan(
    spec: Facts,
    stream: &Arc<CudaStream>,
    shape: &Shape,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
) -> Result<(), Error> {
    if shape.out_needed == 0 {
        return Ok(());
    }
    let machine = machine_of(stream)?;
    let order = Order::of_shape(spec.info, shape);
    pack::bind(
        spec.info,
        stream,
        arguments,
        targets,
        &order,
        shape,
        &mut |args, results, packs| {
            let launch = schedule::scan(spec.info, shape, packs, &machine);
            run_rows(spec, stream, shape, args, results.start(), &launch, &machine)
        },
    )
}

/// Each row's kept elements at its start, the rest zero; and how many each row keeps.
pub(crate) fn rows_filter(
    spec: Facts,
    stream: &Arc<CudaStream>,
    shape: &Shape,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
    counts: Target<'_>,
) -> Result<(), Error> {
    if shape.rows == 0 {
        return Ok(());
    }
    let Target::Device(counts) = counts else {
        unreachable!("checked: all data of a call lives in one place")
    };
    let machine = machine_of(stream)?;
    let order = Order::of_shape(spec.info, shape);
    let (mut counted, _written) = counts.write(stream);
    pack::bind(
        spec.info,
        stream,
        arguments,
        targets,
        &order,
        shape,
        &mut |args, results, packs| {
            let launch = schedule::filter(spec.info, shape, packs);
            let mut rows = RowShape::of(shape);
            enqueue(
                spec,
                stream,
                &launch,
                &machine,
                &mut [args.start(), results.start(), at(&mut counted), at(&mut rows)],
            )
        },
    )
}

/// One result an element: the value of the lane it takes from.
pub(crate) fn rows_shuffle(
    spec: Facts,
    stream: &Arc<CudaStream>,
    shape: &Shape,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
) -> Result<(), Error> {
    if shape.out_needed == 0 {
        return Ok(());
    }
    let machine = machine_of(stream)?;
    let order = Order::of_line(spec.info, 0);
    pack::bind(
        spec.info,
        stream,
        arguments,
        targets,
        &order,
        shape,
        &mut |args, results, _| {
            let launch = schedule::shuffle(spec.info, shape, &machine);
            run_rows(spec, stream, shape, args, results.start(), &launch, &machine)
        },
    )
}

/// One result a column.
pub(crate) fn columns_reduce(
    spec: Facts,
    stream: &Arc<CudaStream>,
    shape: &Shape,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
) -> Result<(), Error> {
    if shape.cols == 0 {
        return Ok(());
    }
    let machine = machine_of(stream)?;
    let order = Order::of_line(spec.info, shape.rows as u64);
    pack::bind(
        spec.info,
        stream,
        arguments,
        targets,
        &order,
        shape,
        &mut |args, results, _| {
            let launch = schedule::columns(spec.info, shape, &machine);
            run_rows(spec, stream, shape, args, results.start(), &launch, &machine)
        },
    )
}

/// One result an element: the state up to there in its column.
pub(crate) fn columns_scan(
    spec: Facts,
    stream: &Arc<CudaStream>,
    shape: &Shape,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
) -> Result<(), Error> {
    let machine = machine_of(stream)?;
    let order = Order::of_line(spec.info, shape.rows as u64);
    pack::bind(
        spec.info,
        stream,
        arguments,
        targets,
        &order,
        shape,
        &mut |args, results, _| {
            let launch = schedule::columns_scan(spec.info, shape);
            run_rows(spec, stream, shape, args, results.start(), &launch, &machine)
        },
    )
}

/// The kept elements of an array of `n`, or with `indices` where they stood; how many goes to `count`.
fn array(
    spec: Facts,
    stream: &Arc<CudaStream>,
    n: usize,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
    count: &mut dyn DeviceOutput,
    indices: bool,
) -> Result<(), Error> {
    let machine = machine_of(stream)?;
    let shape = Rows::new(1, n).checked(n)?;
    let order = Order::of_filter(spec.info, n as u64);
    let (mut counted, _written) = count.write(stream);
    pack::bind(
        spec.info,
        stream,
        arguments,
        targets,
        &order,
        &shape,
        &mut |args, results, packs| {
            let launch = schedule::filter_array(spec.info, n as u64, packs, indices, &machine);
            let (mut rows, Some(need)) = (RowShape::of(&shape), launch.scratch) else {
                return Ok(());
            };
            scratch::with(stream, need, slot_bytes(0), |relay| {
                let parameters = &mut [
                    args.start(),
                    results.start(),
                    at(&mut counted),
                    at(&mut rows),
                    at(relay),
                ];
                enqueue(spec, stream, &launch, &machine, parameters)
            })
        },
    )
}

/// Runs a filter with a count of its own and waits for it.
fn counted(
    spec: Facts,
    stream: &Arc<CudaStream>,
    n: usize,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
    indices: bool,
) -> Result<usize, Error> {
    let mut count: CudaSlice<u64> = allocate(stream, 1, false)?;
    array(spec, stream, n, arguments, targets, &mut count, indices)?;
    Ok(Cuda::first(&count)? as usize)
}

/// The kept elements of an array; waits for their number.
pub(crate) fn array_filter(
    spec: Facts,
    stream: &Arc<CudaStream>,
    n: usize,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
) -> Result<usize, Error> {
    counted(spec, stream, n, arguments, targets, false)
}

/// The kept elements of an array; their number stays on the device.
pub(crate) fn array_filter_into(
    spec: Facts,
    stream: &Arc<CudaStream>,
    n: usize,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
    count: Target<'_>,
) -> Result<(), Error> {
    let Target::Device(count) = count else {
        unreachable!("checked: all data of a call lives in one place")
    };
    array(spec, stream, n, arguments, targets, count, false)
}

/// Where the kept elements stood; waits for their number.
pub(crate) fn array_indices(
    spec: Facts,
    stream: &Arc<CudaStream>,
    n: usize,
    arguments: &[Argument<'_>],
    target: Target<'_>,
) -> Result<usize, Error> {
    counted(spec, stream, n, arguments, &mut [target], true)
}

/// Where the kept elements stood; their number stays on the device.
pub(crate) fn array_indices_into(
    spec: Facts,
    stream: &Arc<CudaStream>,
    n: usize,
    arguments: &[Argument<'_>],
    target: Target<'_>,
    count: Target<'_>,
) -> Result<(), Error> {
    let Target::Device(count) = count else {
        unreachable!("checked: all data of a call lives in one place")
    };
    array(spec, stream, n, arguments, &mut [target], count, true)
}
