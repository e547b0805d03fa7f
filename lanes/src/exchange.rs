//! Plans that only move values.

use crate::mask::Mask;
use crate::plan::{Combine, Goal, Guard, Plan, Step};
use crate::shuffle::Shuffle;
use crate::width::Width;

/// The plan in which every lane takes the value of its source; a lane whose source is past the group's end keeps
/// its own.
///
/// ```
/// use warpfold_lanes::{Mask, Shuffle, Width, exchange, prove, run};
///
/// let width = Width::new(4).unwrap();
/// let plan = prove(exchange(Shuffle::Up(1), width, Mask::FULL)).unwrap();
/// let mut states = ['a', 'b', 'c', 'd'];
/// run(&plan, &mut states, ' ', |_, _| unreachable!("an exchange combines nothing"));
/// assert_eq!(states, ['a', 'a', 'b', 'c']);
/// ```
pub fn exchange(shuffle: Shuffle, width: Width, mask: Mask) -> Plan {
    exchange_live(shuffle, width, mask, width.lanes())
}

/// [`exchange`] for groups in which only the first `live` lanes hold an element, because the row ends there: a
/// lane whose source holds none keeps its own value.
pub fn exchange_live(shuffle: Shuffle, width: Width, mask: Mask, live: u32) -> Plan {
    let guard = if live < width.lanes() {
        Guard::SourceBelow(live)
    } else {
        Guard::SourceInGroup
    };
    let step = Step::Shuffle {
        shuffle,
        combine: Combine::REPLACE_OR_KEEP,
        guard,
    };
    Plan::new(width, mask, vec![step], Goal::Exchange { shuffle, live })
}
