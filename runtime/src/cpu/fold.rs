//! A line folded to one state, in the order that [`crate::order`] states.

use warpfold_lanes::run;

use crate::cpu::SMALL;
use crate::cpu::line::Line;
use crate::cpu::parallel::parts;
use crate::cpu::plans::Plans;
use crate::order::{Order, SPAN};
use crate::spec::{Fold, Tile, TileFold};

/// Turns of a tile, at most.
const MOST_TURNS: usize = 32;
/// Elements from which one line is worth several threads.
const SHARE_FROM: u64 = 1 << 17;

/// Memory that one thread uses for every line it folds.
pub(crate) struct Scratch<S: Fold> {
    /// The states of one turn, position by position.
    turn: Vec<S::State>,
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
            turn: Vec::new(),
            mapped: Vec::new(),
            lane: Vec::new(),
            tiles: Vec::new(),
        }
    }
}

/// The state of the whole line, with `init`.
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
pub(crate) fn folded<S: Fold>(line: &Line<'_, S>, scratch: &mut Scratch<S>) -> S::State {
    let order = &line.order;
    if order.tiles == 1 {
        tile(line, 0, scratch)
    } else if order.n < SHARE_FROM {
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
    across::<S>(plans, &mut lanes[..width as usize])
}

/// Folds the lanes of a group by the proved plan.
#[inline]
fn across<S: Fold>(plans: &Plans, lanes: &mut [S::State]) -> S::State {
    if lanes.len() > 1 {
        let plan = plans.reduce(lanes.len() as u32, S::INFO.order);
        run(plan, lanes, S::identity(), S::combine);
    }
    lanes[0]
}

/// The state of one tile.
fn tile<S: Fold>(line: &Line<'_, S>, index: u64, scratch: &mut Scratch<S>) -> S::State {
    let first = index * line.order.tile() as u64;
    // Constants, so that what a spec does not use is not generated for it.
    if const { matches!(S::INFO.total_fold(), TileFold::Striped) } {
        striped(line, first, scratch)
    } else if const { matches!(S::INFO.total_fold(), TileFold::Blocked) } {
        blocked(line, first, scratch)
    } else if const { matches!(S::INFO.total_fold(), TileFold::Lane) } {
        by_lane(line, first, scratch)
    } else {
        by_tile(line, first, scratch)
    }
}

/// Down the turns slot by slot, then across slots and lanes.
fn striped<S: Fold>(line: &Line<'_, S>, first: u64, scratch: &mut Scratch<S>) -> S::State {
    let turn = line.order.turn();
    scratch.turn.clear();
    if SMALL {
        for at in (0..turn as u64).step_by(4) {
            let states = down::<S, 4>(line, first + at);
            scratch.turn.extend_from_slice(&states[..turn.min(4)]);
        }
        return lanes_of_turn(line, &scratch.turn);
    }
    for at in (0..turn as u64).step_by(32) {
        // Blocks of a constant size are what the compiler turns into vector instructions.
        match turn {
            1 => scratch.turn.extend_from_slice(&down::<S, 1>(line, first)),
            2 => scratch.turn.extend_from_slice(&down::<S, 2>(line, first)),
            4 => scratch.turn.extend_from_slice(&down::<S, 4>(line, first)),
            8 => scratch.turn.extend_from_slice(&down::<S, 8>(line, first)),
            16 => scratch.turn.extend_from_slice(&down::<S, 16>(line, first)),
            _ => scratch.turn.extend_from_slice(&down::<S, 32>(line, first + at)),
        }
    }
    lanes_of_turn(line, &scratch.turn)
}

/// `N` neighbouring slots from `first`, each folded down the turns.
#[inline]
pub(crate) fn down<S: Fold, const N: usize>(line: &Line<'_, S>, first: u64) -> [S::State; N] {
    let turn = line.order.turn() as u64;
    let mut acc = line.states::<N>(first);
    for t in 1..u64::from(line.order.turns) {
        let states = line.states::<N>(first + t * turn);
        for (acc, state) in acc.iter_mut().zip(states) {
            *acc = S::combine(*acc, state);
        }
    }
    acc
}

/// The slots of each lane from left to right, then the lanes.
#[inline]
fn lanes_of_turn<S: Fold>(line: &Line<'_, S>, turn: &[S::State]) -> S::State {
    let v = line.order.v as usize;
    let mut lanes = [turn[0]; 32];
    for (lane, slots) in lanes.iter_mut().zip(turn.chunks_exact(v)) {
        *lane = slots[1..]
            .iter()
            .fold(slots[0], |left, &right| S::combine(left, right));
    }
    across::<S>(line.plans, &mut lanes[..line.order.lanes as usize])
}

/// Each turn from its first element to its last, then the turns.
fn blocked<S: Fold>(line: &Line<'_, S>, first: u64, scratch: &mut Scratch<S>) -> S::State {
    let turn = line.order.turn() as u64;
    let one = |t: u64, states: &mut Vec<S::State>| {
        states.clear();
        states.extend((0..turn).map(|p| line.met(first + t * turn + p)));
        lanes_of_turn(line, states)
    };
    let turns = line.order.turns as usize;
    let mut states = [S::identity(); MOST_TURNS];
    for (t, state) in states.iter_mut().enumerate().take(turns) {
        *state = one(t as u64, &mut scratch.turn);
    }
    across::<S>(line.plans, &mut states[..turns.next_power_of_two()])
}

/// Each lane by the operator's own fold, then the lanes.
fn by_lane<S: Fold>(line: &Line<'_, S>, first: u64, scratch: &mut Scratch<S>) -> S::State {
    let order = &line.order;
    let (v, turn) = (order.v as usize, order.turn());
    let live = line.live.saturating_sub(first).min(order.tile() as u64) as usize;
    let mut lanes = [S::identity(); 32];
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
    across::<S>(line.plans, &mut lanes[..order.lanes as usize])
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
