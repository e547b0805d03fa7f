//! Shards on a GPU: what each comes to, what all come to, and a scan that goes on.

use std::sync::Arc;

use cudarc::driver::CudaStream;
use cudarc::driver::sys::CUdeviceptr;

use crate::argument::{Argument, Target};
use crate::cpu::shard::Stand;
use crate::error::Error;
use crate::gpu::kernel::Entry;
use crate::gpu::schedule::{self, Launch};
use crate::gpu::scratch::{self, Pointers};
use crate::gpu::{RowShape, at, enqueue, machine_of, pack, slot_bytes};
use crate::order::Order;
use crate::rows::{Rows, Shape};
use crate::spec::{Facts, Fold, FoldRows, Info, ScanRows, Spec};

/// `wf::ShardPlace`.
#[repr(C)]
struct Place {
    first: u64,
    total: u64,
    before: CUdeviceptr,
}

/// `wf::ShardMessages`: the messages of all ranks, and which of them count, in which order.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Messages {
    /// 128 bytes a rank.
    pub bytes: CUdeviceptr,
    /// The rank to begin with.
    pub first: u64,
    /// How many.
    pub count: u64,
    /// From one to the next.
    pub step: i64,
}

/// Bytes that hold a `wf::ShardCarry` of any state.
pub(crate) const CARRY: usize = 80;

fn place(stand: Stand, before: CUdeviceptr) -> Place {
    Place {
        first: stand.first,
        total: stand.total,
        before,
    }
}

fn array(stand: Stand) -> Result<Shape, Error> {
    Rows::array(stand.n as usize).checked(stand.n as usize)
}

/// Enqueues a kernel over the shard, whose parameters are `args, results, shape, scratch, place`.
fn over<S: Spec>(
    stream: &Arc<CudaStream>,
    launch: &Launch,
    shape: &Shape,
    place: &mut Place,
    args: *mut std::ffi::c_void,
    results: *mut std::ffi::c_void,
) -> Result<(), Error> {
    let machine = machine_of(stream)?;
    let mut rows = RowShape::of(shape);
    let run = |scratch: &mut Pointers| {
        let parameters = &mut [args, results, at(&mut rows), at(scratch), at(place)];
        enqueue(Facts::of::<S>(), stream, launch, &machine, parameters)
    };
    match launch.scratch {
        None => {
            let mut run = run;
            run(&mut Pointers::none())
        }
        Some(need) => scratch::with(stream, need, slot_bytes(S::INFO.state.size), run),
    }
}

/// Leaves the state of a shard that is not empty in the slot, without `init`.
pub(crate) fn total<S: Fold>(
    stream: &Arc<CudaStream>,
    stand: Stand,
    arguments: &[Argument<'_>],
    mut slot: CUdeviceptr,
) -> Result<(), Error> {
    let (info, shape) = (&S::INFO, array(stand)?);
    let machine = machine_of(stream)?;
    let order = Order::of_array(info, stand.n);
    pack::bind(
        info,
        stream,
        arguments,
        &mut [],
        order.v,
        &shape,
        &mut |args, _, packs| {
            let launch = schedule::shard_total(info, &shape, packs, &machine);
            over::<S>(
                stream,
                &launch,
                &shape,
                &mut place(stand, 0),
                args.start(),
                at(&mut slot),
            )
        },
    )
}

/// Scans a shard that is not empty after the carry at `before`.
pub(crate) fn scan<S: ScanRows>(
    stream: &Arc<CudaStream>,
    stand: Stand,
    before: CUdeviceptr,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
) -> Result<(), Error> {
    let (info, shape) = (&S::INFO, array(stand)?);
    let machine = machine_of(stream)?;
    let order = Order::of_array(info, stand.n);
    pack::bind(
        info,
        stream,
        arguments,
        targets,
        order.v,
        &shape,
        &mut |args, results, packs| {
            let launch = schedule::shard_scan(info, &shape, packs, &machine);
            let mut place = place(stand, before);
            over::<S>(stream, &launch, &shape, &mut place, args.start(), results.start())
        },
    )
}

/// Enqueues what one warp makes of messages; `results` where they are not the targets.
fn of_messages<S: Spec>(
    stream: &Arc<CudaStream>,
    entry: Entry,
    stand: Stand,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
    results: Option<CUdeviceptr>,
    mut messages: Messages,
) -> Result<(), Error> {
    let info: &'static Info = &S::INFO;
    let machine = machine_of(stream)?;
    let (order, shape) = (Order::of_array(info, stand.n), array(stand)?);
    let launch = schedule::shard_alone(info, entry);
    pack::bind(
        info,
        stream,
        arguments,
        targets,
        order.v,
        &shape,
        &mut |args, own, _| {
            let mut results = results;
            let results = results.as_mut().map_or_else(|| own.start(), at);
            let mut place = place(stand, 0);
            let parameters = &mut [args.start(), results, at(&mut place), at(&mut messages)];
            enqueue(Facts::of::<S>(), stream, &launch, &machine, parameters)
        },
    )
}

/// The result of the array, from the states in all messages.
pub(crate) fn result<S: FoldRows>(
    stream: &Arc<CudaStream>,
    stand: Stand,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
    messages: Messages,
) -> Result<(), Error> {
    of_messages::<S>(
        stream,
        Entry::ShardResult,
        stand,
        arguments,
        targets,
        None,
        messages,
    )
}

/// What the states in some messages come to after `init`, into the [`CARRY`] bytes at `carry`.
pub(crate) fn carry<S: Fold>(
    stream: &Arc<CudaStream>,
    stand: Stand,
    arguments: &[Argument<'_>],
    messages: Messages,
    carry: CUdeviceptr,
) -> Result<(), Error> {
    of_messages::<S>(
        stream,
        Entry::ShardCarry,
        stand,
        arguments,
        &mut [],
        Some(carry),
        messages,
    )
}
