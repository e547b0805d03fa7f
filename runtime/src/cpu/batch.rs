//! Short rows side by side: rows of one tile meet the steps of the warp's plan in batches, so that a step is looked up
//! once for all of them and what it does to each becomes a loop over plain arrays. The tree of each row is the same.

use std::array;

use warpfold_lanes::run;

use crate::cpu::fold::down;
use crate::cpu::line::Line;
use crate::cpu::plans::Plans;
use crate::order::{Order, pack};
use crate::spec::{Fold, TileFold};

/// Rows of a batch.
pub(crate) const ROWS: usize = 16;
/// Bytes of a state up to which a batch stays in the nearest cache.
const STATE_BYTES: usize = 16;
/// Positions that are read at a time.
const BLOCK: usize = 32;

/// A state for each row of a batch.
type States<S> = [<S as Fold>::State; ROWS];

/// Whether rows of this order are folded in batches.
pub(crate) fn takes<S: Fold>(order: &Order) -> bool {
    order.tiles == 1 && S::INFO.fold == TileFold::Striped && size_of::<S::State>() <= STATE_BYTES
}

/// The states of up to [`ROWS`] lines of one order, without `init`; what is past the lines is of no use.
pub(crate) fn folded<'a, S: Fold>(
    order: &Order,
    plans: &Plans,
    lines: impl Iterator<Item = Line<'a, S>>,
) -> States<S> {
    // Short rows are not to clear what they do not use.
    if order.lanes <= 8 {
        by_lanes::<S, 8>(order, plans, lines)
    } else {
        by_lanes::<S, 32>(order, plans, lines)
    }
}

/// The same, of groups of up to `N` lanes.
fn by_lanes<'a, S: Fold, const N: usize>(
    order: &Order,
    plans: &Plans,
    lines: impl Iterator<Item = Line<'a, S>>,
) -> States<S> {
    let identity = [S::identity(); ROWS];
    let mut lanes = [identity; N];
    for (row, line) in lines.take(ROWS).enumerate() {
        lane_states(&line, |lane, state| lanes[lane][row] = state);
    }
    let lanes = &mut lanes[..order.lanes as usize];
    if lanes.len() > 1 {
        let plan = plans.reduce(lanes.len() as u32, S::INFO.order);
        run(plan, lanes, identity, |left: States<S>, right: States<S>| {
            array::from_fn(|row| S::combine(left[row], right[row]))
        });
    }
    lanes[0]
}

/// Each lane's state of a line of one tile, in the order of the lanes.
#[cfg_attr(not(debug_assertions), inline(always))]
fn lane_states<S: Fold>(line: &Line<'_, S>, mut put: impl FnMut(usize, S::State)) {
    let turn = line.order.turn();
    for first in (0..turn).step_by(BLOCK) {
        match turn {
            1 => slots(line, &down::<S, 1>(line, 0), 0, &mut put),
            2 => slots(line, &down::<S, 2>(line, 0), 0, &mut put),
            4 => slots(line, &down::<S, 4>(line, 0), 0, &mut put),
            8 => slots(line, &down::<S, 8>(line, 0), 0, &mut put),
            16 => slots(line, &down::<S, 16>(line, 0), 0, &mut put),
            _ => slots(line, &down::<S, BLOCK>(line, first as u64), first, &mut put),
        }
    }
}

/// The slots of each lane from left to right, of `N` positions from `first`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn slots<S: Fold, const N: usize>(
    line: &Line<'_, S>,
    states: &[S::State; N],
    first: usize,
    put: &mut impl FnMut(usize, S::State),
) {
    let mut lanes_of = |v: usize| {
        // First side by side, in vector instructions; the lanes of a batch lie apart.
        let mut folded = [states[0]; N];
        for (lane, state) in folded.iter_mut().enumerate().take(N / v) {
            *state = states[lane * v];
            for slot in 1..v {
                *state = S::combine(*state, states[lane * v + slot]);
            }
        }
        for (lane, &state) in folded.iter().enumerate().take(N / v) {
            put(first / v + lane, state);
        }
    };
    // A constant is what the compiler unrolls the slots by.
    let full = const { pack(&S::INFO) as usize };
    if line.order.v as usize == full {
        lanes_of(full);
    } else {
        lanes_of(line.order.v as usize);
    }
}
