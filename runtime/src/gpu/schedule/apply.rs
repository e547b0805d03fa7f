//! The launches of `apply` over rows.

use super::staged::staged;
use super::{
    Launch, Machine, Packs, THREADS, blocks_of_warps, exact, idles, parts, plain_bytes, sets, too_many,
};
use crate::gpu::kernel::{Entry, Kernel, Load, Tile};
use crate::order::Order;
use crate::rows::Shape;
use crate::spec::Info;

/// One result an element of a reduction. The first launch, where there are two, leaves the rows' states.
pub(crate) fn apply(info: &Info, shape: &Shape, packs: Packs, machine: &Machine) -> (Option<Launch>, Launch) {
    let order = Order::of_shape(info, shape);
    let tile = Tile::of(&order);
    let kernel = |entry, threads| Kernel {
        entry,
        tile,
        load: packs.load,
        store: packs.store,
        threads,
    };
    let groups = u64::from(tile.groups());
    let rows = shape.rows as u64;
    let one = |entry, threads, blocks, strides| {
        (
            None,
            Launch {
                kernel: kernel(entry, threads),
                blocks,
                strides,
                scratch: None,
            },
        )
    };
    if let Some(launch) = staged(info, &order, shape, packs, machine) {
        return (None, launch);
    }
    if order.tiles == 1 {
        let sets = sets(info, &order, shape.rows, machine).min(4);
        let entry = Entry::Apply {
            cols: exact(&order, shape.cols),
            tiles: 1,
            sets,
            at_once: at_once(info, &order, THREADS),
        };
        return one(
            entry,
            THREADS,
            blocks_of_warps(shape.rows, u64::from(sets) * groups),
            false,
        );
    }
    if order.tiles <= 32 {
        let threads = 32 * order.tiles.div_ceil(groups) as u32;
        let at_once = at_once(info, &order, threads);
        return one(Entry::ApplyBlock { at_once }, threads, rows, too_many(rows));
    }
    if order.tiles <= 1024 && !idles(rows, machine) {
        return one(Entry::ApplyAgain { warps: 16 }, 512, rows, too_many(rows));
    }
    let first = parts(&order, shape, machine, |warps, part| Kernel {
        store: Load::Any,
        ..kernel(Entry::TotalsParts { warps, part }, warps * 32)
    });
    let blocks = (rows * order.tiles).div_ceil(groups * u64::from(THREADS / 32));
    let second = Launch {
        kernel: kernel(Entry::ApplyTotals, THREADS),
        blocks,
        strides: true,
        scratch: None,
    };
    (Some(first), second)
}

/// Blocks of `threads` that are to share a multiprocessor, where the compiler takes more registers than lanes without packs
/// need: warps that wait for memory or for each other at a barrier are too few then.
fn at_once(info: &Info, order: &Order, threads: u32) -> u32 {
    let warps = match order.turns {
        17..=24 => 32,
        25.. => 24,
        _ => return 0,
    };
    if order.v == 1 && plain_bytes(info) <= 4 && info.state.size <= 16 {
        warps * 32 / threads
    } else {
        0
    }
}
