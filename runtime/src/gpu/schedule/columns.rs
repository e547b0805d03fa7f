//! Along columns.

use super::{Launch, Machine, Scratch, WARPS, bytes_of, plain_bytes, scratch_slots, too_many};
use crate::gpu::kernel::{Entry, Kernel, Load, Tile};
use crate::order::Order;
use crate::rows::Shape;
use crate::spec::{Form, Info, ParamKind};

/// Pieces of work a multiprocessor: so many that the last of them leave none idle for long.
const PIECES: u64 = 64;
/// The same where columns have more than [`FEW_TILES`], whose states the last block folds.
const FEWER_PIECES: u64 = 8;
const FEW_TILES: u64 = 512;

/// Columns that a block of `columns_reduce.cuh` takes.
const fn column_block(state: usize) -> u64 {
    if state <= 32 { 32 } else { 16 }
}

/// A kernel whose lanes read and write columns: neighbours are a row apart, so that nothing is loaded or stored in packs.
fn kernel(entry: Entry, order: &Order, threads: u32) -> Kernel {
    Kernel {
        entry,
        tile: Tile::of(order),
        load: Load::Any,
        store: Load::Any,
        threads,
    }
}

/// One result a column.
pub(crate) fn columns(info: &Info, shape: &Shape, machine: &Machine) -> Launch {
    let order = Order::of_line(info, shape.rows as u64);
    let blocks = (shape.cols as u64).div_ceil(column_block(info.state.size));
    let pieces = if order.tiles <= FEW_TILES {
        PIECES
    } else {
        FEWER_PIECES
    };
    let mut part = 32_u32;
    while part > 1 && blocks * order.tiles.div_ceil(u64::from(part)) < pieces * machine.multiprocessors {
        part /= 2;
    }
    let parts = order.tiles.div_ceil(u64::from(part));
    let scratch = (parts > 1).then(|| Scratch::Parts {
        slots: shape.cols as u64 * scratch_slots(order.tiles, u64::from(part)),
        tickets: blocks,
    });
    // Left to itself the compiler has few of a lane's elements on their way, in few registers.
    let narrow = plain_bytes(info) <= 4 && info.state.size <= 4;
    let entry = Entry::Columns {
        warps: WARPS,
        part,
        at_once: if narrow { 3 } else { 0 },
    };
    Launch {
        kernel: kernel(entry, &order, WARPS * 32),
        blocks: blocks * parts,
        strides: too_many(blocks * parts),
        scratch,
    }
}

/// One result an element, from its column.
pub(crate) fn columns_scan(info: &Info, shape: &Shape) -> Launch {
    let Form::Scan { exclusive, reverse } = info.form else {
        unreachable!("only scans are scanned")
    };
    let order = Order::of_line(info, shape.rows as u64);
    if let Some(launch) = tile_by_tile(info, &order, shape) {
        return launch;
    }
    // More warps where each lane has many elements, so that they fit into registers.
    let warps = if order.v > 4 { 2 * WARPS } else { WARPS };
    // As `scan_columns` has it.
    let of_a_warp = match info.state.size {
        0..=16 => 32,
        17..=32 => 16,
        _ => 8,
    };
    let columns = of_a_warp * u64::from(warps / order.lanes.min(warps));
    let entry = Entry::ColumnsScan {
        warps,
        many: order.tiles > 1,
        exclusive,
        reverse,
    };
    Launch {
        kernel: kernel(entry, &order, warps * 32),
        blocks: (shape.cols as u64).div_ceil(columns),
        strides: true,
        scratch: None,
    }
}

/// Words of elements or states that a thread keeps of a tile, and threads of a multiprocessor that have registers for them.
const HELD: [(u64, u32); 2] = [(32, 1024), (64, 512)];
/// Bytes of shared memory of a block that asks for none at its launch.
const SHARED: u64 = 48 << 10;
/// What is more than a record of each column in it.
const SHARED_BESIDE: u64 = 512;

/// Many blocks a column, each of which keeps a tile of some columns, where columns have more than one and threads can.
fn tile_by_tile(info: &Info, order: &Order, shape: &Shape) -> Option<Launch> {
    let Form::Scan { exclusive, reverse } = info.form else {
        return None;
    };
    if order.tiles == 1 || order.lanes < 8 {
        return None;
    }
    let state = info.state.size as u64;
    let element = state.max(u64::from(plain_bytes(info))) + u64::from(bytes_of(info, ParamKind::PerColumn));
    let held = u64::from(order.turns * order.v) * element.div_ceil(4);
    let &(_, most) = HELD.iter().find(|&&(words, _)| held <= words)?;
    let handed = if exclusive { 2 } else { 1 };
    // The wider the run of a row that a block takes, the better for the memory: as wide as shared memory allows.
    let packs = u64::from(order.turns * order.lanes);
    let shared = |columns: u64| (packs * columns * handed + 4 * columns) * state.max(4) + SHARED_BESIDE;
    let columns = [16, 8, 4]
        .into_iter()
        .find(|&columns| shared(columns) <= SHARED)?;
    let across = (shape.cols as u64).div_ceil(columns);
    let units = across.checked_mul(order.tiles)?;
    if units > u64::from(u32::MAX / 2) {
        return None;
    }
    // Where each element is a pack of its own, more registers are worth more than more warps.
    let most = if order.v == 1 && columns < 16 {
        most / 4 * 3
    } else {
        most
    };
    let threads = columns as u32 * order.lanes;
    let entry = Entry::ColumnsScanTiles {
        columns: columns as u32,
        at_once: most / threads,
        exclusive,
        reverse,
    };
    let words = across * columns * (order.tiles + order.spans()) * (handed * state).div_ceil(4);
    Some(Launch {
        kernel: kernel(entry, order, threads),
        blocks: units,
        strides: true,
        scratch: Some(Scratch::Relay { words, tickets: 0 }),
    })
}
