//! Filters of rows and of whole arrays.

use super::bulk::filter_bulk;
use super::{ARRAY_WARPS, Launch, Machine, Packs, Scratch, THREADS, blocks_of_warps};
use crate::gpu::kernel::{Entry, Kernel, Load, Tile};
use crate::order::Order;
use crate::rows::Shape;
use crate::spec::Info;

/// Shared memory in which a block gathers what it keeps: two blocks share a multiprocessor.
const GATHERED: usize = 24 << 10;

/// What each row keeps.
pub(crate) fn filter(info: &Info, shape: &Shape, packs: Packs) -> Launch {
    let order = Order::of_shape(info, shape);
    let tile = Tile::of(&order);
    let kernel = Kernel {
        entry: Entry::Filter,
        tile,
        load: packs.load,
        store: Load::Any,
        threads: THREADS,
    };
    let blocks = blocks_of_warps(shape.rows, u64::from(tile.groups()));
    Launch {
        kernel,
        blocks,
        strides: false,
        scratch: None,
    }
}

/// What a whole array keeps, or with `indices` where that stood.
pub(crate) fn filter_array(info: &Info, n: u64, packs: Packs, indices: bool, machine: &Machine) -> Launch {
    let order = Order::of_filter(info, n);
    let kernel = |entry, threads| Kernel {
        entry,
        tile: Tile::of(&order),
        load: packs.load,
        store: Load::Any,
        threads,
    };
    let launch = |entry: Entry, warps: u32, batch: u32| {
        let blocks = order.tiles.div_ceil(u64::from(batch));
        Launch {
            kernel: kernel(entry, warps * 32),
            blocks,
            strides: !entry.is_resident(),
            scratch: Some(Scratch::Relay {
                words: blocks,
                tickets: 0,
            }),
        }
    };
    if let Some((entry, warps, tiles)) = filter_bulk(info, &order, packs, indices, machine) {
        return launch(entry, warps, tiles);
    }
    let kept = if indices {
        8
    } else {
        info.results.iter().map(|ty| ty.size.next_multiple_of(8)).sum()
    };
    let mut warps = ARRAY_WARPS;
    while warps > 1 && warps as usize * order.turn() * kept > GATHERED {
        warps /= 2;
    }
    let entry = Entry::ArrayFilter {
        warps,
        indices,
        // Two blocks fit on every multiprocessor: kernels are compiled so.
        resident: order.tiles.div_ceil(u64::from(warps)) <= 2 * machine.multiprocessors,
    };
    launch(entry, warps, warps)
}
