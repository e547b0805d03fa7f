//! The guide: from a first reduction to kernels of one's own. Every program in it is compiled and run by the tests.
//!
//! 1. [`first_reduction`]: a function, an attribute, a call.
//! 2. [`landing_lanes`]: who holds the result, and what that costs.
//! 3. [`partial_warps`]: short rows, masks, and why lanes without an element carry the identity.
//! 4. [`operators`]: the table, operators of your own, and the laws they must keep.
//! 5. [`softmax_in_ten_lines`]: what every element becomes once its row's state is known.
//! 6. [`scans`]: running results, recurrences, reversed scans.
//! 7. [`filters`]: what stays, where it stood, and how much a row keeps.
//! 8. [`segments`]: rows of different lengths.
//! 9. [`shuffles`]: values that move between the lanes of a group.
//! 10. [`cudarc_code`]: calling it from code that has its data on a GPU already.
//! 11. [`own_kernels`]: the emitted device functions in a kernel of your own.
//! 12. [`several_gpus`]: one array over many devices, processes and machines.
//! 13. [`libraries`]: arrays of `ndarray` and candle, and memory that is known only by its address.
//! 14. [`how_fast_and_why`]: what a call may take, what it does about it, and what you can do.

#[doc = include_str!("guide/first_reduction.md")]
pub mod first_reduction {}

#[doc = include_str!("guide/landing_lanes.md")]
/// # The two pictures
///
/// The ladder, for one lane:
///
#[doc = include_str!("guide/pictures/ladder.svg")]
///
/// The butterfly, for all of them:
///
#[doc = include_str!("guide/pictures/butterfly.svg")]
pub mod landing_lanes {}

#[doc = include_str!("guide/partial_warps.md")]
pub mod partial_warps {}

#[doc = include_str!("guide/operators.md")]
pub mod operators {}

#[doc = include_str!("guide/softmax.md")]
pub mod softmax_in_ten_lines {}

#[doc = include_str!("guide/scans.md")]
/// # What the lanes do
///
/// In each step a lane reads one that stands before it, twice as far as in the step before; the first lanes keep their own:
///
#[doc = include_str!("guide/pictures/scan.svg")]
pub mod scans {}

#[doc = include_str!("guide/filters.md")]
/// # What the lanes do
///
/// One vote tells every lane who keeps its element, and the number of lanes before it that do is its place:
///
#[doc = include_str!("guide/pictures/vote.svg")]
pub mod filters {}

#[doc = include_str!("guide/segments.md")]
pub mod segments {}

#[doc = include_str!("guide/shuffles.md")]
pub mod shuffles {}

#[doc = include_str!("guide/cudarc_code.md")]
pub mod cudarc_code {}

#[doc = include_str!("guide/own_kernels.md")]
pub mod own_kernels {}

#[doc = include_str!("guide/libraries.md")]
pub mod libraries {}

#[doc = include_str!("guide/speed.md")]
pub mod how_fast_and_why {}

#[doc = include_str!("guide/several_gpus.md")]
pub mod several_gpus {}
