//! A line scanned, in the order that [`crate::order`] states.

use warpfold_lanes::run;

use crate::cpu::line::Line;
use crate::order::SPAN;
use crate::spec::{Form, ScanRows};

/// Memory that one thread uses for every line it scans.
pub(crate) struct Scratch<S: ScanRows> {
    /// The local values of the tiles of one span, position by position.
    locals: Vec<S::State>,
}

impl<S: ScanRows> Default for Scratch<S> {
    fn default() -> Self {
        Self { locals: Vec::new() }
    }
}

/// Scans the line; `store` gets the number of each element and its result.
pub(crate) fn scan<S: ScanRows>(
    line: &Line<'_, S>,
    store: impl FnMut(usize, S::Result),
    scratch: &mut Scratch<S>,
) {
    scan_after(line, S::init(), store, scratch);
}

/// [`scan`] after what was met before the line.
pub(crate) fn scan_after<S: ScanRows>(
    line: &Line<'_, S>,
    before: Option<S::State>,
    mut store: impl FnMut(usize, S::Result),
    scratch: &mut Scratch<S>,
) {
    let Form::Scan { exclusive, .. } = S::INFO.form else {
        unreachable!("only scans are scanned")
    };
    let order = &line.order;
    let tile = order.tile() as u64;
    let mut carry = before;
    // What an exclusive scan stores next: the inclusive value of the position before.
    let mut before = before.unwrap_or_else(S::identity);
    for span in 0..order.spans() {
        let (first, end) = (span * SPAN, order.tiles.min((span + 1) * SPAN));
        scratch.locals.clear();
        let mut totals = [S::identity(); SPAN as usize];
        for k in first..end {
            totals[(k - first) as usize] = local(line, k * tile, &mut scratch.locals);
        }
        run(
            line.plans.scan(SPAN as u32),
            &mut totals,
            S::identity(),
            S::combine,
        );
        for k in first..end {
            let inside = k.checked_sub(first + 1).map(|above| totals[above as usize]);
            let prefix = joined::<S>(carry, inside);
            let locals = &scratch.locals[((k - first) * tile) as usize..][..tile as usize];
            for (&local, position) in locals.iter().zip(k * tile..order.n) {
                let value = joined::<S>(prefix, Some(local)).unwrap_or(local);
                let shown = if exclusive { before } else { value };
                before = value;
                let index = line.standing(position);
                store(index as usize, S::finish(&line.bound, shown, line.at(index)));
            }
        }
        carry = joined::<S>(carry, Some(totals[SPAN as usize - 1]));
    }
}

/// Both, combined where both are there.
#[cfg_attr(not(debug_assertions), inline(always))]
fn joined<S: ScanRows>(left: Option<S::State>, right: Option<S::State>) -> Option<S::State> {
    match (left, right) {
        (Some(left), Some(right)) => Some(S::combine(left, right)),
        (one, None) | (None, one) => one,
    }
}

/// Appends a tile's local values and returns its total.
fn local<S: ScanRows>(line: &Line<'_, S>, first: u64, out: &mut Vec<S::State>) -> S::State {
    let order = &line.order;
    let (v, lanes, turn) = (order.v as usize, order.lanes as usize, order.turn());
    let mut before: Option<S::State> = None;
    for t in 0..order.turns as usize {
        let start = out.len();
        let positions = (first + (t * turn) as u64)..;
        out.extend(positions.take(turn).map(|position| line.met(position)));
        let states = &mut out[start..];
        let mut totals = [states[0]; 32];
        for (total, slots) in totals.iter_mut().zip(states.chunks_exact_mut(v)) {
            for i in 1..v {
                slots[i] = S::combine(slots[i - 1], slots[i]);
            }
            *total = slots[v - 1];
        }
        run(
            line.plans.scan(lanes as u32),
            &mut totals[..lanes],
            S::identity(),
            S::combine,
        );
        for (lane, slots) in states.chunks_exact_mut(v).enumerate() {
            let inside = lane.checked_sub(1).map(|below| totals[below]);
            for slot in slots {
                let value = inside.map_or(*slot, |inside| S::combine(inside, *slot));
                *slot = before.map_or(value, |before| S::combine(before, value));
            }
        }
        before = joined::<S>(before, Some(totals[lanes - 1]));
    }
    before.expect("a tile has a turn")
}
