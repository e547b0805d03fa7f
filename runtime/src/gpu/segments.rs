//! Segments on the GPU: one result for each run of elements between offsets, or one an element.

use std::any::TypeId;
use std::ffi::c_void;
use std::sync::Arc;

use cudarc::driver::sys::{CUdeviceptr, CUstreamCaptureStatus};
use cudarc::driver::{CudaSlice, CudaStream, DevicePtr};

use super::{at, enqueue, machine, machine_of, pack, slot_bytes};
use crate::argument::{Argument, DeviceInput, Target};
use crate::error::Error;
use crate::gpu::pack::{Packed, Room};
use crate::gpu::schedule::{self, Launch, Machine};
use crate::gpu::scratch;
use crate::launch::allocate;
use crate::order::Order;
use crate::rows::Rows;
use crate::spec::{Facts, Form, Info};

/// The segments of a call: offsets on the device.
#[derive(Clone, Copy)]
pub(crate) struct Segments<'a> {
    offsets: &'a dyn DeviceInput,
    /// The kernels' name of their type.
    ty: &'static str,
    /// Elements of the call.
    elements: u64,
}

/// `wf::SegmentList`.
#[repr(C)]
struct List {
    segments: u64,
    elements: u64,
    parts: CUdeviceptr,
    states: CUdeviceptr,
    places: u64,
    longest: CUdeviceptr,
    used: CUdeviceptr,
    wrong: CUdeviceptr,
    middling: CUdeviceptr,
    groups: u32,
    aligned: u32,
    middles: CUdeviceptr,
    middle_places: u64,
    whole: u64,
    drawn: CUdeviceptr,
}

/// `wf::SegmentMarks`.
#[repr(C)]
struct Marks {
    segments: u64,
    elements: u64,
    ranks: CUdeviceptr,
    votes: CUdeviceptr,
    count: CUdeviceptr,
}

/// Words that kernels find zero: the longest segment; how much of the list is used; what is wrong, and how many middling
/// segments there are; what is drawn of either list.
const WORDS: usize = 4;

impl<'a> Segments<'a> {
    /// Offsets on the device, of a type that offsets may have.
    pub(crate) fn new(info: &Info, offsets: &'a dyn DeviceInput, elements: usize) -> Result<Self, Error> {
        let known = [
            (TypeId::of::<u32>(), "wf::u32"),
            (TypeId::of::<u64>(), "wf::u64"),
            (TypeId::of::<i32>(), "wf::i32"),
            (TypeId::of::<i64>(), "wf::i64"),
        ];
        let Some(&(_, ty)) = known.iter().find(|(id, _)| *id == offsets.element()) else {
            return Err(Error::Offsets {
                spec: info.name,
                what: "are neither u32, u64, i32 nor i64".into(),
            });
        };
        Ok(Self {
            offsets,
            ty,
            elements: elements as u64,
        })
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.offsets.count().saturating_sub(1)
    }

    fn list(&self, words: CUdeviceptr) -> List {
        List {
            segments: self.count() as u64,
            elements: self.elements,
            parts: 0,
            states: 0,
            places: 0,
            longest: words,
            used: words + 8,
            wrong: words + 16,
            middling: words + 20,
            groups: schedule::segment_groups(self.count() as u64) as u32,
            aligned: 0,
            middles: 0,
            middle_places: 0,
            whole: 0,
            drawn: words + 24,
        }
    }
}

