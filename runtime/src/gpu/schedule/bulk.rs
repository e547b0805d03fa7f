//! When an array is scanned or filtered by bulk copies, and in what batches.

use super::{Machine, Packs, plain_bytes};
use crate::gpu::kernel::{Entry, Load};
use crate::order::Order;
use crate::rows::Shape;
use crate::spec::{Form, Info, ParamKind};

/// How an array is scanned in bulk: the look between blocks that each batch costs has to pay.
struct Bulk {
    /// Tiles of a batch, a warp each.
    tiles: u32,
    /// Batches that a block has under way, where shared memory has room for as many.
    stages: u32,
    /// 32-bit words of values that a lane holds at once: with more warps each has fewer registers.
    words: u32,
}
/// States of one word.
const BULK_NARROW: Bulk = Bulk {
    tiles: 8,
    stages: 6,
    words: 16,
};
/// Wider states, which take longer to gather.
const BULK_WIDE: Bulk = Bulk {
    tiles: 16,
    stages: 3,
    words: 16,
};
/// Tiles of a filter's batch, a warp each.
const FILTER_TILES: u32 = 8;
/// Batches of a filter that a block has under way, where shared memory has room for as many.
const FILTER_STAGES: u32 = 6;
/// The fewest that are worth it.
const FEWEST_STAGES: u32 = 3;
/// Elements that a lane of a filter holds at once.
const FILTER_ELEMENTS: u32 = 32;
/// The most shared memory that the kernels declare themselves: the places of a scan's states, the counts of a filter.
const SCAN_PLACES: u32 = 8 << 10;
const FILTER_PLACES: u32 = 2 << 10;
/// Warps that reduce a batch before others scan it.
pub(super) const BULK_REDUCERS: u32 = 4;
/// Batches a multiprocessor below which starting up costs more than bulk copies save a filter.
const FILTER_BATCHES: u64 = 4;
/// The same of a scan, as a share of two multiprocessors.
const SCAN_BATCHES: u64 = 3;

/// The scan by bulk copies and the tiles of its batches, where the machine has them, the array is large and its inputs
/// start where copies may.
pub(super) fn scan_bulk(
    info: &Info,
    order: &Order,
    shape: &Shape,
    packs: Packs,
    machine: &Machine,
) -> Option<(Entry, u32)> {
    let Form::Scan { exclusive, reverse } = info.form else {
        return None;
    };
    let (bytes, n) = (plain_bytes(info), shape.cols as u64);
    let whole_elements = info
        .params
        .iter()
        .all(|param| !matches!(param.kind, ParamKind::PerColumn | ParamKind::Live));
    let fits = shape.rows == 1 && order.lanes == 32 && whole_elements && bytes > 0 && info.state.size <= 16;
    let aligned = packs.starts && packs.load != Load::Any && (!reverse || n.is_multiple_of(16));
    let Bulk { tiles, stages, words } = if info.state.size > 4 {
        BULK_WIDE
    } else {
        BULK_NARROW
    };
    let room = machine.shared.saturating_sub(SCAN_PLACES);
    let stages = stages.min(room / (tiles * order.tile() as u32 * bytes).max(1));
    let batches = order.tiles.div_ceil(u64::from(tiles));
    let large = 2 * batches >= SCAN_BATCHES * machine.multiprocessors && batches < u64::from(u32::MAX / 2);
    if machine.arch < 90 || stages < FEWEST_STAGES || !(fits && aligned && large) {
        return None;
    }
    // Narrow values take a register each, and there are enough: with fewer turns at a time the steps over the lanes wait.
    let a_turn = (order.v * info.state.size as u32).div_ceil(4);
    let chunk = (words / a_turn).clamp(1, order.turns);
    let entry = Entry::ArrayScanBulk {
        tiles,
        reducers: BULK_REDUCERS,
        stages,
        chunk: 1 << chunk.ilog2(),
        bytes,
        exclusive,
        reverse,
        shard: false,
    };
    Some((entry, tiles))
}

/// The filter by bulk copies, the warps of its blocks and the tiles of its batches, where the machine has them, the array is
/// large and it and its results start where wide accesses may.
pub(super) fn filter_bulk(
    info: &Info,
    order: &Order,
    packs: Packs,
    indices: bool,
    machine: &Machine,
) -> Option<(Entry, u32, u32)> {
    let kept = match (indices, info.results) {
        (true, _) => size_of::<u64>() as u32,
        (false, [one]) => one.size as u32,
        _ => return None,
    };
    let bytes = plain_bytes(info);
    let elements = !(info.has(ParamKind::PerColumn) || info.has(ParamKind::Live)) && bytes > 0;
    let fits = elements && kept.is_power_of_two() && kept <= 16;
    let aligned = packs.starts && packs.outputs && packs.load != Load::Any;
    let batches = order.tiles.div_ceil(u64::from(FILTER_TILES));
    let large = batches >= FILTER_BATCHES * machine.multiprocessors && batches < u64::from(u32::MAX / 2);
    if machine.arch < 90 || !(fits && aligned && large) {
        return None;
    }
    let chunk = 1 << (FILTER_ELEMENTS / order.v).clamp(1, order.turns).ilog2();
    let gathered = FILTER_TILES * (chunk * order.turn() as u32 * kept + 16);
    let room = machine.shared.saturating_sub(FILTER_PLACES + gathered);
    let stages = room / (FILTER_TILES * order.tile() as u32 * bytes);
    if stages < FEWEST_STAGES {
        return None;
    }
    let entry = Entry::ArrayFilterBulk {
        tiles: FILTER_TILES,
        reducers: BULK_REDUCERS,
        stages: stages.min(FILTER_STAGES),
        chunk,
        bytes,
        kept,
        indices,
    };
    Some((entry, 2 + BULK_REDUCERS + FILTER_TILES, FILTER_TILES))
}
