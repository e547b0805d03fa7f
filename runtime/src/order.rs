//! The order: which element goes to which tile, turn, lane and slot, and the tree that folds them.
//!
//! It follows from the number of elements and the types alone, never from rows, stride, pointers, device or launch, so
//! that a row's bits depend on nothing else. This is its only place: the CPU back end reads it here and kernels get it
//! as template arguments.
//!
//! A *pack* is `v` neighbouring elements (16 bytes of the widest plain parameter), read by one lane. A *turn* is one
//! pack for each of the `lanes` of a group; a *tile* is `turns` turns. With `E = turns × lanes × v`:
//!
//! ```text
//! position p of tile k is element k × E + p,       p = (turn × lanes + lane) × v + slot
//! ```
//!
//! Positions past the last element hold the identity. **Fold of a tile:**
//! - striped (operators of any order): slot by slot down the turns, `acc[slot] = acc[slot] ∘ state(turn, slot)`; then
//!   the slots from left to right; then the lanes by the any-order plan of `lanes`.
//! - blocked (all others): of each turn the slots from left to right, then the lanes by the in-order plan; then the
//!   turns, first to last.
//! - lane (operators with a fold of their own): that fold gives each lane's state; then the lanes by the plan.
//! - tile (softmax, welford, argmin, argmax, count): first what all lanes must know (the maximum; the sum of the
//!   distances from the tile's first element), then a sum that needs it (of the `exp`; of the squared distances from the
//!   mean). Sums go slot by slot down the turns from 0, then the slots from left to right, then the lanes by the
//!   any-order plan; positions without an element add 0.
//!
//! **Fold of the tiles:** groups of 32 neighbours, each by the plan of 32 lanes, missing ones the identity; again on
//! what they gave, until 32 or fewer are left: those by the plan of the power of two that holds them. A group of 32
//! tiles is a *span*.
//!
//! `init` is combined last, on the left of everything; `finish` sees the outcome.
//!
//! **Scan:** in a turn, each lane scans its slots from left to right; the lanes' totals go through the inclusive scan
//! plan of `lanes`, and each lane's prefix is the value of the lane before it. Turns and tiles carry on:
//!
//! ```text
//! local(p)       = turn prefix ∘ (lane prefix ∘ slots up to p)            lane 0 and turn 0 have no prefix
//! turn prefix    = (…(turn total 0 ∘ turn total 1) ∘ …)                   totals of the turns before
//! value(p)       = tile prefix ∘ local(p)                                 the first tile has none, but for `init`
//! tile prefix    = carry ∘ (the scan plan of 32 over the span's tile totals, of the tile before)
//! carry          = (…(init ∘ span total 0) ∘ span total 1) ∘ …
//! ```
//!
//! A missing prefix is left out, not replaced by the identity. An exclusive scan stores the value of the element before,
//! and `init` or the identity first, bit for bit. With `direction = reverse` element n - 1 - p stands at position p.

use crate::spec::{Info, ParamKind};

/// The widest read of a lane, in bytes.
const PACK_BYTES: usize = 16;
/// Tiles that are folded together at each level.
pub const SPAN: u64 = 32;

/// The order of one row, segment or array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Order {
    /// Elements.
    pub n: u64,
    /// Elements of a pack.
    pub v: u32,
    /// Lanes of a group: 1, 2, 4, 8, 16 or 32.
    pub lanes: u32,
    /// Packs of a lane in a tile.
    pub turns: u32,
    /// Tiles; at least one.
    pub tiles: u64,
}

impl Order {
    /// The order of `n` elements of a spec.
    pub const fn new(info: &Info, n: u64) -> Self {
        let v = pack(info);
        let lanes = match info.width {
            Some(width) => width,
            None => fitting_group(n, v),
        };
        let chunks = n.div_ceil(lanes as u64 * v as u64);
        let most = most_turns(info) as u64;
        let tiles = at_least_one(chunks.div_ceil(most));
        // Balanced, so that no tile is nearly empty; many tiles are all alike, which keeps the kernels few.
        let turns = if tiles > SPAN {
            most
        } else {
            at_least_one(chunks.div_ceil(tiles))
        };
        Self {
            n,
            v,
            lanes,
            turns: turns as u32,
            tiles,
        }
    }

    /// Which elements a warp of a filter over an array takes: no fold, so nothing but speed depends on it.
    pub const fn of_filter(info: &Info, n: u64) -> Self {
        let (v, turns) = (pack(info), most_turns(info));
        let tiles = at_least_one(n.div_ceil(32 * v as u64 * turns as u64));
        Self {
            n,
            v,
            lanes: 32,
            turns,
            tiles,
        }
    }

    /// The most that a segment takes: those of 32 tiles and less have fewer turns, short ones fewer lanes.
    pub const fn of_segments(info: &Info, n: u64) -> Self {
        let (v, turns) = (pack(info), most_turns(info));
        let lanes = match info.width {
            Some(width) => width,
            None => 32,
        };
        Self {
            n,
            v,
            lanes,
            turns,
            tiles: at_least_one(n.div_ceil((lanes * v * turns) as u64)),
        }
    }

    /// Elements of a turn.
    pub const fn turn(&self) -> usize {
        (self.lanes * self.v) as usize
    }

    /// Elements of a tile.
    pub const fn tile(&self) -> usize {
        self.turn() * self.turns as usize
    }

    /// Spans of 32 tiles.
    pub const fn spans(&self) -> u64 {
        self.tiles.div_ceil(SPAN)
    }

    /// Lanes of the plan that folds `count` states, of which the whole level has `level`.
    pub const fn states_width(count: u64, level: u64) -> u32 {
        if level > SPAN {
            SPAN as u32
        } else {
            (count as u32).next_power_of_two()
        }
    }
}

/// Elements of a pack: 16 bytes of the widest plain parameter.
pub(crate) const fn pack(info: &Info) -> u32 {
    let (mut widest, mut i) = (1, 0);
    while i < info.params.len() {
        let param = &info.params[i];
        if matches!(param.kind, ParamKind::Plain) && param.ty.size > widest {
            widest = param.ty.size;
        }
        i += 1;
    }
    // A struct of 12 bytes goes one to a pack: a pack is a power of two.
    let fits = if widest > PACK_BYTES {
        1
    } else {
        PACK_BYTES / widest
    };
    1 << fits.ilog2()
}

/// Packs a lane keeps in registers at once.
const fn most_turns(info: &Info) -> u32 {
    let (mut plain, mut i) = (0, 0);
    while i < info.params.len() {
        if matches!(info.params[i].kind, ParamKind::Plain) {
            plain += 1;
        }
        i += 1;
    }
    match plain {
        0 | 1 => 8,
        2 => 4,
        _ => 2,
    }
}

/// The smallest group that covers `n` elements in one turn, at most a warp.
const fn fitting_group(n: u64, v: u32) -> u32 {
    let packs = n.div_ceil(v as u64);
    if packs >= 32 {
        32
    } else {
        (packs as u32).next_power_of_two()
    }
}

const fn at_least_one(x: u64) -> u64 {
    if x == 0 { 1 } else { x }
}
