//! Work shared out over rayon's threads, each with its own part of the results.

use std::ops::Range;

use crate::outcome::Outcome;

/// Elements below which a part is not worth a thread.
const GRAIN: usize = 1 << 15;

/// Runs `work` over parts of `rows`; row r's results start `r × out_stride` into `out`, and each row costs `cost` elements.
///
/// `work` gets rows and the results from the first of them on.
pub(crate) fn share<O: Outcome>(
    rows: Range<usize>,
    cost: usize,
    out_stride: usize,
    out: O::Slices<'_>,
    work: &(impl Fn(Range<usize>, O::Slices<'_>) + Sync),
) {
    let most = (GRAIN / cost.max(1)).max(1);
    if rows.len() <= most {
        return work(rows, out);
    }
    let half = rows.len() / 2;
    let (low, high) = (rows.start..rows.start + half, rows.start + half..rows.end);
    let (before, after) = O::split(out, half * out_stride);
    rayon::join(
        || share::<O>(low, cost, out_stride, before, work),
        || share::<O>(high, cost, out_stride, after, work),
    );
}
