//! The launches over segments.

use super::staged::room;
use super::{ARRAY_WARPS, Launch, Machine, Packs, Scratch, THREADS, plain_bytes};
use crate::gpu::kernel::{Entry, Kernel, Lengths, Load, Tile, bulk_stage_elements};
use crate::order::{Order, pack};
use crate::spec::{Form, Info, ParamKind, TileFold};

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

/// Warps of a block that takes short segments by way of shared memory, and bytes of the longest that a lane takes.
const SHORT_WARPS: u32 = 4;
const SHORT_BYTES: u32 = 256;
/// Elements of the longest segment that a lane folds where the steps are few (twice as many where they are fewest), and of
/// those whose values it holds or whose steps are many.
const MOST_FOLDED: u32 = 64;
const MOST_HELD: u32 = 16;
/// Elements of the longest that goes by way of shared memory, and bytes of an element there.
const WIDEST: u32 = 256;
const MOST_BYTES: u32 = 64;
/// Segments for each that a thread takes: so many that multiprocessors take several rounds of blocks. Of few rounds the last,
/// which leaves most of them idle, is a good part.
const SEGMENTS_A_GROUP: u64 = 3 << 18;
const MOST_GROUPS: u64 = 4;

/// How many segments a thread takes of those that go by way of shared memory.
pub(crate) fn segment_groups(segments: u64) -> u64 {
    (segments / SEGMENTS_A_GROUP).clamp(1, MOST_GROUPS)
}

/// How short segments go by way of shared memory, where the spec allows it.
fn short(info: &Info, narrow: bool) -> Option<Lengths> {
    let scan = matches!(info.form, Form::Scan { .. });
    let (bytes, out) = room(info, scan);
    if info.width.is_some() || plain_bytes(info) == 0 || bytes > MOST_BYTES {
        return None;
    }
    let held = match info.fold {
        TileFold::Tile => true,
        // Operators of people's own may be long.
        TileFold::Blocked => info.state.size > 4,
        _ => info.state.size > 16,
    };
    let held = held || scan;
    let (order, odd) = (Order::of_segments(info, 0), Order::of_odd_segments(info, 0));
    let v = order.v;
    let simple = matches!(info.fold, TileFold::Striped) && info.state.size <= 4 && !scan;
    let most = (SHORT_BYTES / bytes).min(if held { MOST_HELD } else { MOST_FOLDED });
    // What few lanes take in several turns no lane plays.
    let few = Order::takes_few(info);
    let most = (most << u32::from(simple)).min(if few { 8 } else { 32 } * v);
    let most = 1 << most.checked_ilog2()?;
    let widest = WIDEST.min(order.tile() as u32).min(odd.tile() as u32);
    // What applies the states takes those of more than two turns for middling; few lanes are as many for 64 packs.
    let widest = match (info.has_apply, few) {
        (true, true) => widest.min(16 * v),
        (false, false) => widest,
        _ => widest.min(64 * v),
    };
    let widest = 1 << widest.checked_ilog2()?;
    // Longer ones have the lanes of a whole warp.
    (most >= v && widest >= most && widest >= 16 * v).then_some(Lengths::Short {
        at_once: if narrow { 9 - u32::from(scan) } else { 0 },
        most,
        widest,
        bytes,
        out,
        packs: in_packs(info, v),
    })
}

/// Whether all that is staged goes in packs of 16 bytes.
fn in_packs(info: &Info, v: u32) -> bool {
    let mut plain = info.params.iter().filter(|param| param.kind == ParamKind::Plain);
    let whole = |size: usize| size.is_power_of_two() && size <= 16;
    v > 1 && plain.all(|param| param.ty.size as u32 * v == 16) && info.results.iter().all(|ty| whole(ty.size))
}

/// Places for the numbers of segments that are longer than those, but not long.
pub(crate) fn segments_between(info: &Info, elements: u64) -> u64 {
    match short(info, false) {
        Some(Lengths::Short { widest, .. }) => elements / (u64::from(widest) + 1),
        _ => 0,
    }
}