/// The longest segment, once the offsets are known to be good; waits for it. While a graph is captured nothing can be
/// waited for: then it may be anything up to all elements, and bad offsets are cut off by the kernels.
pub(crate) fn segments_longest(
    spec: Facts,
    stream: &Arc<CudaStream>,
    segments: &Segments<'_>,
) -> Result<usize, Error> {
    let capturing = stream.capture_status()? != CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
    if segments.count() == 0 || capturing {
        return Ok(segments.elements as usize);
    }
    let machine = machine(stream.context())?;
    let launch = schedule::segments_check(spec.info, segments.count() as u64, segments.ty);
    let words: CudaSlice<u64> = allocate(stream, WORDS, true)?;
    let mut list = segments.list(words.device_ptr(stream).0);
    let (mut args, mut results) = (Room::new(), Room::new());
    let (mut args, mut results) = (Packed::new(&mut args), Packed::new(&mut results));
    let list = at(&mut list);
    run(
        spec,
        stream,
        segments,
        &launch,
        &machine,
        [args.start(), results.start(), list, list],
    )?;
    let found = stream.clone_dtoh(&words)?;
    stream.synchronize()?;
    let what = match found[2] as u32 {
        0 => return Ok(found[0] as usize),
        2 => format!("pass the end: there are {} elements", segments.elements),
        _ => "fall, or start below 0".into(),
    };
    Err(Error::Offsets {
        spec: spec.info.name,
        what,
    })
}

/// One result a segment; with `apply`, and of a scan, one an element.
pub(crate) fn segments(
    spec: Facts,
    stream: &Arc<CudaStream>,
    segments: &Segments<'_>,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
) -> Result<(), Error> {
    if segments.count() == 0 {
        return Ok(());
    }
    let machine = machine_of(stream)?;
    let (count, elements) = (segments.count(), segments.elements);
    let slot = slot_bytes(spec.info.state.size);
    let shape = Rows::new(1, elements as usize).checked(elements as usize)?;
    let order = Order::of_segments(spec.info, elements);
    let places = schedule::segment_places(spec.info, elements) as usize;
    let parts: CudaSlice<u64> = allocate(stream, 4 * places, false)?;
    let states: CudaSlice<u8> = allocate(stream, places * slot, false)?;
    let words: CudaSlice<u64> = allocate(stream, WORDS, true)?;
    let between = schedule::segments_between(spec.info, elements);
    let middles: CudaSlice<u64> = allocate(stream, between as usize, false)?;
    let whole = schedule::segments_whole(spec.info, count as u64, elements, segments.ty, &machine);
    let bulk = schedule::segments_bulk(spec.info, elements, segments.ty, &machine);
    let mut list = List {
        middles: middles.device_ptr(stream).0,
        middle_places: between,
        parts: parts.device_ptr(stream).0,
        states: states.device_ptr(stream).0,
        places: places as u64,
        ..segments.list(words.device_ptr(stream).0)
    };
    // With `apply` the first launches store states, a slot a segment, where others store results.
    let slots: CudaSlice<u8> = allocate(stream, if spec.info.has_apply { count * slot } else { 0 }, false)?;
    let mut totals = slots.device_ptr(stream).0;
    let each = spec.info.has_apply || matches!(spec.info.form, Form::Scan { .. });
    // One place is none: nothing is long enough to be on the list.
    let needed = if places > 1 { 3 } else { 2 };
    let launches = schedule::segments(spec.info, count as u64, elements, segments.ty);
    let applying = schedule::segments_apply(spec.info, count as u64, elements, segments.ty);
    let mut enqueued = |relay: *mut c_void| {
        pack::bind(
            spec.info,
            stream,
            arguments,
            targets,
            order.v,
            &shape,
            &mut |args, results, packs| {
                let totals = at(&mut totals);
                list.aligned = u32::from(packs.starts && (packs.outputs || !each));
                // By bulk copies it does not matter which segments a block has.
                let bulk = bulk.filter(|_| list.aligned != 0);
                let whole = whole.filter(|_| bulk.is_none());
                list.whole = whole.map_or(0, |(_, tiles)| tiles);
                let mut run = |launch: &Launch, results: *mut c_void| {
                    let last = if launch.scratch.is_some() { relay } else { totals };
                    let parameters = [args.start(), results, at(&mut list), last];
                    run(spec, stream, segments, launch, &machine, parameters)
                };
                let results = results.start();
                let [sorting, between, long] = &launches;
                let long = (needed == 3).then_some(bulk.as_ref().unwrap_or(long));
                let first = if spec.info.has_apply { totals } else { results };
                run(sorting, first)?;
                let whole = whole.iter().map(|(launch, _)| launch);
                for launch in whole.chain([between]).chain(long) {
                    run(launch, first)?;
                }
                if spec.info.has_apply {
                    for launch in &applying[..needed] {
                        run(launch, results)?;
                    }
                }
                Ok(())
            },
        )
    };
    // Before the first launch: without room for it nothing may be written, least of all in place.
    match launches[..needed].iter().find_map(|launch| launch.scratch) {
        Some(need) => scratch::with(stream, need, slot_bytes(0), |relay| enqueued(at(relay))),
        None => enqueued(std::ptr::null_mut()),
    }
}

