//! Rows of many tiles, and arrays as one row: in parts, or by states that go from block to block at once.

use super::{Launch, Machine, Scratch, WARPS, plain_bytes, too_many};
use crate::gpu::kernel::Kernel;
use crate::order::{Order, SPAN};
use crate::rows::Shape;
use crate::spec::{Info, TileFold};

/// Tiles of a row up to which states go from block to block at once.
pub(super) const POLLED_TILES: u64 = 2048;
/// Tiles up to which one block may fold a state of each.
const FEW_TILES: u64 = 1024;
/// Bytes of a state that are two words.
pub(super) const NARROW: usize = 8;
/// Warps of a block where a row has more tiles than its blocks should be.
pub(super) const MORE_WARPS: u32 = 16;

/// Warps and blocks where rows are so few and short that the way between blocks is what takes the time.
pub(super) fn polled(info: &Info, order: &Order, shape: &Shape, machine: &Machine) -> Option<(u32, u64)> {
    let all = (shape.rows as u64).checked_mul(order.tiles)?;
    let at_once = u64::from(WARPS) * machine.multiprocessors;
    // Of narrow elements or wide states a block of so many warps has more than its registers hold.
    let roomy = order.v <= 4 && info.state.size <= 2 * NARROW;
    let most = if roomy { POLLED_TILES } else { FEW_TILES };
    // Up to a tile a warp one block has the whole row.
    let several = order.tiles > u64::from(WARPS) && order.tiles <= most;
    if order.lanes != 32 || !several || all > 2 * at_once {
        return None;
    }
    let warps = if all <= at_once / 4 && info.state.size <= NARROW {
        WARPS / 2
    } else if order.tiles > FEW_TILES {
        MORE_WARPS
    } else {
        WARPS
    };
    Some((
        warps,
        shape.rows as u64 * poll_blocks(order.tiles, u64::from(warps)),
    ))
}

/// Blocks of a row, as `rows_reduce_poll.cuh` counts them: as many for each span of 32 tiles.
fn poll_blocks(tiles: u64, warps: u64) -> u64 {
    tiles.div_ceil(SPAN) * (tiles.next_power_of_two().min(SPAN) / warps)
}

/// Blocks of a reduction in parts that are to share a multiprocessor: folding hides the memory's latency where 24 warps or
/// 32 do, as long as registers hold what a lane has, 32 words of a tile and some states.
fn parts_at_once(info: &Info, order: &Order) -> u32 {
    match (info.fold, info.state.size) {
        _ if order.v > 4 => 0,
        // A value of one word and an index: with the registers of three 32 bytes are spilled.
        (TileFold::Tile, 16) if plain_bytes(info) == 4 => 2,
        (TileFold::Blocked, 0..=4) | (TileFold::Striped | TileFold::Lane, 0..=16) => 4,
        (TileFold::Blocked, 0..=8) | (TileFold::Tile, 0..=16) => 3,
        _ => 0,
    }
}

/// The same of rows, and of shards, which are folded likewise: of elements of two words that are read in packs fewer blocks have more on its way.
pub(super) fn rows_at_once(info: &Info, order: &Order) -> u32 {
    match (info.fold, order.v, plain_bytes(info)) {
        (TileFold::Striped | TileFold::Lane, 2, 8) => 3,
        _ => parts_at_once(info, order),
    }
}

/// The same of an array.
pub(super) fn array_at_once(info: &Info, order: &Order) -> u32 {
    match (info.fold, info.state.size, plain_bytes(info)) {
        // A value of one word, or less, and an index: a whole tile is mostly looked at, no more, and stays in registers.
        (TileFold::Tile, 16, 4) => 4,
        (TileFold::Tile, 16, 0..4) => 2,
        _ => parts_at_once(info, order),
    }
}

/// The warps of a block, the spans of 32 tiles and the scratch of an array, or a row alone, of so many tiles that what they
/// leave, a state each, would keep the block that folds them.
pub(super) fn array_parts(
    info: &Info,
    order: &Order,
    shape: &Shape,
    machine: &Machine,
) -> Option<(u32, u64, Scratch)> {
    if shape.rows != 1 || order.lanes != 32 || order.tiles <= FEW_TILES {
        return None;
    }
    let spans = order.spans();
    let roomy = match info.state.size {
        0..=NARROW => order.v <= 8,
        size => size <= 2 * NARROW,
    };
    let warps = if roomy && spans <= machine.multiprocessors {
        MORE_WARPS
    } else {
        WARPS
    };
    let scratch = Scratch::Parts {
        slots: scratch_slots(order.tiles, SPAN),
        tickets: 1,
    };
    Some((warps, spans, scratch))
}

/// Rows in parts of tiles, folded by the block that comes last.
pub(super) fn parts(
    order: &Order,
    shape: &Shape,
    machine: &Machine,
    kernel: impl Fn(u32, u32) -> Kernel,
) -> Launch {
    let mut part = SPAN as u32;
    // Few long rows: smaller parts, so that every multiprocessor has a block. They leave a state a tile, which one block folds.
    while part > WARPS
        && order.tiles <= FEW_TILES
        && shape.rows as u64 * order.tiles.div_ceil(u64::from(part)) < 2 * machine.multiprocessors
    {
        part /= 2;
    }
    let at_once = order
        .tiles
        .min(u64::from(part))
        .div_ceil(u64::from(32 / order.lanes));
    let warps = (at_once as u32).next_power_of_two().min(WARPS);
    let parts = order.tiles.div_ceil(u64::from(part));
    let scratch = (parts > 1).then(|| Scratch::Parts {
        slots: shape.rows as u64 * scratch_slots(order.tiles, u64::from(part)),
        tickets: shape.rows as u64,
    });
    let blocks = shape.rows as u64 * parts;
    Launch {
        kernel: kernel(warps, part),
        blocks,
        // An array is one long row, whose blocks are alike and never idle.
        strides: too_many(blocks) || shape.rows == 1,
        scratch,
    }
}

/// States of one row in scratch, as `rows_reduce.cuh` counts them.
pub(super) fn scratch_slots(tiles: u64, part: u64) -> u64 {
    let mut level = if part == 32 { tiles.div_ceil(32) } else { tiles };
    let mut slots = level;
    while level > 32 {
        level = level.div_ceil(32);
        slots += level;
    }
    slots
}
