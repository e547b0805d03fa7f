//! A line folded to one state, in the order that [`crate::order`] states.
//!
//! Every length that a turn, a pack or a group may have is a constant here, as loops over arrays of a constant length are
//! what the compiler turns into vector instructions, and short rows spend their time in nothing else.

use warpfold_lanes::{fold, run};

use crate::cpu::SMALL;
use crate::cpu::line::Line;
use crate::cpu::parallel::parts;
use crate::cpu::plans::Plans;
use crate::order::{Order, SPAN, pack};
use crate::spec::{Fold, Form, Info, Tile, TileFold};

/// Turns of a tile, at most.
const MOST_TURNS: usize = 32;
/// Lanes of a group, at most.
const MOST_LANES: usize = 32;
/// Positions of a turn that are folded at a time.
const BLOCK: usize = 32;
/// Positions that are read in place, whatever they hold.
const FEW: usize = 4;
/// Elements from which one line is worth several threads.
const SHARE_FROM: u64 = 1 << 17;

/// Memory that one thread uses for every line it folds.
pub(crate) struct Scratch<S: Fold> {
    /// The mapped elements of one tile.
    mapped: Vec<S::Mapped>,
    /// The elements of one lane.
    lane: Vec<S::Mapped>,
    /// The states of the tiles of one span.
    tiles: Vec<S::State>,
}

impl<S: Fold> Default for Scratch<S> {
    fn default() -> Self {
        Self {
            mapped: Vec::new(),
            lane: Vec::new(),
            tiles: Vec::new(),
        }
    }
}

/// The state of the whole line, with `init`.
#[inline]
pub(crate) fn total<S: Fold>(line: &Line<'_, S>, scratch: &mut Scratch<S>) -> S::State {
    with_init::<S>(folded(line, scratch))
}

/// `init`, where there is one, combined with the total of everything.
pub(crate) fn with_init<S: Fold>(total: S::State) -> S::State {
    match S::init() {
        Some(init) => S::combine(init, total),
        None => total,
    }
}

/// The state of the whole line, without `init`. Of a scan from the last element to the first they are met in that order.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn folded<S: Fold>(line: &Line<'_, S>, scratch: &mut Scratch<S>) -> S::State {
    if line.order.tiles == 1 {
        tile(line, 0, scratch)
    } else {
        long(line, scratch)
    }
}

/// The same of more than a tile.
#[inline(never)]
fn long<S: Fold>(line: &Line<'_, S>, scratch: &mut Scratch<S>) -> S::State {
    let order = &line.order;
    if order.n < SHARE_FROM {
        let spans = (0..order.spans()).map(|index| span(line, index, scratch));
        levels::<S>(line.plans, spans.collect())
    } else {
        let mut spans = vec![S::identity(); order.spans() as usize];
        parts(&mut spans, 0, 1, &|first, spans| {
            let mut own = Scratch::default();
            for (state, index) in spans.iter_mut().zip(first as u64..) {
                *state = span(line, index, &mut own);
            }
        });
        levels::<S>(line.plans, spans)
    }
}

/// Folds states as those of neighbouring tiles are, in groups of 32, until one is left. There is at least one.
pub(crate) fn levels<S: Fold>(plans: &Plans, mut states: Vec<S::State>) -> S::State {
    while states.len() > 1 {
        let level = states.len() as u64;
        states = states
            .chunks_mut(SPAN as usize)
            .map(|group| group_of::<S>(plans, group, level))
            .collect();
    }
    states[0]
}

/// The state of one span of tiles.
fn span<S: Fold>(line: &Line<'_, S>, index: u64, scratch: &mut Scratch<S>) -> S::State {
    let order = &line.order;
    let (first, end) = (index * SPAN, order.tiles.min((index + 1) * SPAN));
    let mut states = std::mem::take(&mut scratch.tiles);
    states.clear();
    states.extend((first..end).map(|k| tile(line, k, scratch)));
    let state = group_of::<S>(line.plans, &states, order.tiles);
    scratch.tiles = states;
    state
}

/// Folds up to 32 states of a level of `level`.
fn group_of<S: Fold>(plans: &Plans, states: &[S::State], level: u64) -> S::State {
    let width = Order::states_width(states.len() as u64, level);
    let mut lanes = [S::identity(); SPAN as usize];
    lanes[..states.len()].copy_from_slice(states);
    across::<S>(plans, &lanes[..width as usize])
}

