//! Plans that give every lane what was met before it.
//!
//! The pattern is Kogge and Stone's (1973), as Hillis and Steele (1986) gave it for arrays: at step `s` a lane
//! puts what the lane `2^s` before it has in front of its own, so it has seen twice as far. An exclusive scan is
//! an inclusive one moved by one lane. It is never made by subtracting: most operators cannot, and rounded sums
//! would not come out the same.

use crate::mask::Mask;
use crate::plan::{Combine, Direction, Goal, Guard, Plan, ScanKind, Step};
use crate::shuffle::Shuffle;
use crate::width::Width;

/// The plan that scans each group of `width` lanes that `mask` names.
///
/// Elements are always combined in the order they are met: with [`Direction::Reverse`] the highest lane is met
/// first, and stands on the left.
///
/// ```
/// use warpfold_lanes::{Direction, Mask, ScanKind, Width, prove, run, scan};
///
/// let width = Width::new(4).unwrap();
/// let plan = prove(scan(width, ScanKind::Exclusive, Direction::Forward, Mask::FULL)).unwrap();
/// let mut states = [3, 1, 4, 1];
/// run(&plan, &mut states, 0, |a, b| a + b);
/// assert_eq!(states, [0, 3, 4, 8]);
/// ```
pub fn scan(width: Width, kind: ScanKind, direction: Direction, mask: Mask) -> Plan {
    let steps = steps(width, kind, direction, Guard::SourceInGroup);
    Plan::new(width, mask, steps, Goal::Scan { kind, direction })
}

/// The steps of a scan; `guard` says which sources there are.
pub(crate) fn steps(width: Width, kind: ScanKind, direction: Direction, guard: Guard) -> Vec<Step> {
    let before = match direction {
        Direction::Forward => Shuffle::Up,
        Direction::Reverse => Shuffle::Down,
    };
    let mut steps: Vec<Step> = width
        .ascending()
        .map(|k| Step::Shuffle {
            shuffle: before(k),
            combine: Combine::ReceivedLeft,
            guard,
        })
        .collect();
    if kind == ScanKind::Exclusive {
        steps.push(Step::Shuffle {
            shuffle: before(1),
            combine: Combine::REPLACE_OR_IDENTITY,
            guard,
        });
    }
    steps
}
