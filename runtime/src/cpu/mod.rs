//! The CPU back end: the same order, the same proved plans and the same bits as the kernels.

mod filter;
mod fold;
mod line;
mod parallel;
mod plans;
mod rows;
mod scan;
pub(crate) mod shard;
mod share;
mod shuffle;
#[cfg(test)]
mod tests;

/// Whether this is an unoptimised build of somebody's crate: then one loop serves where an optimised build has one for
/// each length, as each is generated anew for every spec that is called. The bits are the same.
const SMALL: bool = cfg!(debug_assertions) && !cfg!(test);

pub(crate) use filter::{array_counts, array_filter, array_indices, rows_filter, segments_filter};
pub(crate) use rows::{Layout, apply, reduce, scan_columns, scan_rows};
pub(crate) use shuffle::shuffle;
