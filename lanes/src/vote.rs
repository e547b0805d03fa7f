//! The votes: every lane of a mask says yes or no, and every lane learns the outcome.
//!
//! ```
//! use warpfold_lanes::{Mask, Width, vote};
//!
//! let even = vote::ballot(Mask::FULL, |lane| lane % 2 == 0);
//! assert_eq!(even, 0x5555_5555);
//! assert_eq!(vote::count(Mask::prefix(5), |lane| lane % 2 == 0), 3);
//! assert_eq!(vote::of_group(even, 9, Width::new(8).unwrap()), 0x55);
//! assert_eq!(vote::rank(even, 6), 3);
//! ```

use crate::mask::Mask;
use crate::width::Width;

/// `__ballot_sync`: bit `i` is what lane `i` said; lanes the mask does not name leave their bit clear.
pub fn ballot(mask: Mask, says: impl Fn(u32) -> bool) -> u32 {
    mask.lanes()
        .filter(|&lane| says(lane))
        .fold(0, |bits, lane| bits | 1 << lane)
}

/// `__any_sync`: whether a lane of the mask said yes.
pub fn any(mask: Mask, says: impl Fn(u32) -> bool) -> bool {
    mask.lanes().any(says)
}

/// `__all_sync`: whether every lane of the mask said yes.
pub fn all(mask: Mask, says: impl Fn(u32) -> bool) -> bool {
    mask.lanes().all(says)
}

/// How many lanes of the mask said yes: `__popc` of the ballot.
pub fn count(mask: Mask, says: impl Fn(u32) -> bool) -> u32 {
    ballot(mask, says).count_ones()
}

/// The part of a warp's ballot that belongs to the group of `lane`, its first lane in bit 0.
pub const fn of_group(ballot: u32, lane: u32, width: Width) -> u32 {
    ballot >> width.base(lane) & Mask::prefix(width.lanes()).0
}

/// How many lanes below `lane` said yes: where a filter stores what `lane` keeps.
pub const fn rank(ballot: u32, lane: u32) -> u32 {
    (ballot & Mask::prefix(lane).0).count_ones()
}
