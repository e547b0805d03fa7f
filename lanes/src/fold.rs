//! Folds whose number of lanes is a constant.
//!
//! [`run`] follows a plan step by step, whatever it is. Most folds follow one of two trees, and where a plan is found to be
//! one of them the steps are loops of constant lengths, which the compiler unrolls and vectorises. The combinations are
//! the plan's all the same: a plan that is neither is run.

use crate::proof::Proved;
use crate::run::{Kind, Run, Stage, run};

/// A tree that a plan may fold a group by, into its first lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tree {
    /// The upper half of the lanes onto the lower, again and again.
    Halves,
    /// Neighbours, then neighbouring pairs, and so on.
    Neighbours,
}

impl Tree {
    /// The tree that these steps of a group of `lanes` are, if it is one.
    pub(crate) fn of(stages: &[Stage], lanes: usize) -> Option<Self> {
        let trees = [Self::Halves, Self::Neighbours];
        trees
            .into_iter()
            .find(|tree| lanes.is_power_of_two() && tree.stages(lanes) == stages)
    }

    /// The steps of this tree.
    fn stages(self, lanes: usize) -> Vec<Stage> {
        let right = |lane, source, count| Run {
            lane,
            source,
            count,
            kind: Kind::Right,
        };
        let steps = (0..lanes.ilog2()).map(|step| match self {
            Self::Halves => {
                let half = lanes >> (step + 1);
                vec![right(0, half, half)]
            }
            Self::Neighbours => {
                let apart = 1 << step;
                let pairs = (0..lanes).step_by(2 * apart);
                pairs.map(|lane| right(lane, lane + apart, 1)).collect()
            }
        });
        steps.map(Stage::InPlace).collect()
    }
}

/// What a proved plan combines the states of a group of `N` lanes to in its first lane: what [`run`] leaves there.
///
/// # Panics
///
/// When the plan's groups have another number of lanes than `N`.
///
/// ```
/// use warpfold_lanes::{Landing, Mask, Order, Width, fold, prove, reduce};
///
/// let plan = prove(reduce(Width::new(4).unwrap(), Landing::Lane(0), Order::InOrder, Mask::FULL)).unwrap();
/// assert_eq!(fold(&plan, [2, 3, 4, 5], 1, |a, b| a * b), 120);
/// ```
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn fold<S: Copy, const N: usize>(
    proved: &Proved,
    mut states: [S; N],
    identity: S,
    combine: impl Fn(S, S) -> S,
) -> S {
    let states = &mut states;
    match proved.program().tree(N) {
        Some(Tree::Halves) => {
            // Each half a constant, for loops that need no counting.
            halve::<S, N, 16>(states, &combine);
            halve::<S, N, 8>(states, &combine);
            halve::<S, N, 4>(states, &combine);
            halve::<S, N, 2>(states, &combine);
            halve::<S, N, 1>(states, &combine);
        }
        Some(Tree::Neighbours) => {
            pair::<S, N, 16>(states, &combine);
            pair::<S, N, 8>(states, &combine);
            pair::<S, N, 4>(states, &combine);
            pair::<S, N, 2>(states, &combine);
            pair::<S, N, 1>(states, &combine);
        }
        None => {
            let lanes = proved.plan().group_lanes() as usize;
            assert!(lanes == N, "{N} states are no group of {lanes} lanes");
            run(proved, states, identity, combine);
        }
    }
    states[0]
}

/// The upper of two halves of `HALF` lanes onto the lower, where there are as many.
#[cfg_attr(not(debug_assertions), inline(always))]
fn halve<S: Copy, const N: usize, const HALF: usize>(states: &mut [S; N], combine: &impl Fn(S, S) -> S) {
    if N >= 2 * HALF {
        for lane in 0..HALF {
            states[lane] = combine(states[lane], states[lane + HALF]);
        }
    }
}

/// `PAIRS` pairs of neighbours to one state each, side by side again, where there are as many.
#[cfg_attr(not(debug_assertions), inline(always))]
fn pair<S: Copy, const N: usize, const PAIRS: usize>(states: &mut [S; N], combine: &impl Fn(S, S) -> S) {
    if N >= 2 * PAIRS {
        for lane in 0..PAIRS {
            states[lane] = combine(states[2 * lane], states[2 * lane + 1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Tree, fold};
    use crate::{Direction, Landing, Mask, Order, Proved, ScanKind, Width, prove, reduce, run, scan};

    /// By an operator that is not associative: another tree, another number.
    fn differ(left: u64, right: u64) -> u64 {
        left.wrapping_mul(3).wrapping_add(right.rotate_left(7)) ^ 0x9e37
    }

    fn as_run<const N: usize>(plan: &Proved) {
        let states: [u64; N] = std::array::from_fn(|lane| 1 << lane);
        let mut expected = states;
        run(plan, &mut expected, 0, differ);
        assert_eq!(fold(plan, states, 0, differ), expected[0], "{:?}", plan.plan());
    }

    fn as_run_of_any_width(plan: &Proved) {
        match plan.plan().width.lanes() {
            1 => as_run::<1>(plan),
            2 => as_run::<2>(plan),
            4 => as_run::<4>(plan),
            8 => as_run::<8>(plan),
            16 => as_run::<16>(plan),
            _ => as_run::<32>(plan),
        }
    }

    #[test]
    fn what_run_leaves_in_the_first_lane() {
        for width in Width::ALL {
            for landing in [Landing::Lane(0), Landing::All] {
                for order in [Order::InOrder, Order::AnyOrder, Order::Symmetric] {
                    as_run_of_any_width(&prove(reduce(width, landing, order, Mask::FULL)).unwrap());
                }
            }
            // No fold at all: the first lane keeps its own.
            let scan = scan(width, ScanKind::Inclusive, Direction::Forward, Mask::FULL);
            as_run_of_any_width(&prove(scan).unwrap());
        }
    }

    #[test]
    fn ladders_are_trees_and_scans_are_not() {
        for width in Width::ALL {
            let tree = |plan| prove(plan).unwrap().program().tree(width.lanes() as usize);
            let ladder = |order| tree(reduce(width, Landing::Lane(0), order, Mask::FULL));
            assert_eq!(ladder(Order::AnyOrder), Some(Tree::Halves));
            assert_eq!(ladder(Order::Symmetric), Some(Tree::Halves));
            // Of two lanes and of one both trees are the same.
            let in_order = ladder(Order::InOrder).unwrap();
            assert_eq!(in_order == Tree::Neighbours, width.lanes() > 2);
            let scan = scan(width, ScanKind::Inclusive, Direction::Forward, Mask::FULL);
            assert_eq!(tree(scan).is_none(), width.lanes() > 1);
        }
    }
}
