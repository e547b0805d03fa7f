//! Filters: what stays, in order.

use std::ops::Range;

use crate::argument::Argument;
use crate::cpu::parallel::{jobs, parts};
use crate::outcome::Outcome;
use crate::rows::Shape;
use crate::spec::{At, FilterRows};

/// Elements that one thread takes at a time.
const PART: usize = 1 << 16;

/// Whether the element stays: none does from the row's `#[live]` value on.
#[cfg_attr(not(debug_assertions), inline(always))]
fn stays<S: FilterRows>(bound: &S::Bound<'_>, at: At) -> bool {
    (!S::INFO.has_live() || at.index < S::live(bound, at)) && S::keeps(bound, at)
}

/// How many elements of each part of an array stay.
fn counts<S: FilterRows>(bound: S::Bound<'_>, n: usize) -> Vec<usize> {
    let count = |part: usize| {
        (part * PART..n.min((part + 1) * PART))
            .filter(|&i| stays::<S>(&bound, at(i, n)))
            .count()
    };
    each(n.div_ceil(PART), &count)
}

/// A number for each part.
fn each(count: usize, number: &(dyn Fn(usize) -> usize + Sync)) -> Vec<usize> {
    let mut numbers = vec![0; count];
    parts(&mut numbers, 0, 1, &|first, numbers| {
        for (slot, part) in numbers.iter_mut().zip(first..) {
            *slot = number(part);
        }
    });
    numbers
}

fn at(index: usize, n: usize) -> At {
    At {
        element: index,
        row: 0,
        index: index as u64,
        len: n as u64,
    }
}

/// Writes what `stored` makes of each element that stays, in order, given how many of each part do.
fn compact<S: FilterRows, O: Outcome>(
    bound: S::Bound<'_>,
    n: usize,
    counts: &[usize],
    out: O::Slices<'_>,
    stored: impl Fn(At) -> O + Sync,
) {
    let (mut own_parts, mut rest) = (Vec::with_capacity(counts.len()), out);
    for (part, &count) in counts.iter().enumerate() {
        let (own, after) = O::split(rest, count);
        own_parts.push((part, own));
        rest = after;
    }
    jobs(own_parts, &|(part, mut own)| {
        let mut next = 0;
        for i in part * PART..n.min((part + 1) * PART) {
            if stays::<S>(&bound, at(i, n)) {
                stored(at(i, n)).put(&mut own, next);
                next += 1;
            }
        }
    });
}

