//! Scans of arrays so small that all blocks run at once.

use super::parts::{MORE_WARPS, NARROW, POLLED_TILES};
use super::{ARRAY_WARPS, Launch, Machine, Scratch};
use crate::gpu::kernel::{Entry, Kernel};
use crate::order::Order;
use crate::rows::Shape;
use crate::spec::{Form, Info};

/// Warps of a block, while the blocks are no more than this part of the multiprocessors: small blocks have less to load
/// and to store each, and many of them have more to read of each other.
const SMALL: [(u64, u32); 4] = [(4, 2), (2, 4), (1, ARRAY_WARPS), (1, MORE_WARPS)];

/// Tiles up to which a single block has the array at one look, and elements up to which it is not busy with them for
/// longer than blocks wait for each other: narrow elements are many to a tile.
const ONE_BLOCK_TILES: u64 = 16;
const ONE_BLOCK_ELEMENTS: u64 = 8 << 10;

/// One way between blocks, where the array has no more batches than the machine has multiprocessors: all of them run at
/// once then.
pub(super) fn scan_resident(
    info: &Info,
    order: &Order,
    shape: &Shape,
    machine: &Machine,
    kernel: impl Fn(Entry, u32) -> Kernel,
) -> Option<Launch> {
    let Form::Scan { exclusive, reverse } = info.form else {
        return None;
    };
    let batches = |warps: u32| order.tiles.div_ceil(u64::from(warps));
    let (_, warps) = SMALL
        .into_iter()
        .find(|&(share, warps)| batches(warps) <= machine.multiprocessors / share)?;
    let one_block = order.tiles <= ONE_BLOCK_TILES && order.n <= ONE_BLOCK_ELEMENTS;
    let most = if info.state.size <= NARROW {
        POLLED_TILES
    } else {
        POLLED_TILES / 2
    };
    if shape.rows != 1 || order.lanes != 32 || one_block || order.tiles > most {
        return None;
    }
    let entry = Entry::ArrayScanResident {
        warps,
        exclusive,
        reverse,
    };
    let words = (order.tiles + batches(warps)) * (info.state.size as u64).div_ceil(4);
    Some(Launch {
        kernel: kernel(entry, warps * 32),
        blocks: batches(warps),
        strides: false,
        scratch: Some(Scratch::Relay { words, tickets: 0 }),
    })
}