/// Folds the lanes of a group by the proved plan.
#[cfg_attr(not(debug_assertions), inline(always))]
fn across<S: Fold>(plans: &Plans, lanes: &[S::State]) -> S::State {
    if SMALL {
        let mut own = [lanes[0]; MOST_LANES];
        let own = &mut own[..lanes.len()];
        own.copy_from_slice(lanes);
        if own.len() > 1 {
            let plan = plans.reduce(own.len() as u32, S::INFO.order);
            run(plan, own, S::identity(), S::combine);
        }
        return own[0];
    }
    match lanes.len() {
        2 => of_width::<S, 2>(plans, lanes),
        4 => of_width::<S, 4>(plans, lanes),
        8 => of_width::<S, 8>(plans, lanes),
        16 => of_width::<S, 16>(plans, lanes),
        32 => of_width::<S, 32>(plans, lanes),
        _ => lanes[0],
    }
}

/// The same of `N` lanes.
#[cfg_attr(not(debug_assertions), inline(always))]
fn of_width<S: Fold, const N: usize>(plans: &Plans, lanes: &[S::State]) -> S::State {
    let mut own = [lanes[0]; N];
    own.copy_from_slice(lanes);
    fold(
        plans.reduce(N as u32, S::INFO.order),
        own,
        S::identity(),
        S::combine,
    )
}

/// The state of one tile.
#[cfg_attr(not(debug_assertions), inline(always))]
fn tile<S: Fold>(line: &Line<'_, S>, index: u64, scratch: &mut Scratch<S>) -> S::State {
    let first = index * line.order.tile() as u64;
    // Constants, so that what a spec does not use is not generated for it.
    if const { matches!(S::INFO.total_fold(), TileFold::Striped) } {
        turns(line, first, line.order.turns)
    } else if const { matches!(S::INFO.total_fold(), TileFold::Blocked) } {
        blocked(line, first)
    } else if const { matches!(S::INFO.total_fold(), TileFold::Lane) } {
        by_lane(line, first, scratch)
    } else {
        by_tile(line, first, scratch)
    }
}

/// Each turn from its first element to its last, then the turns.
#[inline]
fn blocked<S: Fold>(line: &Line<'_, S>, first: u64) -> S::State {
    let (turn, count) = (line.order.turn() as u64, line.order.turns as usize);
    if count == 1 {
        return turns(line, first, 1);
    }
    let mut states = [S::identity(); MOST_TURNS];
    for (t, state) in (0..).zip(&mut states[..count]) {
        *state = turns(line, first + t * turn, 1);
    }
    across::<S>(line.plans, &states[..count.next_power_of_two()])
}

/// `count` turns from `first` on: slot by slot down the turns, then the slots of each lane from left to right, then the
/// lanes.
#[cfg_attr(not(debug_assertions), inline(always))]
fn turns<S: Fold>(line: &Line<'_, S>, first: u64, count: u32) -> S::State {
    if SMALL {
        return one_by_one(line, first, count);
    }
    match line.order.turn() {
        1 => block::<S, 1>(line, first, count),
        2 => block::<S, 2>(line, first, count),
        4 => block::<S, 4>(line, first, count),
        8 => block::<S, 8>(line, first, count),
        16 => block::<S, 16>(line, first, count),
        32 => block::<S, 32>(line, first, count),
        // More than a warp has lanes: there are packs.
        turn => {
            let mut lanes = [S::identity(); MOST_LANES];
            match turn / BLOCK {
                blocks if count == 1 => {
                    for number in 0..blocks {
                        let states = slots::<S, BLOCK>(line, first + (number * BLOCK) as u64, 1);
                        put::<S>(&mut lanes, number, states);
                    }
                }
                2 => by_turn::<S, 2>(line, first, count, &mut lanes),
                4 => by_turn::<S, 4>(line, first, count, &mut lanes),
                8 => by_turn::<S, 8>(line, first, count, &mut lanes),
                _ => by_turn::<S, 16>(line, first, count, &mut lanes),
            }
            across::<S>(line.plans, &lanes[..line.order.lanes as usize])
        }
    }
}