/// How many elements of an array of `n` stay, part by part: what says how much room they take.
pub(crate) fn array_counts<S: FilterRows>(n: usize, arguments: &[Argument<'_>]) -> Vec<usize> {
    counts::<S>(S::bind(arguments), n)
}

/// The kept elements of an array of `n`, of which each part keeps as many as [`array_counts`] says.
pub(crate) fn array_filter<S: FilterRows>(
    n: usize,
    counts: &[usize],
    arguments: &[Argument<'_>],
    out: <S::Result as Outcome>::Slices<'_>,
) {
    let bound = S::bind(arguments);
    compact::<S, S::Result>(bound, n, counts, out, |at| S::kept(&bound, at));
}

/// Where the kept elements of an array of `n` stood.
pub(crate) fn array_indices<S: FilterRows>(
    n: usize,
    counts: &[usize],
    arguments: &[Argument<'_>],
    out: &mut [u64],
) {
    compact::<S, u64>(S::bind(arguments), n, counts, out, |at| at.index);
}

/// Walks through elements of segments, one behind the other.
struct Walk<'a, S: FilterRows> {
    bound: S::Bound<'a>,
    /// At least one segment.
    offsets: &'a [usize],
}

impl<S: FilterRows> Walk<'_, S> {
    /// Calls `met` with each offset on the way and how many elements before it are kept, and `kept` with each element
    /// that stays; gives the number of these.
    fn run(&self, part: Range<usize>, mut met: impl FnMut(usize), mut kept: impl FnMut(usize, At)) -> usize {
        // The first offset that is not behind us; the segment that we are in ends there.
        let mut next = self.offsets.partition_point(|&offset| offset < part.start);
        let mut count = 0;
        for element in part {
            while self.offsets[next] <= element {
                met(count);
                next += 1;
            }
            let from = self.offsets[next - 1];
            let at = At {
                element,
                row: next as u64 - 1,
                index: (element - from) as u64,
                len: (self.offsets[next] - from) as u64,
            };
            if stays::<S>(&self.bound, at) {
                kept(count, at);
                count += 1;
            }
        }
        count
    }
}

/// What segments keep, one behind the other; `starts` gets where each segment's part starts and where the last one
/// ends. `out` has room for all elements. Gives how many are kept.
pub(crate) fn segments_filter<S: FilterRows>(
    offsets: &[usize],
    arguments: &[Argument<'_>],
    out: <S::Result as Outcome>::Slices<'_>,
    starts: &mut [usize],
) -> usize {
    let (Some(&first), Some(&last)) = (offsets.first(), offsets.last()) else {
        return 0;
    };
    let walk = Walk::<S> {
        bound: S::bind(arguments),
        offsets,
    };
    let ranges: Vec<Range<usize>> = (first..last)
        .step_by(PART)
        .map(|start| start..last.min(start + PART))
        .collect();
    let counts = each(ranges.len(), &|part| {
        walk.run(ranges[part].clone(), |_| {}, |_, _| {})
    });
    let (mut own_parts, mut rest, mut rest_of_starts, mut before) = (Vec::new(), out, starts, 0);
    let mut passed = 0;
    for (part, count) in ranges.into_iter().zip(counts) {
        let met = offsets.partition_point(|&offset| offset < part.end) - passed;
        passed += met;
        let (own, after) = S::Result::split(rest, count);
        let (own_starts, after_starts) = rest_of_starts.split_at_mut(met);
        own_parts.push((part, before, own, own_starts));
        (rest, rest_of_starts) = (after, after_starts);
        before += count;
    }
    rest_of_starts.fill(before);
    jobs(own_parts, &|(part, before, mut own, starts)| {
        let mut starts = starts.iter_mut();
        let met = |count| {
            if let Some(start) = starts.next() {
                *start = before + count;
            }
        };
        walk.run(part, met, |count, at| {
            S::kept(&walk.bound, at).put(&mut own, count);
        });
    });
    before
}

/// Each row's kept elements at its start, the rest zero, and how many there are.
pub(crate) fn rows_filter<S: FilterRows>(
    shape: &Shape,
    arguments: &[Argument<'_>],
    mut out: <S::Result as Outcome>::Slices<'_>,
    counts: &mut [u64],
) {
    let bound = S::bind(arguments);
    let cols = shape.cols;
    // Rows in blocks, so that each thread has its own results and counts.
    let block = (1_usize << 15).div_ceil(cols.max(1));
    let mut blocks = Vec::new();
    for (number, counts) in counts[..shape.rows].chunks_mut(block).enumerate() {
        let own;
        let wanted = if (number + 1) * block < shape.rows {
            block * shape.out_stride
        } else {
            0
        };
        if wanted == 0 {
            blocks.push((number * block, out, counts));
            break;
        }
        (own, out) = S::Result::split(out, wanted);
        blocks.push((number * block, own, counts));
    }
    jobs(blocks, &|(first, mut out, counts)| {
        for (i, count) in counts.iter_mut().enumerate() {
            let (row, start) = (first + i, i * shape.out_stride);
            let mut next = start;
            for c in 0..cols {
                let at = At {
                    element: row * shape.stride + c,
                    row: row as u64,
                    index: c as u64,
                    len: cols as u64,
                };
                if stays::<S>(&bound, at) {
                    S::kept(&bound, at).put(&mut out, next);
                    next += 1;
                }
            }
            *count = (next - start) as u64;
            for rest in next..start + cols {
                S::Result::zero().put(&mut out, rest);
            }
        }
    });
}
