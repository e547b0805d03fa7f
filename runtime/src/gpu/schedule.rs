//! The placement: which warps, blocks and loads carry an order out.
//!
//! It may depend on everything (rows, device, alignment) and changes no bit of any result: the order alone decides
//! those. The numbers here are what was measured to be fast; the tables are read top to bottom, first fit.

mod apply;
mod bulk;
mod columns;
mod filters;
mod parts;
mod scans;
mod segments;
mod shard;
mod staged;

use std::any::TypeId;

use crate::gpu::kernel::{Entry, Kernel, Load, Tile};
use crate::order::Order;
use crate::rows::Shape;
use crate::spec::{Form, Info, ParamKind, TileFold};

pub(crate) use apply::apply;
use bulk::{BULK_REDUCERS, scan_bulk};
pub(crate) use columns::{columns, columns_scan};
pub(crate) use filters::{filter, filter_array};
use parts::{array_at_once, array_parts, parts, polled, rows_at_once, scratch_slots};
use scans::scan_resident;
pub(crate) use segments::{
    segment_groups, segment_places, segments, segments_apply, segments_between, segments_bulk,
    segments_check, segments_filter, segments_filter_order, segments_whole,
};
pub(crate) use shard::{shard_alone, shard_scan, shard_total};
use staged::staged;

/// What placement asks of a device.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machine {
    /// Compute capability: 90 for `sm_90`.
    pub arch: i32,
    /// Multiprocessors.
    pub multiprocessors: u64,
    /// Bytes of shared memory that a block may ask for.
    pub shared: u32,
}

/// One launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Launch {
    /// What runs.
    pub kernel: Kernel,
    /// Blocks.
    pub blocks: u64,
    /// Whether a block takes further work in strides of the grid, so that fewer blocks do too.
    pub strides: bool,
    /// What blocks leave for each other.
    pub scratch: Option<Scratch>,
}

/// Device memory of one launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scratch {
    /// `wf::RowScratch`.
    Parts {
        /// States, one a slot.
        slots: u64,
        /// Words that are zero before and after.
        tickets: u64,
    },
    /// `wf::Relay`, or with tickets `wf::RowRelay`.
    Relay {
        /// Words of its records.
        words: u64,
        /// Words that are zero before and after.
        tickets: u64,
    },
}

/// Rows that a group whose lanes talk has in flight at most: with more, what is kept of them costs more warps than they hide.
const SETS_THAT_TALK: u32 = 4;
/// Columns up to which a kernel is compiled for exactly that many; beyond, where they fill a tile.
const EXACT_COLS: usize = 64;
/// Bytes that a lane should have in flight, in as many loads at most.
const IN_FLIGHT: u32 = 128;
const LOADS_IN_FLIGHT: u32 = 32;
/// Threads of a block whose warps work alone.
const THREADS: u32 = 256;
/// Warps of a block that folds one row.
const WARPS: u32 = 8;
/// Warps of a block that takes part in a single pass over an array.
const ARRAY_WARPS: u32 = 8;
/// Warps of a block that scans one row, at least, where it has so many tiles.
const FEWEST_SCANNING: u32 = 4;
/// Pieces of 32 columns that a warp of a shuffle has in flight.
const SHUFFLE_SETS: u32 = 4;
/// Warps on a multiprocessor below which it idles.
const BUSY_WARPS: u64 = 16;

/// What is known about the packs of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packs {
    /// Of the inputs.
    pub load: Load,
    /// Of the outputs.
    pub store: Load,
    /// Whether every input starts at a multiple of 16 bytes.
    pub starts: bool,
    /// Whether every output does.
    pub outputs: bool,
}

fn exact(order: &Order, cols: usize) -> u32 {
    if cols <= EXACT_COLS || cols == order.tile() {
        cols as u32
    } else {
        0
    }
}

/// Blocks that one launch takes.
const MOST_BLOCKS: u64 = i32::MAX as u64;

/// Whether the blocks of a launch have to take several pieces of work each. They may where each is long; where a
/// multiprocessor holds few, a new block's reads start while others still compute, which strides of the grid never do.
fn too_many(blocks: u64) -> bool {
    blocks > MOST_BLOCKS
}

/// Rows a group has in flight: enough loads to hide the memory's latency, and no more than leave every
/// multiprocessor busy.
fn sets(info: &Info, order: &Order, rows: usize, machine: &Machine) -> u32 {
    let plain = info
        .params
        .iter()
        .filter(|param| param.kind == ParamKind::Plain)
        .count()
        .max(1) as u32;
    let wide = if info.state.size > 16 { 2 } else { 1 };
    let bytes = IN_FLIGHT / (order.turns * order.v * plain_bytes(info).max(1) * wide);
    let wanted = bytes.min(LOADS_IN_FLIGHT / (order.turns * plain)).clamp(1, 8);
    let mut sets = 1 << wanted.ilog2();
    if order.lanes >= 8 {
        sets = sets.min(order.lanes);
    }
    if talks(info) {
        sets = sets.min(SETS_THAT_TALK);
    }
    let warps_alone = rows as u64 / u64::from(32 / order.lanes);
    while sets > 1 && warps_alone < machine.multiprocessors * BUSY_WARPS * u64::from(sets) {
        sets /= 2;
    }
    sets
}

