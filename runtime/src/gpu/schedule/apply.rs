//! The launches of `apply` over rows.

use super::staged::staged;
use super::{
    Launch, Machine, Packs, Scratch, THREADS, blocks_of, exact, idles, parts, plain_bytes, sets, too_many,
};
use crate::gpu::kernel::{Entry, Kernel, Load, Tile};
use crate::order::Order;
use crate::rows::Shape;
use crate::spec::{Info, ParamKind};

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
        // Lanes of few have enough under way with one row, unless each has very little of it: more only take registers.
        let most = match (order.lanes, order.turns) {
            (32, _) | (_, 1) => 4,
            (_, 2) if order.v <= 2 => 2,
            _ => 1,
        };
        let sets = sets(info, &order, shape.rows, machine).min(most);
        // Warps that compute for long, with rows of halves: the next ones of the multiprocessor begin as few end, not as many do.
        let threads = if order.lanes == 32 && plain_bytes(info) == 2 {
            FEW_THREADS
        } else {
            THREADS
        };
        let entry = Entry::Apply {
            cols: exact(&order, shape.cols),
            tiles: 1,
            sets,
            at_once: at_once(info, &order, threads),
        };
        let blocks = blocks_of(threads, shape.rows, u64::from(sets) * groups);
        return one(entry, threads, blocks, false);
    }
    if crowded(&order)
        && let Some(launch) = cluster(info, &order, shape, packs, machine)
    {
        return (None, launch);
    }
    if order.tiles <= 32 {
        let threads = 32 * order.tiles.div_ceil(groups) as u32;
        let at_once = at_once(info, &order, threads);
        return one(Entry::ApplyBlock { at_once }, threads, rows, too_many(rows));
    }
    if let Some(launch) = cluster(info, &order, shape, packs, machine) {
        return (None, launch);
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

/// Elements of a lane that leave the registers of 1024 threads room for the rest.
const HELD: u32 = 32;

/// Whether a block for the whole row would leave its lanes fewer registers than their elements take.
fn crowded(order: &Order) -> bool {
    order.tiles > 16 && order.v * order.turns > HELD
}

/// Threads of a small block whose warps work alone.
const FEW_THREADS: u32 = 64;
/// Blocks of a cluster, as `cluster.cuh` has it.
pub(crate) const CLUSTER: u64 = 8;
/// Groups of warps of a block that take rows in turn, at most: while one group waits to be told the state of its row the others
/// work, without which a row takes longer than to read it twice.
const CLUSTER_GROUPS: u32 = 5;
/// Warps of all groups. With the one that copies they are 28, or 20 where a lane holds more than 32 elements: registers are
/// handed out to four warps at a time.
const GROUPED_WARPS: u32 = 27;
const LADEN_WARPS: u32 = 19;
/// Rows that a block copies ahead, at most, where that is more than its groups: what more of them would take, the L1 cache makes
/// better use of.
const CLUSTER_STAGES: u32 = 4;
/// Shared memory that the kernel declares itself, besides the states that blocks tell each other.
const CLUSTER_PLACES: u32 = 1 << 10;

/// Rows that no block can hold, by clusters of blocks, where the machine has them: each element is read once.
fn cluster(info: &Info, order: &Order, shape: &Shape, packs: Packs, machine: &Machine) -> Option<Launch> {
    let params = info
        .params
        .iter()
        .filter(|param| param.kind == ParamKind::Plain)
        .count() as u32;
    let bytes = plain_bytes(info);
    let warps = order.tiles.div_ceil(CLUSTER);
    let clusters = machine.multiprocessors / CLUSTER;
    let laden = order.v * order.turns > HELD;
    let most = if laden { LADEN_WARPS } else { GROUPED_WARPS };
    let fits = order.lanes == 32 && 2 * warps <= u64::from(most) && bytes > 0;
    let rows = shape.rows as u64;
    // Fewer multiprocessors than a cluster has blocks hold none.
    if machine.arch < 90 || !fits || clusters == 0 || rows < clusters || rows >= u64::from(u32::MAX / 2) {
        return None;
    }
    let warps = warps as u32;
    let room = |groups: u32| {
        let words = warps * (info.state.size as u32).div_ceil(4);
        let told = 2 * groups * (1 + CLUSTER as u32) * words.next_multiple_of(4) * 4;
        machine.shared.saturating_sub(CLUSTER_PLACES + told)
    };
    let stage = warps * order.tile() as u32 * bytes + 32 * params;
    // Of few warps with few registers two groups are slower than to read twice.
    let least = if laden { 3 } else { 2 };
    // A row is drawn ahead of those that all groups are at.
    let groups = (least..=CLUSTER_GROUPS)
        .rev()
        .find(|&groups| groups * warps <= most && room(groups) / stage > groups)?;
    let stages = room(groups) / stage;
    let entry = Entry::ApplyCluster {
        warps,
        groups,
        stages: stages.min(CLUSTER_STAGES.max(groups + 1)),
        bytes,
        params,
    };
    Some(Launch {
        kernel: Kernel {
            entry,
            tile: Tile::of(order),
            load: packs.load,
            store: packs.store,
            threads: (1 + groups * warps) * 32,
        },
        blocks: clusters * CLUSTER,
        // Clusters draw their rows.
        strides: false,
        scratch: Some(Scratch::Relay { words: 0, tickets: 0 }),
    })
}

/// Blocks of `threads` that are to share a multiprocessor, where the compiler takes more registers than lanes without packs
/// need: warps that wait for memory or for each other at a barrier are too few then. Two, with half of the registers, rather than a
/// block of at most 16 warps alone.
fn at_once(info: &Info, order: &Order, threads: u32) -> u32 {
    let warps = match order.turns {
        17..=24 => 32,
        25.. => 24,
        _ => return 0,
    };
    if order.v > 1 || plain_bytes(info) > 4 || info.state.size > 16 {
        return 0;
    }
    match warps * 32 / threads {
        1 if threads <= 512 => 2,
        blocks => blocks,
    }
}
