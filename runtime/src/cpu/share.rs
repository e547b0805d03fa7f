//! Work shared out over rayon's threads, each with its own part of the results.

use std::ops::Range;

use crate::outcome::Outcome;

/// Elements below which a part is not worth a thread.
const GRAIN: usize = 1 << 15;

/// Lines of work and where their results go.
#[derive(Clone, Copy)]
pub(crate) struct Lines<'a> {
    /// Elements that the lines from 0 up to one have between them.
    pub cost: &'a (dyn Fn(usize) -> usize + Sync),
    /// Where the results of a line start.
    pub out: &'a (dyn Fn(usize) -> usize + Sync),
}

/// Runs `work` over parts of `lines`. It gets lines and the results from the first of them on.
pub(crate) fn share<O: Outcome>(
    lines: Range<usize>,
    facts: Lines<'_>,
    out: O::Slices<'_>,
    work: &(impl Fn(Range<usize>, O::Slices<'_>) + Sync),
) {
    if lines.is_empty() {
        return;
    }
    let cost = (facts.cost)(lines.end) - (facts.cost)(lines.start);
    if cost <= GRAIN || lines.len() <= 1 {
        return work(lines, out);
    }
    let middle = lines.start + lines.len() / 2;
    let (low, high) = (lines.start..middle, middle..lines.end);
    let (before, after) = O::split(out, (facts.out)(middle) - (facts.out)(low.start));
    rayon::join(
        || share::<O>(low, facts, before, work),
        || share::<O>(high, facts, after, work),
    );
}
