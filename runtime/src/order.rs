//! The order: which element goes to which tile, turn, lane and slot, and the tree that folds them.
//!
//! It follows from the number of elements and the types alone, never from rows, stride, pointers, device or launch, so
//! that a row's bits depend on nothing else. This is its only place: the CPU back end reads it here and kernels get it
//! as template arguments.
//!
//! A *pack* is `v` neighbouring elements, read by one lane: 16 bytes of the widest plain parameter, but in an *odd* line a
//! single one (below). A *turn* is one pack for each of the `lanes` of a group; a *tile* is `turns` turns. With
//! `E = turns × lanes × v`:
//!
//! ```text
//! position p of tile k is element k × E + p,       p = (turn × lanes + lane) × v + slot
//! ```
//!
//! Positions past the last element hold the identity. **Fold of a tile:**
//! - striped (operators of any order): slot by slot down the turns, `acc[slot] = acc[slot] ∘ state(turn, slot)`; then
//!   the slots from left to right; then the lanes by the any-order plan of `lanes`.
//! - blocked (all others): of each turn the slots from left to right, then the lanes by the in-order plan; then the
//!   turns, by the in-order plan of the power of two that holds them, missing ones the identity.
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
//! **Odd lines:** a row, column or segment of more than 64 elements that do not fill packs starts anywhere, whatever stands
//! beside it. It has `v = 1` and more turns instead, so that neighbouring lanes always take neighbouring elements and a
//! warp reads and writes one run of memory. An array starts where it was allocated and keeps its packs: so the row of all
//! elements of an array may be folded by another tree than the array, where their number is odd in this sense.
//!
//! **Lanes of a group:** as many as the packs of a line, rounded up to a power of two, and at most 32, unless the spec says its
//! width. Reductions that fold in order, or by tile, take fewer: the smallest group of at least 8 lanes (128 bytes at a time)
//! whose lanes then hold at most 8 packs and 32 elements. Their lanes tell each other most, and over fewer of them that
//! takes fewer steps, each of which serves several lines.
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

use crate::rows::Shape;
use crate::spec::{Form, Info, ParamKind, TileFold};