/// Whether the lanes of a group talk about all rows they have in flight at once (`fold_tiles` in `fold.cuh`): of softmax's state and
/// of argmax's, not of welford's three words. A vote is short.
fn talks(info: &Info) -> bool {
    info.fold == TileFold::Tile
        && info.mapped.id != TypeId::of::<bool>()
        && info.state.size != 3 * info.mapped.size
}

/// Whether a block a row leaves much of the machine idle: too few rows, or a last wave of few.
fn idles(rows: u64, machine: &Machine) -> bool {
    let at_once = 2 * machine.multiprocessors;
    rows < machine.multiprocessors || (rows > at_once && 5 * rows < 4 * rows.next_multiple_of(at_once))
}

/// Blocks of warps that each take `rows_a_warp` rows.
fn blocks_of_warps(rows: usize, rows_a_warp: u64) -> u64 {
    blocks_of(THREADS, rows, rows_a_warp)
}

/// The same of blocks of so many threads.
fn blocks_of(threads: u32, rows: usize, rows_a_warp: u64) -> u64 {
    (rows as u64)
        .div_ceil(rows_a_warp)
        .div_ceil(u64::from(threads / 32))
}

/// What one element of each plain parameter takes.
fn plain_bytes(info: &Info) -> u32 {
    bytes_of(info, ParamKind::Plain)
}

/// What one element of each parameter of a kind takes.
fn bytes_of(info: &Info, kind: ParamKind) -> u32 {
    let params = info.params.iter().filter(|param| param.kind == kind);
    params.map(|param| param.ty.size as u32).sum()
}

/// One result a row.
pub(crate) fn reduce(info: &Info, shape: &Shape, packs: Packs, machine: &Machine) -> Launch {
    let order = Order::of_shape(info, shape);
    let tile = Tile::of(&order);
    let kernel = |entry, threads| Kernel {
        entry,
        tile,
        load: packs.load,
        store: Load::Any,
        threads,
    };
    let groups = u64::from(tile.groups());
    if let Some(launch) = staged(info, &order, shape, packs, machine) {
        return launch;
    }
    if order.tiles == 1 {
        let sets = sets(info, &order, shape.rows, machine);
        let entry = Entry::Reduce {
            cols: exact(&order, shape.cols),
            sets,
        };
        let blocks = blocks_of_warps(shape.rows, u64::from(sets) * groups);
        return Launch {
            kernel: kernel(entry, THREADS),
            blocks,
            strides: false,
            scratch: None,
        };
    }
    let warps = (shape.rows as u64).div_ceil(groups);
    if order.tiles <= 4
        && order.tiles <= u64::from(order.lanes)
        && warps >= machine.multiprocessors * BUSY_WARPS
    {
        let blocks = blocks_of_warps(shape.rows, groups);
        return Launch {
            kernel: kernel(Entry::ReduceTiles, THREADS),
            blocks,
            strides: false,
            scratch: None,
        };
    }
    if let Some((warps, blocks)) = polled(info, &order, shape, machine) {
        return Launch {
            kernel: kernel(Entry::ReducePoll { warps }, warps * 32),
            blocks,
            strides: false,
            scratch: Some(Scratch::Relay {
                words: blocks * (info.state.size as u64).div_ceil(4),
                tickets: shape.rows as u64,
            }),
        };
    }
    if let Some((warps, spans, scratch)) = array_parts(info, &order, shape, machine) {
        let at_once = if warps == WARPS {
            array_at_once(info, &order)
        } else {
            0
        };
        return Launch {
            kernel: kernel(Entry::ArrayReduce { warps, at_once }, warps * 32),
            blocks: spans,
            strides: true,
            scratch: Some(scratch),
        };
    }
    parts(&order, shape, machine, |warps, part| {
        let at_once = if warps == WARPS {
            rows_at_once(info, &order)
        } else {
            0
        };
        kernel(Entry::ReduceParts { warps, part, at_once }, warps * 32)
    })
}

/// What is known of the packs of a row that is met from its end, where `reverse` says so: they count from there, so that
/// aligned starts say nothing about them unless they are whole.
fn met(packs: Load, reverse: bool) -> Load {
    if reverse && packs == Load::Aligned {
        Load::Any
    } else {
        packs
    }
}