/// Which segments the launches of one work take, one launch after the other.
fn lengths(info: &Info) -> [Lengths; 3] {
    let order = Order::of_segments(info, 0);
    let bytes = info.params.iter().map(|param| match param.kind {
        ParamKind::Plain => param.ty.size as u32 * order.v,
        _ => 0,
    });
    let narrow = info.state.size * order.v as usize <= 16 && bytes.sum::<u32>() <= 16;
    let reduces = !matches!(info.form, Form::Scan { .. });
    [
        Lengths::Light { narrow },
        Lengths::Middling {
            narrow: narrow && reduces,
            above: 0,
        },
        Lengths::Long,
    ]
}

/// Segments in three launches: the light ones, the long ones, those between.
pub(crate) fn segments(info: &Info, segments: u64, elements: u64, offset: &'static str) -> [Launch; 3] {
    let fixed = info.width.is_some();
    lengths(info).map(|which| {
        let (which, warps) = match (which, short(info, is_narrow(which))) {
            (Lengths::Light { .. }, Some(short)) => (short, SHORT_WARPS),
            (Lengths::Middling { narrow, .. }, Some(Lengths::Short { widest, .. })) => {
                let above = widest;
                (Lengths::Middling { narrow, above }, THREADS / 32)
            }
            _ => (which, THREADS / 32),
        };
        let entry = match info.form {
            Form::Scan { exclusive, reverse } => Entry::SegmentsScan {
                offset,
                fixed,
                warps,
                long_warps: long_warps(info),
                which,
                exclusive,
                reverse,
            },
            _ if info.has_apply => Entry::SegmentsTotals {
                offset,
                fixed,
                warps,
                which,
            },
            _ => Entry::Segments {
                offset,
                fixed,
                warps,
                which,
            },
        };
        segments_launch(info, entry, which, segments, elements)
    })
}

const fn is_narrow(which: Lengths) -> bool {
    matches!(
        which,
        Lengths::Light { narrow: true } | Lengths::Middling { narrow: true, .. }
    )
}

/// Tiles of a long segment that a block scans as a whole: of the longest, and how many segments have on average where that
/// pays. Among shorter ones too few are long.
const LONGEST_WHOLE: u64 = 128;
const MEAN_WHOLE: u64 = 32;
/// Segments for each block, so that all are busy to the end.
const WHOLE_EACH: u64 = 4;
/// Blocks of that launch on a multiprocessor, and what each declares of its memory itself.
const WHOLE_BLOCKS: u32 = 3;
const WHOLE_PLACES: u32 = 2 << 10;

/// The launch that scans long segments a block each, before that for longer ones, and the tiles of the longest that it takes;
/// where segments are so long, and so many, that it pays.
pub(crate) fn segments_whole(
    info: &Info,
    segments: u64,
    elements: u64,
    offset: &'static str,
    machine: &Machine,
) -> Option<(Launch, u64)> {
    let Form::Scan { exclusive, reverse } = info.form else {
        return None;
    };
    let order = smallest(info, 0);
    let blocks = machine.multiprocessors * u64::from(WHOLE_BLOCKS);
    let pays = segments >= WHOLE_EACH * blocks && elements / segments >= MEAN_WHOLE * order.tile() as u64;
    let staged =
        short(info, false).is_some() && !info.has(ParamKind::PerColumn) && in_packs(info, pack(info));
    let (bytes, out) = room(info, true);
    let narrow = info.state.size as u32 * pack(info) <= 16;
    let which = Lengths::Whole {
        at_once: if narrow { WHOLE_BLOCKS } else { 0 },
        bytes,
        out,
    };
    let entry = Entry::SegmentsScan {
        offset,
        fixed: false,
        warps: long_warps(info),
        long_warps: long_warps(info),
        which,
        exclusive,
        reverse,
    };
    let launch = Launch {
        kernel: segments_kernel(info, entry, 32 * long_warps(info)),
        blocks: segments,
        strides: true,
        scratch: None,
    };
    let fits = WHOLE_BLOCKS * (launch.kernel.shared() + WHOLE_PLACES) <= machine.shared;
    (pays && staged && fits).then_some((launch, LONGEST_WHOLE))
}