/// The widest read of a lane, in bytes.
const PACK_BYTES: usize = 16;
/// Tiles that are folded together at each level.
pub const SPAN: u64 = 32;
/// Packs of an array up to which a warp of a filter takes one turn, or four.
const FEW_PACKS: u64 = 1 << 15;
const MORE_PACKS: u64 = 1 << 18;
/// Elements up to which a line has packs, whatever their number.
const SHORT: u64 = 64;
/// Turns of an odd line: no more values a lane than registers hold.
const MOST_SINGLE: u32 = 32;
/// The same where turns leave states of several words.
const MOST_WIDE: u32 = 16;
/// Lanes that read 128 bytes, a line of the cache, at once.
const LINE: u32 = 8;
/// Packs and elements of a lane of a short line, at most, where few lanes take it.
const FEW_PACKS_HELD: u32 = 8;
const FEW_HELD: u32 = 32;
/// Bytes of a state that a fold in order may keep of many turns.
const WIDE: usize = 8;
/// Bytes of what an instruction takes.
const WORD: usize = 4;

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
    /// The order of a row, column or segment of `n` elements of a spec.
    pub const fn of_line(info: &Info, n: u64) -> Self {
        if is_odd(info, n) {
            Self::with(info, n, 1, most_single(info))
        } else {
            Self::of_array(info, n)
        }
    }

    /// The order of an array of `n` elements of a spec.
    pub const fn of_array(info: &Info, n: u64) -> Self {
        Self::with(info, n, pack(info), most_turns(info))
    }

    /// The order of what a call over rows takes as one.
    pub const fn of_shape(info: &Info, shape: &Shape) -> Self {
        if shape.array {
            Self::of_array(info, shape.cols as u64)
        } else {
            Self::of_line(info, shape.cols as u64)
        }
    }

    /// Elements of a pack of that order: what a call asks before it plans anything.
    pub(crate) const fn pack_of_shape(info: &Info, shape: &Shape) -> u32 {
        if !shape.array && is_odd(info, shape.cols as u64) {
            1
        } else {
            pack(info)
        }
    }

    /// The order of packs of `v`, of which a lane has at most `most` in a tile.
    const fn with(info: &Info, n: u64, v: u32, most: u32) -> Self {
        let lanes = match info.width {
            Some(width) => width,
            None if Self::takes_few(info) => fewest_lanes(n, v, most),
            None => fitting_group(n, v),
        };
        // Both are powers of two: every launch asks this, and a division takes as long as all the rest.
        let chunks = n.div_ceil(1 << (lanes * v).trailing_zeros());
        let tiles = if chunks <= most as u64 {
            1
        } else {
            chunks.div_ceil(most as u64)
        };
        // Balanced, so that no tile is nearly empty; many tiles are all alike, which keeps the kernels few.
        let turns = if tiles > SPAN {
            most
        } else {
            few_kinds(at_least_one(if tiles == 1 {
                chunks
            } else {
                chunks.div_ceil(tiles)
            }) as u32)
        };
        Self {
            n,
            v,
            lanes,
            turns,
            tiles,
        }
    }

    /// Which elements a warp of a filter over an array takes: no fold, so nothing but speed depends on it.
    pub const fn of_filter(info: &Info, n: u64) -> Self {
        let (v, most) = (pack(info), most_turns(info));
        // Few elements are spread over more warps.
        let packs = n.div_ceil(v as u64);
        let wanted = if packs <= FEW_PACKS {
            1
        } else if packs <= MORE_PACKS {
            4
        } else {
            most
        };
        let turns = if wanted < most { wanted } else { most };
        let tiles = at_least_one(n.div_ceil(32 * v as u64 * turns as u64));
        Self {
            n,
            v,
            lanes: 32,
            turns,
            tiles,
        }
    }

    /// Whether the folds of a spec take few lanes: those whose lanes tell each other more than once, or in order. One
    /// instruction then serves several lines, and fewer steps lead over the lanes.
    pub(crate) const fn takes_few(info: &Info) -> bool {
        let folds = matches!(info.fold, TileFold::Tile | TileFold::Blocked);
        info.width.is_none() && folds && matches!(info.form, Form::Reduce)
    }

    /// Whether lines of a spec have packs wherever they start: those that are folded in order to states of more than a word. To
    /// combine these over the lanes, a step for each pair of elements, takes far longer than to read neighbours one by one.
    pub(crate) const fn always_packs(info: &Info) -> bool {
        matches!((info.fold, info.form), (TileFold::Blocked, Form::Reduce))
            && !info.has_apply
            && info.state.size > WORD
    }

    /// The most that a segment takes by packs: those of 32 tiles and less have fewer turns, short ones fewer lanes.
    pub const fn of_segments(info: &Info, n: u64) -> Self {
        Self::most(info, n, pack(info), most_turns(info))
    }

    /// The most that an odd segment takes.
    pub const fn of_odd_segments(info: &Info, n: u64) -> Self {
        Self::most(info, n, 1, most_single(info))
    }

    const fn most(info: &Info, n: u64, v: u32, turns: u32) -> Self {
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
    #[inline]
    pub const fn turn(&self) -> usize {
        (self.lanes * self.v) as usize
    }

    /// Elements of a tile.
    #[inline]
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

/// Whether a line starts anywhere and has no packs.
const fn is_odd(info: &Info, n: u64) -> bool {
    n > SHORT && n.trailing_zeros() < pack(info).trailing_zeros() && !Order::always_packs(info)
}

/// Elements of an odd line that a lane keeps in registers at once: as many as packs would hold, within reason.
const fn most_single(info: &Info) -> u32 {
    // A scan keeps the state of every turn, a fold in order only those of half of the turns.
    let scan = matches!(info.form, Form::Scan { .. });
    let wide =
        scan && info.state.size > 4 || matches!(info.fold, TileFold::Blocked) && info.state.size > WIDE;
    let most = if wide { MOST_WIDE } else { MOST_SINGLE };
    let held = pack(info) * most_turns(info);
    if held < most { held } else { most }
}

/// Above 8 turns the next multiple of 2, above 16 of 4: kernels of fewer kinds, and little that is empty.
const fn few_kinds(turns: u32) -> u32 {
    match turns {
        0..=8 => turns,
        9..=16 => turns.next_multiple_of(2),
        _ => turns.next_multiple_of(4),
    }
}

/// The smallest group that covers `n` elements in one turn, at most a warp.
const fn fitting_group(n: u64, v: u32) -> u32 {
    let packs = n.div_ceil(1 << v.trailing_zeros());
    if packs >= 32 {
        32
    } else {
        (packs as u32).next_power_of_two()
    }
}

/// The same for folds that take few lanes: the smallest group whose lanes then hold little enough, but none of less than a
/// line of the cache where the elements are as many.
const fn fewest_lanes(n: u64, v: u32, most: u32) -> u32 {
    let (least, one_turn) = (fitting_group(n, v * few_turns(v, most)), fitting_group(n, v));
    let line = if one_turn < LINE { one_turn } else { LINE };
    if least < line { line } else { least }
}

const fn few_turns(v: u32, most: u32) -> u32 {
    let held = if FEW_HELD / v < FEW_PACKS_HELD {
        FEW_HELD / v
    } else {
        FEW_PACKS_HELD
    };
    if held < most { held } else { most }
}

const fn at_least_one(x: u64) -> u64 {
    if x == 0 { 1 } else { x }
}