/// The lanes of several turns of `B` blocks, which are read in the order in which they lie in memory: one block down all
/// turns would be a step of a few lines at a time, which long rows wait for.
#[inline(never)]
fn by_turn<S: Fold, const B: usize>(
    line: &Line<'_, S>,
    first: u64,
    count: u32,
    lanes: &mut [S::State; MOST_LANES],
) {
    let at = |t: u64, number: usize| first + t * (B * BLOCK) as u64 + (number * BLOCK) as u64;
    let mut blocks: [[S::State; BLOCK]; B] = std::array::from_fn(|number| read(line, at(0, number)));
    for t in 1..u64::from(count) {
        for (number, states) in blocks.iter_mut().enumerate() {
            onto::<S, BLOCK>(states, &read(line, at(t, number)));
        }
    }
    for (number, states) in blocks.into_iter().enumerate() {
        put::<S>(lanes, number, left_to_right::<S, BLOCK>(line, states));
    }
}

/// Puts the lanes of one block of a turn to where they belong.
#[cfg_attr(not(debug_assertions), inline(always))]
fn put<S: Fold>(lanes: &mut [S::State; MOST_LANES], number: usize, states: [S::State; BLOCK]) {
    let own = const { BLOCK / pack(&S::INFO) as usize };
    lanes[number * own..][..own].copy_from_slice(&states[..own]);
}

/// [`turns`] of `N` elements.
#[cfg_attr(not(debug_assertions), inline(always))]
fn block<S: Fold, const N: usize>(line: &Line<'_, S>, first: u64, count: u32) -> S::State {
    let lanes = slots::<S, N>(line, first, count);
    // Of odd lines, which have no packs, each position is a lane.
    let full = const { pack(&S::INFO) as usize };
    if line.order.v as usize == full && N >= full {
        across::<S>(line.plans, &lanes[..N / full])
    } else {
        across::<S>(line.plans, &lanes)
    }
}

/// The lanes that `N` neighbouring positions of a turn belong to: each position down the turns, then the slots of each lane.
/// Fewer than `N` where lanes have several.
#[cfg_attr(not(debug_assertions), inline(always))]
fn slots<S: Fold, const N: usize>(line: &Line<'_, S>, first: u64, count: u32) -> [S::State; N] {
    if count == 1 && is_whole::<S, N>(line, first) {
        left_to_right::<S, N>(line, line.block(first))
    } else if count == 1 && N <= FEW {
        left_to_right::<S, N>(line, scattered(line, first))
    } else {
        other_slots::<S, N>(line, first, count)
    }
}

/// The same of several turns, or of elements that are not all there: apart from the rest, which short rows go through.
#[inline(never)]
fn other_slots<S: Fold, const N: usize>(line: &Line<'_, S>, first: u64, count: u32) -> [S::State; N] {
    if count == 1 {
        left_to_right::<S, N>(line, scattered(line, first))
    } else {
        left_to_right::<S, N>(line, down(line, first, count))
    }
}

/// `N` neighbouring positions from `first`, each folded down the turns. Apart from what follows, so that each turn is read as
/// it lies in memory and not as the lanes want it afterwards.
#[inline(never)]
fn down<S: Fold, const N: usize>(line: &Line<'_, S>, first: u64, count: u32) -> [S::State; N] {
    let mut states = read(line, first);
    for t in 1..u64::from(count) {
        onto::<S, N>(&mut states, &read(line, first + t * line.order.turn() as u64));
    }
    states
}

/// The states at `N` neighbouring positions from `first`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn read<S: Fold, const N: usize>(line: &Line<'_, S>, first: u64) -> [S::State; N] {
    if is_whole::<S, N>(line, first) {
        line.block(first)
    } else {
        scattered(line, first)
    }
}

/// Combines each state with the next one below it.
#[cfg_attr(not(debug_assertions), inline(always))]
fn onto<S: Fold, const N: usize>(states: &mut [S::State; N], next: &[S::State; N]) {
    for (state, next) in states.iter_mut().zip(next) {
        *state = S::combine(*state, *next);
    }
}

/// Whether `N` positions from `first` on are as many neighbouring elements in memory, all of them live.
#[cfg_attr(not(debug_assertions), inline(always))]
fn is_whole<S: Fold, const N: usize>(line: &Line<'_, S>, first: u64) -> bool {
    !const { is_backward(&S::INFO) } && line.is_whole(first, N as u64)
}

