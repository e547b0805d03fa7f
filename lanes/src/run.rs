//! One warp on the CPU, at the speed of a plain loop.
//!
//! A proved plan needs no tracking of what may be used, so it is boiled down to the combinations the result
//! depends on, in an order in which they can be done in place. The tree each lane folds is that of the plan: the
//! bits are the GPU's.

use crate::mask::Mask;
use crate::plan::{Action, Plan, Step};
use crate::proof::{Proved, landing_lanes, needed_from};
use crate::width::WARP;
use std::array;

/// Runs a proved plan on `states`: those of one group (as many as the plan has lanes in a group), or of a whole
/// warp of 32, in which the groups that the plan's mask does not name are left alone.
///
/// Afterwards the landing lanes hold the result; the others hold nothing of use. Lanes without an element have to
/// come with the identity.
///
/// # Panics
///
/// When `states` is neither a group nor a warp.
///
/// ```
/// use warpfold_lanes::{Landing, Mask, Order, Width, prove, reduce, run};
///
/// let plan = prove(reduce(Width::new(4).unwrap(), Landing::All, Order::InOrder, Mask::FULL)).unwrap();
/// let mut states = [2, 3, 4, 5];
/// run(&plan, &mut states, 1, |a, b| a * b);
/// assert_eq!(states, [120; 4]);
/// ```
pub fn run<S: Clone>(proved: &Proved, states: &mut [S], identity: S, combine: impl Fn(S, S) -> S) {
    let plan = proved.plan();
    let lanes = plan.group_lanes() as usize;
    if states.len() == lanes {
        return run_group(proved.program(), states, &identity, &combine);
    }
    let count = states.len();
    assert!(
        count == WARP as usize,
        "{count} states are neither a group of {lanes} lanes nor a warp of {WARP}"
    );
    for (index, group) in states.chunks_exact_mut(plan.width.lanes() as usize).enumerate() {
        if plan.mask.0 & Mask::group(plan.width, index as u32).0 != 0 {
            run_group(proved.program(), &mut group[..lanes], &identity, &combine);
        }
    }
}

fn run_group<S: Clone>(program: &Program, states: &mut [S], identity: &S, combine: &impl Fn(S, S) -> S) {
    for stage in &program.stages {
        match stage {
            Stage::InPlace(moves) => {
                for each in moves {
                    let source = states[usize::from(each.source)].clone();
                    let own = &mut states[usize::from(each.lane)];
                    *own = each.value(own.clone(), source, identity, combine);
                }
            }
            Stage::Apart(moves) => {
                let before: [S; WARP as usize] =
                    array::from_fn(|lane| states.get(lane).unwrap_or(identity).clone());
                for each in moves {
                    let [own, source] =
                        [each.lane, each.source].map(|lane| before[usize::from(lane)].clone());
                    states[usize::from(each.lane)] = each.value(own, source, identity, combine);
                }
            }
            Stage::Collect => {
                if let Some(all) = states.iter().cloned().reduce(combine) {
                    states.fill(all);
                }
            }
        }
    }
    if let Some(lane) = program.spread {
        states.fill(states[usize::from(lane)].clone());
    }
}

/// What is left of a proved plan for one group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    stages: Vec<Stage>,
    /// The lane whose result is that of all lanes, where the plan gives it to all.
    spread: Option<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Stage {
    /// No move reads what an earlier one wrote.
    InPlace(Vec<Move>),
    /// Lanes read each other: they read a copy.
    Apart(Vec<Move>),
    /// Every lane takes all of them combined.
    Collect,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Move {
    lane: u8,
    source: u8,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Left,
    Right,
    Take,
    Identity,
}

impl Move {
    fn value<S: Clone>(self, own: S, source: S, identity: &S, combine: impl Fn(S, S) -> S) -> S {
        match self.kind {
            Kind::Left => combine(source, own),
            Kind::Right => combine(own, source),
            Kind::Take => source,
            Kind::Identity => identity.clone(),
        }
    }
}

impl Program {
    /// The program of one group of a plan that was proved; `uniform` where all its landing lanes hold the same
    /// bits, so that one of them need be computed.
    pub(crate) fn of(plan: &Plan, uniform: bool) -> Self {
        let group = plan.mask.groups(plan.width).next().unwrap_or(0);
        let base = group * plan.width.lanes();
        let landing = Mask(landing_lanes(plan).0 & plan.group(group).0);
        let first = Mask(landing.0 & landing.0.wrapping_neg());
        let (roots, spread) = if uniform && landing != first {
            (first, Some((first.0.trailing_zeros() - base) as u8))
        } else {
            (landing, None)
        };
        let needed = needed_from(plan, roots);
        let stages = plan
            .steps
            .iter()
            .zip(&needed[1..])
            .map(|(&step, &lanes)| stage(plan, step, lanes, base));
        Self {
            stages: stages.filter(|stage| !stage.is_empty()).collect(),
            spread,
        }
    }
}

impl Stage {
    fn is_empty(&self) -> bool {
        matches!(self, Self::InPlace(moves) if moves.is_empty())
    }
}

/// What the lanes that matter do at one step.
fn stage(plan: &Plan, step: Step, lanes: Mask, base: u32) -> Stage {
    let mut moves = Vec::new();
    for lane in lanes.lanes() {
        let (source, kind) = match plan.action(step, lane) {
            Action::Combine {
                source,
                on_left: true,
            } => (source, Kind::Left),
            Action::Combine {
                source,
                on_left: false,
            } => (source, Kind::Right),
            Action::Take { source } if source == lane => continue,
            Action::Take { source } => (source, Kind::Take),
            Action::TakeIdentity => (lane, Kind::Identity),
            Action::Keep | Action::Lose => continue,
            Action::Collect { .. } => return Stage::Collect,
        };
        moves.push(Move {
            lane: (lane - base) as u8,
            source: (source - base) as u8,
            kind,
        });
    }
    if in_place(&moves) {
        return Stage::InPlace(moves);
    }
    moves.reverse();
    if in_place(&moves) {
        Stage::InPlace(moves)
    } else {
        Stage::Apart(moves)
    }
}

/// Whether no move reads a lane that an earlier one wrote.
fn in_place(moves: &[Move]) -> bool {
    let mut written = 0_u32;
    moves.iter().all(|each| {
        let fresh = written >> each.source & 1 == 0;
        written |= 1 << each.lane;
        fresh
    })
}