/// Batches of long segments that a block of the scan by bulk copies has under way, where shared memory has room for as many.
const BULK_STAGES: u32 = 6;
/// Groups of its warps that scan batches by turns; the stages are a multiple of them.
const BULK_GROUPS: u32 = 2;
/// The fewest stages that are worth it.
const FEWEST_STAGES: u32 = 4;
/// 32-bit words of values that a lane of it holds at once, and of a state at most: it has 26 warps, and they share the registers.
const BULK_WORDS: u32 = 16;
const BULK_STATE: usize = 4;
/// The most shared memory that it declares itself.
const BULK_PLACES: u32 = 8 << 10;
/// Batches that elements have to fill, as a share of two multiprocessors.
const BULK_BATCHES: u64 = 3;

/// The launch that scans long segments by bulk copies, in the place of the last, where the machine has them, elements are many
/// and all that is read and written starts where copies may.
pub(crate) fn segments_bulk(
    info: &Info,
    elements: u64,
    offset: &'static str,
    machine: &Machine,
) -> Option<Launch> {
    let Form::Scan {
        exclusive: false,
        reverse,
    } = info.form
    else {
        return None;
    };
    let (order, odd) = (Order::of_segments(info, 0), Order::of_odd_segments(info, 0));
    let elementwise = !info.has(ParamKind::PerColumn) && !info.has(ParamKind::Live);
    let packs = short(info, false).is_some() && elementwise && in_packs(info, pack(info));
    let (tiles, bytes) = (long_warps(info), plain_bytes(info));
    let stage = bulk_stage_elements(tiles * order.tile().max(odd.tile()) as u32) * bytes;
    let room = machine.shared.saturating_sub(BULK_PLACES);
    let stages = BULK_STAGES.min(room / stage.max(1)) / BULK_GROUPS * BULK_GROUPS;
    let large =
        2 * elements >= BULK_BATCHES * machine.multiprocessors * u64::from(tiles) * order.tile() as u64;
    if machine.arch < 90 || stages < FEWEST_STAGES || order.lanes != 32 || info.state.size > BULK_STATE {
        return None;
    }
    let which = Lengths::Bulk {
        groups: BULK_GROUPS,
        stages,
        chunk: BULK_WORDS,
        bytes,
    };
    let entry = Entry::SegmentsScan {
        offset,
        fixed: false,
        warps: long_warps(info),
        long_warps: long_warps(info),
        which,
        exclusive: false,
        reverse,
    };
    let launch = segments_launch(info, entry, which, 1, elements);
    (packs && large).then_some(launch)
}

/// What applies the segments' states, in as many launches.
pub(crate) fn segments_apply(info: &Info, segments: u64, elements: u64, offset: &'static str) -> [Launch; 3] {
    let (fixed, warps) = (info.width.is_some(), THREADS / 32);
    lengths(info).map(|which| {
        let entry = Entry::SegmentsApply {
            offset,
            fixed,
            warps,
            which,
        };
        segments_launch(info, entry, which, segments, elements)
    })
}

/// Warps of a block that scans batches of long segments: a batch is a power of two of at most 32 tiles.
fn long_warps(info: &Info) -> u32 {
    ARRAY_WARPS.min(Order::of_segments(info, 0).lanes)
}

/// Tiles of such a batch.
fn batch(info: &Info) -> u32 {
    long_warps(info) * (32 / Order::of_segments(info, 0).lanes)
}

/// Whether a filter asks of each element which segment it is of.
fn is_located(info: &Info) -> bool {
    use ParamKind::{Index, Len, Live, PerColumn, PerRow, Row};
    [Index, Row, Len, PerRow, PerColumn, Live]
        .into_iter()
        .any(|kind| info.has(kind))
}

