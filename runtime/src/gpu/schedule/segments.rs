//! The launches over segments.

use super::{Launch, THREADS};
use crate::gpu::kernel::{Entry, Kernel, Load, Tile};
use crate::order::Order;
use crate::spec::{Form, Info};

/// What finds out whether offsets are offsets.
pub(crate) fn segments_check(info: &Info, segments: u64, offset: &'static str) -> Launch {
    let kernel = segments_kernel(info, Entry::SegmentsCheck { offset }, THREADS);
    Launch {
        kernel,
        blocks: segments.div_ceil(u64::from(THREADS)),
        strides: true,
        scratch: None,
    }
}

/// Segments in two launches: the short ones, then the long ones.
pub(crate) fn segments(info: &Info, segments: u64, elements: u64, offset: &'static str) -> [Launch; 2] {
    let (fixed, warps) = (info.width.is_some(), THREADS / 32);
    [false, true].map(|long| {
        let entry = match info.form {
            Form::Scan { exclusive, reverse } => Entry::SegmentsScan {
                offset,
                fixed,
                // Tiles at a time of a block: a power of two, at most 32.
                warps: if long { warps.min(order_lanes(info)) } else { warps },
                long,
                exclusive,
                reverse,
            },
            _ if info.has_apply => Entry::SegmentsTotals {
                offset,
                fixed,
                warps,
                long,
            },
            _ if long => Entry::SegmentsLong { offset, fixed, warps },
            _ => Entry::Segments { offset, fixed, warps },
        };
        segments_launch(info, entry, long, segments, elements)
    })
}

/// What applies the segments' states: the short ones, then the long ones.
pub(crate) fn segments_apply(info: &Info, segments: u64, elements: u64, offset: &'static str) -> [Launch; 2] {
    let (fixed, warps) = (info.width.is_some(), THREADS / 32);
    [false, true].map(|long| {
        let entry = Entry::SegmentsApply {
            offset,
            fixed,
            warps,
            long,
        };
        segments_launch(info, entry, long, segments, elements)
    })
}

fn order_lanes(info: &Info) -> u32 {
    Order::of_segments(info, 0).lanes
}

fn segments_launch(info: &Info, entry: Entry, long: bool, segments: u64, elements: u64) -> Launch {
    let threads = match entry {
        Entry::SegmentsScan { warps, .. } => 32 * warps,
        _ => THREADS,
    };
    let blocks = if long {
        smallest(info, elements).tiles
    } else {
        segments.div_ceil(u64::from(threads))
    };
    Launch {
        kernel: segments_kernel(info, entry, threads),
        blocks,
        strides: long,
        scratch: None,
    }
}

fn segments_kernel(info: &Info, entry: Entry, threads: u32) -> Kernel {
    let order = Order::of_segments(info, 0);
    let tile = match entry {
        Entry::SegmentsCheck { .. } => Tile::of(&order),
        _ => Tile::of_segments(&order, &Order::of_odd_segments(info, 0)),
    };
    Kernel {
        entry,
        tile,
        load: Load::Any,
        store: Load::Any,
        threads,
    }
}

/// The order of whichever segments have the smaller tiles, and so the more of them.
fn smallest(info: &Info, elements: u64) -> Order {
    let (packs, odd) = (
        Order::of_segments(info, elements),
        Order::of_odd_segments(info, elements),
    );
    if odd.tile() < packs.tile() { odd } else { packs }
}

/// Places on the list of long segments: one for each part of 32 tiles, and those of the levels above.
pub(crate) fn segment_places(info: &Info, elements: u64) -> u64 {
    let tile = smallest(info, elements).tile() as u64;
    // Segments of fewer tiles are short, as `segments_reduce.cuh` has it.
    let least = if info.width.is_some() { tile } else { 8 * tile };
    let long = elements / (least + 1);
    if matches!(info.form, Form::Scan { .. }) {
        // Every segment of more than a tile has one place.
        return elements / (tile + 1) + 1;
    }
    let parts = (elements / tile + long) / 32 + long;
    parts + parts / 16 + long + 1
}
