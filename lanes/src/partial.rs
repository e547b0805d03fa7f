//! Plans for a warp that is short of lanes.
//!
//! A block of 45 threads ends in a warp of 13. Its other 19 lanes do not exist: they carry nothing, not even the
//! identity, and a mask must not name them. So these plans name the prefix, and a lane combines only where its
//! source exists.
//!
//! The steps are the same for every prefix; only the mask and the bound of the guards differ. One piece of code
//! with the number of threads in a variable therefore carries out all 32 plans, each of which is proved.

use crate::mask::Mask;
use crate::plan::{Combine, Direction, Goal, Guard, Landing, Order, Plan, ScanKind, Step};
use crate::scan::steps;
use crate::shuffle::Shuffle;
use crate::width::Width;

/// The plan that combines the first `present` lanes of a warp that has no others.
///
/// Lane 0 has the result first; any other landing lane is told by it.
///
/// ```
/// use warpfold_lanes::{Landing, Order, partial, prove, run};
///
/// let plan = prove(partial::reduce(5, Landing::All, Order::InOrder)).unwrap();
/// let mut states = [1, 2, 3, 4, 5];
/// run(&plan, &mut states, 0, |a, b| a + b);
/// assert_eq!(states, [15; 5]);
/// ```
pub fn reduce(present: u32, landing: Landing, order: Order) -> Plan {
    let guard = Guard::SourceBelow(present);
    let ladder = |k| Step::Shuffle {
        shuffle: Shuffle::Down(k),
        combine: Combine::ReceivedRight,
        guard,
    };
    let mut steps: Vec<Step> = match order {
        Order::InOrder => Width::WARP.ascending().map(ladder).collect(),
        Order::AnyOrder | Order::Symmetric => Width::WARP.descending().map(ladder).collect(),
    };
    if landing != Landing::Lane(0) {
        let combine = Combine::REPLACE_OR_KEEP;
        steps.push(Step::Shuffle {
            shuffle: Shuffle::Lane(0),
            combine,
            guard: Guard::Always,
        });
    }
    short(present, steps, Goal::Reduce { landing, order })
}

/// The plan that scans the first `present` lanes of a warp that has no others.
pub fn scan(present: u32, kind: ScanKind, direction: Direction) -> Plan {
    let steps = steps(Width::WARP, kind, direction, Guard::SourceBelow(present));
    short(present, steps, Goal::Scan { kind, direction })
}

/// The plan of one ballot among the first `present` lanes of a warp that has no others.
pub fn vote(present: u32) -> Plan {
    short(
        present,
        vec![Step::Vote],
        Goal::Reduce {
            landing: Landing::All,
            order: Order::InOrder,
        },
    )
}

fn short(present: u32, steps: Vec<Step>, goal: Goal) -> Plan {
    Plan {
        width: Width::WARP,
        mask: Mask::prefix(present),
        present,
        steps,
        goal,
        note: "",
    }
}
