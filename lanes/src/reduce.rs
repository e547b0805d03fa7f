//! Plans that combine a group into one value.
//!
//! Three patterns, chosen by where the result must land:
//!
//! - **all lanes: a butterfly.** Lanes swap with the one whose number differs in one bit and both combine, so
//!   after `log2(width)` steps every lane has everything (recursive doubling, the all-reduce of Thakur,
//!   Rabenseifner and Gropp, 2005; the picture is the FFT's).
//! - **lane 0: a ladder.** Lanes read `down`; at every step half as many still matter (the tree of Harris,
//!   *Optimizing Parallel Reduction in CUDA*).
//! - **lane k: a ladder over `xor`.** Every lane takes lane `k`'s side, so `k`'s tree is right and nobody
//!   selects operands.
//!
//! Offsets fall (half the width … 1) where any order will do, and rise (1, 2, 4 …) where neighbours must meet
//! first. All patterns of one order fold the same tree, so the result does not depend on where it lands: not even
//! its last bit. A butterfly needs a select a word and step for that, which a [symmetric](Order::Symmetric)
//! operator saves.

use crate::mask::Mask;
use crate::plan::{Combine, Goal, Guard, Landing, Order, Plan, Step};
use crate::shuffle::Shuffle;
use crate::width::Width;

/// The plan that combines each group of `width` lanes that `mask` names and leaves the result in `landing`.
///
/// ```
/// use warpfold_lanes::{Landing, Mask, Order, Width, prove, reduce};
///
/// let plan = reduce(Width::WARP, Landing::Lane(0), Order::AnyOrder, Mask::FULL);
/// let steps: Vec<String> = plan.steps.iter().map(ToString::to_string).collect();
/// assert_eq!(steps, ["down 16", "down 8", "down 4", "down 2", "down 1"]);
/// assert!(prove(plan).is_ok());
/// ```
pub fn reduce(width: Width, landing: Landing, order: Order, mask: Mask) -> Plan {
    let offsets: Vec<u32> = match order {
        Order::InOrder => width.ascending().collect(),
        Order::AnyOrder | Order::Symmetric => width.descending().collect(),
    };
    let steps = offsets.into_iter().map(|k| match landing {
        Landing::All => butterfly(k, order),
        Landing::Lane(0) => always(Shuffle::Down(k), Combine::ReceivedRight),
        Landing::Lane(lane) if lane & k != 0 => always(Shuffle::Xor(k), Combine::ReceivedLeft),
        Landing::Lane(_) => always(Shuffle::Xor(k), Combine::ReceivedRight),
    });
    Plan::new(width, mask, steps.collect(), Goal::Reduce { landing, order })
}

/// The plan of one ballot: any, all, count and ballot itself. Every lane of each group has the result.
pub fn vote(width: Width, mask: Mask) -> Plan {
    let goal = Goal::Reduce {
        landing: Landing::All,
        order: Order::InOrder,
    };
    Plan::new(width, mask, vec![Step::Vote], goal)
}

/// The plan of one `redux.sync` over a whole warp.
///
/// There is none for narrower groups: the instruction combines every lane its mask names, and where each group
/// would have to bring a mask of its own, shuffles are faster.
pub fn redux(mask: Mask) -> Plan {
    let goal = Goal::Reduce {
        landing: Landing::All,
        order: Order::Symmetric,
    };
    Plan::new(Width::WARP, mask, vec![Step::Redux], goal)
}

/// Both lanes of a pair put the lower one's value on the left, unless the operator does not care.
fn butterfly(k: u32, order: Order) -> Step {
    match order {
        Order::InOrder | Order::AnyOrder => always(Shuffle::Xor(k), Combine::ReceivedLeftWhereBit(k)),
        Order::Symmetric => always(Shuffle::Xor(k), Combine::ReceivedRight),
    }
}

const fn always(shuffle: Shuffle, combine: Combine) -> Step {
    Step::Shuffle {
        shuffle,
        combine,
        guard: Guard::Always,
    }
}