/// What segments keep, one behind the other, and the new offsets; how many are kept stays on the device.
pub(crate) fn segments_filter(
    spec: Facts,
    stream: &Arc<CudaStream>,
    segments: &Segments<'_>,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
    kept: &mut Target<'_>,
) -> Result<CudaSlice<u64>, Error> {
    let machine = machine(stream.context())?;
    let elements = segments.elements;
    let shape = Rows::new(1, elements as usize).checked(elements as usize)?;
    let order = schedule::segments_filter_order(spec.info, elements);
    let turns = order.tiles as usize * order.turns as usize;
    let ranks: CudaSlice<u64> = allocate(stream, turns, false)?;
    let votes: CudaSlice<u32> = allocate(stream, turns * order.v as usize, false)?;
    let count: CudaSlice<u64> = allocate(stream, 1, true)?;
    let Target::Device(kept) = kept else {
        unreachable!("checked: all data of a call lives in one place")
    };
    if segments.offsets.count() == 0 {
        return Ok(count);
    }
    let mut marks = Marks {
        segments: segments.count() as u64,
        elements,
        ranks: ranks.device_ptr(stream).0,
        votes: votes.device_ptr(stream).0,
        count: count.device_ptr(stream).0,
    };
    let owner = Arc::clone(kept.owner());
    let (offsets, owners) = (segments.offsets, segments.offsets.owner());
    let enqueued = pack::ordered(stream, &owner, || {
        let (mut kept, _written) = kept.write(stream);
        pack::ordered(stream, owners, || {
            let (mut offsets, _read) = offsets.read(stream);
            let mut bound = |args: &mut Packed<'_>, results: &mut Packed<'_>, packs| {
                let count = segments.count() as u64;
                let launches = schedule::segments_filter(spec.info, count, elements, packs, segments.ty);
                let (args, results) = (args.start(), results.start());
                let (offsets, marks, kept) = (at(&mut offsets), at(&mut marks), at(&mut kept));
                if let Some(need) = launches[0].scratch {
                    scratch::with(stream, need, slot_bytes(0), |relay| {
                        let parameters = &mut [args, results, offsets, marks, at(relay)];
                        enqueue(spec, stream, &launches[0], &machine, parameters)
                    })?;
                }
                let parameters = &mut [args, results, offsets, marks, kept];
                enqueue(spec, stream, &launches[1], &machine, parameters)
            };
            pack::bind(spec.info, stream, arguments, targets, order.v, &shape, &mut bound)
        })
    });
    enqueued.map(|()| count)
}

/// Enqueues one launch with `[args, results, list, last]`, of which not every kernel takes the last.
fn run(
    spec: Facts,
    stream: &Arc<CudaStream>,
    segments: &Segments<'_>,
    launch: &Launch,
    machine: &Machine,
    [args, results, list, last]: [*mut c_void; 4],
) -> Result<(), Error> {
    pack::ordered(stream, segments.offsets.owner(), || {
        let (mut address, _read) = segments.offsets.read(stream);
        let parameters = &mut [args, results, at(&mut address), list, last];
        enqueue(spec, stream, launch, machine, parameters)
    })
}