/// One result an element of a scan.
pub(crate) fn scan(info: &Info, shape: &Shape, packs: Packs, machine: &Machine) -> Launch {
    let Form::Scan { exclusive, reverse } = info.form else {
        unreachable!("only scans are scanned")
    };
    let order = Order::of_shape(info, shape);
    let tile = Tile::of(&order);
    let [load, store] = [packs.load, packs.store].map(|it| met(it, reverse));
    let kernel = |entry, threads| Kernel {
        entry,
        tile,
        load,
        store,
        threads,
    };
    let groups = u64::from(tile.groups());
    if let Some(launch) = staged(info, &order, shape, packs, machine) {
        return launch;
    }
    if order.tiles == 1 {
        let sets = sets(info, &order, shape.rows, machine).min(4);
        let entry = Entry::Scan {
            cols: exact(&order, shape.cols),
            sets,
            exclusive,
            reverse,
        };
        let blocks = blocks_of_warps(shape.rows, u64::from(sets) * groups);
        return Launch {
            kernel: kernel(entry, THREADS),
            blocks,
            strides: false,
            scratch: None,
        };
    }
    if let Some(launch) = scan_resident(info, &order, shape, machine, kernel) {
        return launch;
    }
    if let Some((entry, tiles)) = scan_bulk(info, &order, shape, packs, machine) {
        let batches = order.tiles.div_ceil(u64::from(tiles));
        let words = (order.tiles + 2 * batches) * (info.state.size as u64).div_ceil(4);
        return Launch {
            kernel: kernel(entry, (2 + BULK_REDUCERS + tiles) * 32),
            blocks: batches,
            strides: true,
            scratch: Some(Scratch::Relay { words, tickets: 0 }),
        };
    }
    let batch = u64::from(ARRAY_WARPS) * groups;
    let batches = order.tiles.div_ceil(batch) * shape.rows as u64;
    let many = idles(shape.rows as u64, machine) && order.tiles > 32;
    if many && batch <= 32 && batches < u64::from(u32::MAX / 2) {
        // Few long rows: many blocks a row.
        let states = order.tiles + order.spans() + order.tiles.div_ceil(batch);
        let words = shape.rows as u64 * states * (info.state.size as u64).div_ceil(4);
        let entry = Entry::ArrayScan {
            warps: ARRAY_WARPS,
            exclusive,
            reverse,
            shard: false,
        };
        let scratch = Some(Scratch::Relay { words, tickets: 0 });
        return Launch {
            kernel: kernel(entry, ARRAY_WARPS * 32),
            blocks: batches,
            strides: true,
            scratch,
        };
    }
    // Tiles at a time are warps × groups: a power of two, at most 32. Rows of a few tiles without packs have work enough for
    // a warp each, which waits for no other.
    let alone = order.v == 1 && order.tiles <= 4 && shape.rows as u64 >= machine.multiprocessors * BUSY_WARPS;
    let most = if alone { 1 } else { 16 };
    let pieces = order.tiles.div_ceil(groups);
    let wanted = (pieces as u32).next_power_of_two();
    let mut warps = wanted.min(most).min(order.lanes);
    // A last batch of few tiles keeps all warps of the block waiting: where there are rows enough, smaller blocks waste less.
    let idle = |warps: u32| pieces.next_multiple_of(u64::from(warps)) - pieces;
    let crowd = pieces > u64::from(WARPS) && shape.rows as u64 >= machine.multiprocessors * BUSY_WARPS;
    while crowd && warps > FEWEST_SCANNING && 4 * idle(warps) > pieces {
        warps /= 2;
    }
    let whole = load == Load::Whole && store == Load::Whole;
    let fills = whole && shape.cols as u64 == u64::from(warps) * groups * order.tile() as u64;
    let entry = Entry::ScanTiles {
        warps,
        cols: if fills { shape.cols as u32 } else { 0 },
        exclusive,
        reverse,
    };
    let blocks = shape.rows as u64;
    Launch {
        kernel: kernel(entry, warps * 32),
        blocks,
        strides: too_many(blocks),
        scratch: None,
    }
}

/// One result an element of a shuffle.
pub(crate) fn shuffle(info: &Info, shape: &Shape, machine: &Machine) -> Launch {
    let pieces = shape.rows as u64 * (shape.cols as u64).div_ceil(32);
    let busy = pieces / u64::from(SHUFFLE_SETS) >= machine.multiprocessors * BUSY_WARPS;
    let sets = if busy { SHUFFLE_SETS } else { 1 };
    let entry = Entry::Shuffle {
        width: info.width.unwrap_or(32),
        sets,
    };
    let tile = Tile::of(&Order::of_line(info, 0));
    let kernel = Kernel {
        entry,
        tile,
        load: Load::Any,
        store: Load::Any,
        threads: THREADS,
    };
    let blocks = pieces.div_ceil(u64::from(sets)).div_ceil(u64::from(THREADS / 32));
    Launch {
        kernel,
        blocks,
        strides: true,
        scratch: None,
    }
}
