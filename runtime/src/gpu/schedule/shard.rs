//! Placement of the shard of an array: its state, and its scan after what stands before it.

use super::bulk::{BULK_REDUCERS, scan_bulk};
use super::{
    ARRAY_WARPS, Launch, Machine, Packs, Scratch, WARPS, array_at_once, array_parts, met, parts, rows_at_once,
};
use crate::gpu::kernel::{Entry, Kernel, Load, Tile};
use crate::order::Order;
use crate::rows::Shape;
use crate::spec::{Form, Info, TileFold};

/// The state of a shard of at least one element.
pub(crate) fn shard_total(info: &Info, shape: &Shape, packs: Packs, machine: &Machine) -> Launch {
    let order = Order::of_array(info, shape.cols as u64);
    // Other folds take their elements as they lie: what they combine may change places.
    let reverse = matches!(info.form, Form::Scan { reverse: true, .. })
        && matches!(info.total_fold(), TileFold::Blocked);
    let kernel = |entry, warps: u32| Kernel {
        entry,
        tile: Tile::of(&order),
        load: met(packs.load, reverse),
        store: Load::Any,
        threads: warps * 32,
    };
    let scan = matches!(info.form, Form::Scan { .. });
    // As an array alone is taken: the same bits, in the same time.
    if !scan && let Some((warps, spans, scratch)) = array_parts(info, &order, shape, machine) {
        let at_once = few(warps, array_at_once(info, &order));
        return Launch {
            kernel: kernel(Entry::ShardArray { warps, at_once }, warps),
            blocks: spans,
            strides: true,
            scratch: Some(scratch),
        };
    }
    parts(&order, shape, machine, |warps, part| {
        let entry = Entry::ShardTotal {
            warps,
            part,
            at_once: few(warps, total_at_once(info, &order)),
            scan,
            reverse,
        };
        kernel(entry, warps)
    })
}

/// Blocks that are to share a multiprocessor, which is said of those of [`WARPS`] warps.
const fn few(warps: u32, at_once: u32) -> u32 {
    if warps == WARPS { at_once } else { 0 }
}

/// As many for the total of a shard: that of a scan may be folded another way than a reduction of its operator. What takes a
/// whole tile at a time has the shard's place in registers too, and is left to the compiler.
fn total_at_once(info: &Info, order: &Order) -> u32 {
    match info.total_fold() {
        TileFold::Tile => 0,
        fold => rows_at_once(&Info { fold, ..*info }, order),
    }
}

/// The scan of a shard of at least one element.
pub(crate) fn shard_scan(info: &Info, shape: &Shape, packs: Packs, machine: &Machine) -> Launch {
    let Form::Scan { exclusive, reverse } = info.form else {
        unreachable!("only scans are scanned")
    };
    let order = Order::of_array(info, shape.cols as u64);
    let tile = Tile::of(&order);
    let words = (info.state.size as u64).div_ceil(4);
    let launch = |entry, warps: u32, batches, states| Launch {
        kernel: Kernel {
            entry,
            tile,
            load: met(packs.load, reverse),
            store: met(packs.store, reverse),
            threads: warps * 32,
        },
        blocks: batches,
        strides: true,
        scratch: Some(Scratch::Relay {
            words: states * words,
            tickets: 0,
        }),
    };
    if let Some((
        Entry::ArrayScanBulk {
            tiles,
            reducers,
            stages,
            chunk,
            bytes,
            ..
        },
        _,
    )) = scan_bulk(info, &order, shape, packs, machine)
    {
        let entry = Entry::ArrayScanBulk {
            tiles,
            reducers,
            stages,
            chunk,
            bytes,
            exclusive,
            reverse,
            shard: true,
        };
        let batches = order.tiles.div_ceil(u64::from(tiles));
        return launch(
            entry,
            2 + BULK_REDUCERS + tiles,
            batches,
            order.tiles + 2 * batches,
        );
    }
    // A batch is part of one span of 32 tiles.
    let warps = ARRAY_WARPS.min(32 / tile.groups());
    let entry = Entry::ArrayScan {
        warps,
        exclusive,
        reverse,
        shard: true,
    };
    let batches = order.tiles.div_ceil(u64::from(warps * tile.groups()));
    launch(entry, warps, batches, order.tiles + order.spans() + batches)
}

/// What one warp makes of the messages of all shards.
pub(crate) fn shard_alone(info: &Info, entry: Entry) -> Launch {
    Launch {
        kernel: Kernel {
            entry,
            tile: Tile::of(&Order::of_array(info, 0)),
            load: Load::Any,
            store: Load::Any,
            threads: 32,
        },
        blocks: 1,
        strides: false,
        scratch: None,
    }
}