/// The states at `N` positions from `first`, the identity where there is no live element.
#[cfg_attr(not(debug_assertions), inline(always))]
fn scattered<S: Fold, const N: usize>(line: &Line<'_, S>, first: u64) -> [S::State; N] {
    if const { is_backward(&S::INFO) } {
        std::array::from_fn(|i| line.met(first + i as u64))
    } else {
        line.scattered(first)
    }
}

/// Whether elements are met from the last to the first where their order matters.
const fn is_backward(info: &Info) -> bool {
    matches!(info.form, Form::Scan { reverse: true, .. }) && matches!(info.total_fold(), TileFold::Blocked)
}

/// The slots of each lane's pack from left to right.
#[allow(
    clippy::needless_range_loop,
    reason = "lanes and slots are counted by constants"
)]
#[cfg_attr(not(debug_assertions), inline(always))]
fn left_to_right<S: Fold, const N: usize>(line: &Line<'_, S>, states: [S::State; N]) -> [S::State; N] {
    let full = const { pack(&S::INFO) as usize };
    if line.order.v as usize != full {
        return states;
    }
    let mut lanes = [S::identity(); N];
    for lane in 0..N / full {
        lanes[lane] = states[lane * full];
        for slot in 1..full {
            lanes[lane] = S::combine(lanes[lane], states[lane * full + slot]);
        }
    }
    lanes
}

/// [`turns`] with one loop for every length.
fn one_by_one<S: Fold>(line: &Line<'_, S>, first: u64, count: u32) -> S::State {
    let (v, turn) = (u64::from(line.order.v), line.order.turn() as u64);
    let mut lanes = [S::identity(); MOST_LANES];
    let lanes = &mut lanes[..line.order.lanes as usize];
    for (lane, state) in (0..).zip(&mut *lanes) {
        for slot in 0..v {
            let at = |t: u64| scattered::<S, 1>(line, first + t * turn + lane * v + slot)[0];
            let own = (1..u64::from(count)).fold(at(0), |own, t| S::combine(own, at(t)));
            *state = if slot == 0 { own } else { S::combine(*state, own) };
        }
    }
    across::<S>(line.plans, lanes)
}

/// Each lane by the operator's own fold, then the lanes.
fn by_lane<S: Fold>(line: &Line<'_, S>, first: u64, scratch: &mut Scratch<S>) -> S::State {
    let order = &line.order;
    let (v, turn) = (order.v as usize, order.turn());
    let live = line.live.saturating_sub(first).min(order.tile() as u64) as usize;
    let mut lanes = [S::identity(); MOST_LANES];
    if live > 0 {
        // What stands past the live elements is never looked at; it only has to be something.
        let filler = S::map(&line.bound, line.at(first));
        scratch.mapped.clear();
        scratch.mapped.resize(order.tile(), filler);
        line.mapped(first, &mut scratch.mapped[..live]);
        for (lane, state) in lanes.iter_mut().enumerate().take(order.lanes as usize) {
            scratch.lane.clear();
            for packs in scratch.mapped.chunks_exact(turn) {
                scratch.lane.extend_from_slice(&packs[lane * v..][..v]);
            }
            let zero = line.start.index + first;
            let (start, limit) = (zero + (lane * v) as u64, zero + live as u64);
            *state = S::fold_lane(&scratch.lane, v, start, turn as u64, limit);
        }
    }
    across::<S>(line.plans, &lanes[..order.lanes as usize])
}

/// The whole tile by the operator's own fold.
fn by_tile<S: Fold>(line: &Line<'_, S>, first: u64, scratch: &mut Scratch<S>) -> S::State {
    let order = &line.order;
    let live = line.live.saturating_sub(first).min(order.tile() as u64) as usize;
    if live == 0 {
        return S::identity();
    }
    scratch.mapped.clear();
    scratch.mapped.resize(live, S::map(&line.bound, line.at(first)));
    line.mapped(first, &mut scratch.mapped);
    let shape = Tile {
        v: order.v as usize,
        lanes: order.lanes as usize,
        first: line.start.index + first,
    };
    S::fold_tile(&scratch.mapped, shape)
}