/// Which elements a warp of a filter over segments takes. Neighbours of one pack may be of different segments, so where
/// that matters a pack is one element.
pub(crate) fn segments_filter_order(info: &Info, elements: u64) -> Order {
    let order = Order::of_filter(info, elements);
    if !is_located(info) {
        return order;
    }
    let turns = order.turns.max(4);
    Order {
        v: 1,
        turns,
        tiles: elements.div_ceil(u64::from(32 * turns)).max(1),
        ..order
    }
}

/// What segments keep, and then the new offsets.
pub(crate) fn segments_filter(
    info: &Info,
    segments: u64,
    elements: u64,
    packs: Packs,
    offset: &'static str,
) -> [Launch; 2] {
    let order = segments_filter_order(info, elements);
    let kernel = |entry, threads| Kernel {
        entry,
        tile: Tile::of(&order),
        load: packs.load,
        store: Load::Any,
        threads,
    };
    let batches = order.tiles.div_ceil(u64::from(ARRAY_WARPS));
    let entry = Entry::SegmentsFilter {
        offset,
        located: is_located(info),
        warps: ARRAY_WARPS,
    };
    let kept = Launch {
        kernel: kernel(entry, ARRAY_WARPS * 32),
        blocks: batches,
        strides: true,
        scratch: Some(Scratch::Relay {
            words: batches,
            tickets: 0,
        }),
    };
    let offsets = Launch {
        kernel: kernel(Entry::SegmentsFilterOffsets { offset }, THREADS),
        blocks: (segments + 1).div_ceil(u64::from(THREADS)),
        strides: true,
        scratch: None,
    };
    [kept, offsets]
}

fn segments_launch(info: &Info, entry: Entry, which: Lengths, segments: u64, elements: u64) -> Launch {
    let long = matches!(which, Lengths::Long | Lengths::Bulk { .. });
    let (threads, scratch) = match entry {
        Entry::SegmentsScan { long_warps, .. } if long => {
            let states = segment_places(info, elements) * (u64::from(batch(info)) + 2);
            let words = states * (info.state.size as u64).div_ceil(4);
            let warps = match which {
                Lengths::Bulk { groups, .. } => 2 + long_warps * (1 + groups),
                _ => long_warps,
            };
            (32 * warps, Some(Scratch::Relay { words, tickets: 0 }))
        }
        _ if matches!(which, Lengths::Short { .. }) => (32 * SHORT_WARPS, None),
        _ => (THREADS, None),
    };
    let blocks = match which {
        Lengths::Long | Lengths::Bulk { .. } => smallest(info, elements).tiles,
        Lengths::Short { .. } => segments.div_ceil(segment_groups(segments) * u64::from(threads)),
        _ => segments.div_ceil(u64::from(threads)),
    };
    Launch {
        kernel: segments_kernel(info, entry, threads),
        blocks,
        // The light ones are all of them, mostly; of the others there may be none.
        strides: !matches!(which, Lengths::Light { .. } | Lengths::Short { .. }),
        scratch,
    }
}

fn segments_kernel(info: &Info, entry: Entry, threads: u32) -> Kernel {
    let tile = match entry {
        Entry::SegmentsCheck { .. } => Tile::of(&Order::of_segments(info, 0)),
        _ => Tile::of_segments(info),
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

/// Places on the list of long segments: one for each part of 32 tiles, and those of the levels above; of scans one for
/// each batch.
pub(crate) fn segment_places(info: &Info, elements: u64) -> u64 {
    let tile = smallest(info, elements).tile() as u64;
    // Segments of fewer tiles are short, as `segments_reduce.cuh` has it.
    let least = if info.width.is_some() { tile } else { 4 * tile };
    let long = elements / (least + 1);
    if matches!(info.form, Form::Scan { .. }) {
        return (elements / tile + long) / u64::from(batch(info)) + long + 1;
    }
    let parts = (elements / tile + long) / 32 + long;
    parts + parts / 16 + long + 1
}
