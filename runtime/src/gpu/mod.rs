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
mod ready;
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

use cudarc::driver::{CudaSlice, CudaStream, DevicePtr};

use crate::argument::{Argument, DeviceOutput, Target};
use crate::error::Error;
use crate::gpu::pack::Packed;
use crate::gpu::ready::{OverRows, Ready};
use crate::gpu::schedule::{Launch, Machine, Packs};
use crate::launch::allocate;
use crate::order::Order;
use crate::place::{Cuda, Place};
use crate::rows::{Rows, Shape};
use crate::spec::Facts;

pub use compile_source::{compile_source, ptx_of_source};
pub use cost::{Cost, compile, cost, prepare, resources};
pub(crate) use multiprocessors::{checked, restrict};
use multiprocessors::{machine, machine_of};
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
    Ready::of(spec, stream, launch, machine)?.start(stream, parameters)
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
    let ready = Ready::of(spec, stream, launch, machine)?;
    ready.over_rows(spec, stream, shape, args.start(), results)
}

/// One result a row; with `apply` one an element.
pub(crate) fn rows_reduce(
    spec: Facts,
    stream: &Arc<CudaStream>,
    shape: &Shape,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
) -> Result<(), Error> {
    over_rows(spec, stream, shape, arguments, targets, &|packs, machine| {
        if spec.info.has_apply {
            return schedule::apply(spec.info, shape, packs, machine);
        }
        (None, schedule::reduce(spec.info, shape, packs, machine))
    })
}

/// Says which launch does it, or for `apply` which two.
type Plan<'a> = &'a dyn Fn(Packs, &Machine) -> (Option<Launch>, Launch);

/// What one launch does, or for `apply` two, the first of which leaves a state a row.
fn over_rows(
    spec: Facts,
    stream: &Arc<CudaStream>,
    shape: &Shape,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
    plan: Plan<'_>,
) -> Result<(), Error> {
    if shape.out_needed == 0 {
        return Ok(());
    }
    let call = OverRows { spec, stream, shape };
    pack::bind(
        spec.info,
        stream,
        arguments,
        targets,
        Order::pack_of_shape(spec.info, shape),
        shape,
        &mut |args, results, packs| {
            if let Some(done) = call.again(packs, args.start(), results.start()) {
                return done;
            }
            let machine = machine_of(stream)?;
            match plan(packs, &machine) {
                (Some(first), second) => apply_twice(&call, args, results, &first, &second, &machine),
                (None, only) => call.first(packs, &only, &machine, args.start(), results.start()),
            }
        },
    )
}

/// An `apply` whose rows' states are folded by a launch of their own.
fn apply_twice(
    call: &OverRows<'_>,
    args: &mut Packed<'_>,
    results: &mut Packed<'_>,
    first: &Launch,
    second: &Launch,
    machine: &Machine,
) -> Result<(), Error> {
    let OverRows { spec, stream, shape } = *call;
    // The first launch stores one state a row: of the results it takes only where the slots are.
    let slots: CudaSlice<u8> = allocate(stream, shape.rows * slot_bytes(spec.info.state.size), false)?;
    let mut totals = slots.device_ptr(stream).0;
    let dense = Shape {
        out_stride: 1,
        ..*shape
    };
    run_rows(spec, stream, &dense, args, at(&mut totals), first, machine)?;
    let mut rows = RowShape::of(shape);
    enqueue(
        spec,
        stream,
        second,
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
    over_rows(spec, stream, shape, arguments, targets, &|packs, machine| {
        (None, schedule::scan(spec.info, shape, packs, machine))
    })
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
        order.v,
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
        order.v,
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
        order.v,
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
        order.v,
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
        order.v,
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
