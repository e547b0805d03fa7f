//! One warp on the CPU, at the speed of a plain loop.
//!
//! A proved plan needs no tracking of what may be used, so it is boiled down to the combinations the result
//! depends on: lanes that do alike in one loop, and in place where nobody reads what is written. The tree each lane
//! folds is that of the plan: the bits are the GPU's.

use crate::fold::Tree;
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
            Stage::InPlace(runs) => {
                for run in runs {
                    let (own, source) = run.split(states);
                    run.kind.apply(own, source, identity, combine);
                }
            }
            Stage::Apart(runs) => {
                let before: [S; WARP as usize] =
                    array::from_fn(|lane| states.get(lane).unwrap_or(identity).clone());
                for run in runs {
                    let own = &mut states[run.lane..run.lane + run.count];
                    run.kind.apply(
                        own,
                        &before[run.source..run.source + run.count],
                        identity,
                        combine,
                    );
                }
            }
            Stage::Collect => {
                if let Some((first, rest)) = states.split_first() {
                    let mut all = first.clone();
                    for state in rest {
                        all = combine(all, state.clone());
                    }
                    states.fill(all);
                }
            }
        }
    }
    if let Some(lane) = program.spread {
        states.fill(states[lane].clone());
    }
}

/// What is left of a proved plan for one group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    stages: Vec<Stage>,
    /// What the stages are, where they are all of a tree, and of how many lanes.
    tree: Option<(Tree, usize)>,
    /// The lane whose result is that of all lanes, where the plan gives it to all.
    spread: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Nobody reads a lane that is written.
    InPlace(Vec<Run>),
    /// Lanes that are written are also read: from a copy.
    Apart(Vec<Run>),
    /// Every lane takes all of them combined.
    Collect,
}

/// `count` lanes from `lane` on do the same with as many from `source` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) lane: usize,
    pub(crate) source: usize,
    pub(crate) count: usize,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Left,
    Right,
    Take,
    Identity,
}

impl Run {
    /// The lanes and their sources, which do not overlap where nobody reads a lane that is written.
    fn split<'a, S>(&self, states: &'a mut [S]) -> (&'a mut [S], &'a [S]) {
        let Self {
            lane, source, count, ..
        } = *self;
        if self.kind == Kind::Identity {
            (&mut states[lane..lane + count], &[])
        } else if lane < source {
            let (low, high) = states.split_at_mut(source);
            (&mut low[lane..lane + count], &high[..count])
        } else {
            let (low, high) = states.split_at_mut(lane);
            (&mut high[..count], &low[source..source + count])
        }
    }
}

impl Kind {
    fn apply<S: Clone>(self, own: &mut [S], source: &[S], identity: &S, combine: impl Fn(S, S) -> S) {
        // Loops rather than closures: every spec that is called has its own copy of them.
        match self {
            Self::Left => {
                for (own, source) in own.iter_mut().zip(source) {
                    *own = combine(source.clone(), own.clone());
                }
            }
            Self::Right => {
                for (own, source) in own.iter_mut().zip(source) {
                    *own = combine(own.clone(), source.clone());
                }
            }
            Self::Take => own.clone_from_slice(source),
            Self::Identity => own.fill(identity.clone()),
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
            (first, Some((first.0.trailing_zeros() - base) as usize))
        } else {
            (landing, None)
        };
        let needed = needed_from(plan, roots);
        let stages = plan
            .steps
            .iter()
            .zip(&needed[1..])
            .map(|(&step, &lanes)| stage(plan, step, lanes, base));
        let lanes = plan.group_lanes() as usize;
        let stages: Vec<Stage> = stages
            .filter(|stage| *stage != Stage::InPlace(Vec::new()))
            .collect();
        Self {
            tree: Tree::of(&stages, lanes).map(|tree| (tree, lanes)),
            stages,
            spread,
        }
    }

    /// The tree of `lanes` lanes that this is, where it is one.
    #[inline]
    pub(crate) fn tree(&self, lanes: usize) -> Option<Tree> {
        let (tree, of) = self.tree?;
        (of == lanes).then_some(tree)
    }
}

/// What the lanes that matter do at one step.
fn stage(plan: &Plan, step: Step, lanes: Mask, base: u32) -> Stage {
    let mut runs: Vec<Run> = Vec::new();
    let (mut written, mut read) = (0_u32, 0_u32);
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
        written |= 1 << lane;
        if kind != Kind::Identity {
            read |= 1 << source;
        }
        let (lane, source) = ((lane - base) as usize, (source - base) as usize);
        match runs.last_mut() {
            Some(run)
                if run.kind == kind && run.lane + run.count == lane && run.source + run.count == source =>
            {
                run.count += 1;
            }
            _ => runs.push(Run {
                lane,
                source,
                count: 1,
                kind,
            }),
        }
    }
    if written & read == 0 {
        Stage::InPlace(runs)
    } else {
        Stage::Apart(runs)
    }
}
