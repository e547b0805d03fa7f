//! Work shared out over rayon's threads, each with its own part of the results.

use std::ops::Range;

use crate::cpu::parallel::both;
use crate::outcome::Outcome;

/// Elements below which a part is not worth a thread.
pub(crate) const GRAIN: usize = 1 << 15;

/// Lines of work and where their results go.
#[derive(Clone, Copy)]
pub(crate) struct Lines<'a> {
    /// Elements that the lines from 0 up to one have between them.
    pub cost: &'a (dyn Fn(usize) -> usize + Sync),
    /// Where the results of a line start.
    pub out: &'a (dyn Fn(usize) -> usize + Sync),
}

/// What writes the results of some lines. Without a type of its own, so that one [`share`] serves all specs of a result.
pub(crate) type Work<'w, O> = &'w (dyn Fn(Range<usize>, <O as Outcome>::Slices<'_>) + Sync);

/// Runs `work` over parts of `lines`. It gets lines and the results from the first of them on.
pub(crate) fn share<O: Outcome>(
    lines: Range<usize>,
    facts: Lines<'_>,
    out: O::Slices<'_>,
    work: Work<'_, O>,
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
    // Each runs once, which the one who calls them cannot know.
    let (mut before, mut after) = (Some(before), Some(after));
    both(
        &mut || {
            if let Some(out) = before.take() {
                share::<O>(low.clone(), facts, out, work);
            }
        },
        &mut || {
            if let Some(out) = after.take() {
                share::<O>(high.clone(), facts, out, work);
            }
        },
    );
}
