//! Reductions and scans over rows, columns, segments and whole arrays.

use crate::argument::Argument;
use crate::cpu::line::Line;
use crate::cpu::parallel::parts;
use crate::cpu::plans::Plans;
use crate::cpu::share::{GRAIN, Lines, share};
use crate::cpu::{fold, scan};
use crate::error::Error;
use crate::memory;
use crate::order::Order;
use crate::outcome::Outcome;
use crate::rows::Shape;
use crate::spec::{At, Bind, FoldRows, ScanRows};

/// Where the lines of a call lie in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Layout<'a> {
    /// Lines of one length.
    Even {
        /// How many.
        lines: usize,
        /// Elements of each.
        len: usize,
        /// From the start of one line to the start of the next.
        between: usize,
        /// From one element of a line to the next.
        step: usize,
        /// From the results of one line to those of the next.
        out_between: usize,
        /// Whether the one line is an array.
        array: bool,
    },
    /// Segments: line i holds the elements from offset i up to offset i + 1.
    Segments(&'a [usize]),
}

impl Layout<'_> {
    /// Each row is a line.
    pub fn rows(shape: &Shape) -> Self {
        let (between, out_between) = (shape.stride, shape.out_stride);
        Self::Even {
            lines: shape.rows,
            len: shape.cols,
            between,
            step: 1,
            out_between,
            array: shape.array,
        }
    }

    /// Each column is a line, with one result.
    pub fn columns(shape: &Shape) -> Self {
        Self::Even {
            lines: shape.cols,
            len: shape.rows,
            between: 1,
            step: shape.stride,
            out_between: 1,
            array: false,
        }
    }

    fn lines(&self) -> usize {
        match *self {
            Self::Even { lines, .. } => lines,
            Self::Segments(offsets) => offsets.len().saturating_sub(1),
        }
    }

    /// Elements of a line.
    #[inline]
    fn len(&self, number: usize) -> usize {
        match *self {
            Self::Even { len, .. } => len,
            Self::Segments(offsets) => offsets[number + 1] - offsets[number],
        }
    }

    /// Elements of the lines before one, and a little for each line.
    fn cost(&self, number: usize) -> usize {
        match *self {
            Self::Even { len, .. } => number.saturating_mul(len.saturating_add(16)),
            Self::Segments(offsets) => offsets[number].saturating_add(16 * number),
        }
    }

    /// Where a line's results start, of one result an element.
    #[inline]
    fn out(&self, number: usize) -> usize {
        match *self {
            Self::Even { out_between, .. } => number * out_between,
            Self::Segments(offsets) => offsets[number],
        }
    }

    /// From a line's result to that of the next, of one result a line.
    fn one_out_between(&self) -> usize {
        match *self {
            Self::Even { out_between, .. } => out_between,
            Self::Segments(_) => 1,
        }
    }

    /// The order of every line, where they are alike.
    fn order<S: Bind>(&self) -> Option<Order> {
        match *self {
            Self::Even { len, array: true, .. } => Some(Order::of_array(&S::INFO, len as u64)),
            Self::Even { len, .. } => Some(Order::of_line(&S::INFO, len as u64)),
            Self::Segments(_) => None,
        }
    }

    /// Line `number` of a call; `order` is what [`Self::order`] gave.
    #[inline]
    fn line<'b, S: Bind>(
        &self,
        bound: S::Bound<'b>,
        number: usize,
        order: Option<Order>,
        plans: &'b Plans,
    ) -> Line<'b, S> {
        let (element, step) = match *self {
            Self::Even { between, step, .. } => (number * between, step),
            Self::Segments(offsets) => (offsets[number], 1),
        };
        let len = self.len(number) as u64;
        let start = At {
            element,
            row: number as u64,
            index: 0,
            len,
        };
        let mut line = Line {
            bound,
            start,
            step,
            live: len,
            order: order.unwrap_or_else(|| Order::of_line(&S::INFO, len)),
            plans,
        };
        line.ask_live();
        line
    }

    /// Makes the line before this one line `number`.
    #[inline]
    fn next<S: Bind>(&self, line: &mut Line<'_, S>, number: usize) {
        match *self {
            Self::Even { between, .. } => {
                line.start.element += between;
                line.start.row += 1;
                line.ask_live();
            }
            Self::Segments(_) => *line = self.line(line.bound, number, None, line.plans),
        }
    }
}

/// One result a line.
pub(crate) fn reduce<S: FoldRows>(
    layout: Layout<'_>,
    arguments: &[Argument<'_>],
    out: <S::Result as Outcome>::Slices<'_>,
) {
    reduce_by::<S>(layout, arguments, out, Plans::get());
}

pub(super) fn reduce_by<S: FoldRows>(
    layout: Layout<'_>,
    arguments: &[Argument<'_>],
    out: <S::Result as Outcome>::Slices<'_>,
    plans: &Plans,
) {
    let bound = S::bind(arguments);
    let facts = Lines {
        cost: &|line| layout.cost(line),
        out: &|line| line * layout.one_out_between(),
    };
    let order = layout.order::<S>();
    share::<S::Result>(0..layout.lines(), facts, out, &|lines, mut out| {
        let mut scratch = fold::Scratch::default();
        let apart = layout.one_out_between();
        let mut line = layout.line::<S>(bound, lines.start, order, plans);
        for number in lines.clone() {
            if number > lines.start {
                layout.next(&mut line, number);
            }
            let total = fold::total(&line, &mut scratch);
            let at = At {
                element: 0,
                ..line.start
            };
            S::finish(&bound, total, at).put(&mut out, (number - lines.start) * apart);
        }
    });
}

/// Elements whose results are made side by side.
const APPLIED: usize = 16;

/// One result an element, from its value and the line's state.
pub(crate) fn apply<S: FoldRows>(
    layout: Layout<'_>,
    arguments: &[Argument<'_>],
    out: <S::Result as Outcome>::Slices<'_>,
) {
    each_line::<S, fold::Scratch<S>>(layout, arguments, out, &|line, out, scratch| {
        let total = fold::total(line, scratch);
        let (mut index, end) = (0, line.order.n);
        while line.step == 1 && end - index >= APPLIED as u64 {
            let mut results = [S::Result::zero(); APPLIED];
            S::apply_block(&line.bound, total, line.at(index), &mut results);
            for (result, at) in results.into_iter().zip(index as usize..) {
                result.put(out, at);
            }
            index += APPLIED as u64;
        }
        for index in index..end {
            S::apply(&line.bound, total, line.at(index)).put(out, index as usize);
        }
    });
}

/// One result an element: the state up to there.
pub(crate) fn scan_rows<S: ScanRows>(
    layout: Layout<'_>,
    arguments: &[Argument<'_>],
    out: <S::Result as Outcome>::Slices<'_>,
) {
    each_line::<S, scan::Scratch<S>>(layout, arguments, out, &|line, out, scratch| {
        scan::scan(line, |at, result| result.put(out, at), scratch);
    });
}

/// Elements that columns have in memory at a time while they are scanned.
const COLUMNS_AT_ONCE: usize = 1 << 22;

/// One result an element: the state up to there in its column.
///
/// Results of neighbouring columns lie between each other, so some columns are scanned side by side, and then stored
/// row by row.
pub(crate) fn scan_columns<S: ScanRows>(
    shape: &Shape,
    arguments: &[Argument<'_>],
    mut out: <S::Result as Outcome>::Slices<'_>,
) -> Result<(), Error> {
    let (bound, plans, layout) = (S::bind(arguments), Plans::get(), Layout::columns(shape));
    let order = layout.order::<S>();
    let at_once = (COLUMNS_AT_ONCE / shape.rows.max(1)).clamp(64, shape.cols.max(64));
    for first in (0..shape.cols).step_by(at_once) {
        let end = shape.cols.min(first + at_once);
        let mut columns: Vec<Result<Vec<S::Result>, Error>> = (first..end).map(|_| Ok(Vec::new())).collect();
        let few = GRAIN / shape.rows.max(1);
        parts(&mut columns, first, few, &|first, columns| {
            let mut scratch = scan::Scratch::default();
            for (column, number) in columns.iter_mut().zip(first..) {
                *column = memory::filled(S::Result::zero(), shape.rows);
                let Ok(results) = column else { return };
                let line = layout.line::<S>(bound, number, order, plans);
                scan::scan(&line, |at, result| results[at] = result, &mut scratch);
            }
        });
        let columns: Vec<Vec<S::Result>> = columns.into_iter().collect::<Result<_, _>>()?;
        let facts = Lines {
            cost: &|row| row * (end - first),
            out: &|row| row * shape.out_stride,
        };
        let again = S::Result::again(&mut out);
        share::<S::Result>(0..shape.rows, facts, again, &|rows, mut out| {
            for (row, start) in rows.zip((0..).step_by(shape.out_stride.max(1))) {
                for (column, results) in (first..end).zip(&columns) {
                    results[row].put(&mut out, start + column);
                }
            }
        });
    }
    Ok(())
}

/// What writes a whole line of results.
type LineWork<'w, S, M> =
    &'w (dyn Fn(&Line<'_, S>, &mut <<S as crate::spec::Fold>::Result as Outcome>::Slices<'_>, &mut M) + Sync);

/// Lines with one result an element, each with its own part of `out`.
fn each_line<S: crate::spec::Fold, M: Default>(
    layout: Layout<'_>,
    arguments: &[Argument<'_>],
    out: <S::Result as Outcome>::Slices<'_>,
    work: LineWork<'_, S, M>,
) {
    let (bound, plans) = (S::bind(arguments), Plans::get());
    let order = layout.order::<S>();
    let facts = Lines {
        cost: &|line| layout.cost(line),
        out: &|line| layout.out(line),
    };
    // What stands before the first segment belongs to no line.
    let out = S::Result::skip(out, if layout.lines() > 0 { layout.out(0) } else { 0 });
    share::<S::Result>(0..layout.lines(), facts, out, &|lines, mut out| {
        let mut scratch = M::default();
        let mut line = layout.line::<S>(bound, lines.start, order, plans);
        for number in lines.clone() {
            if number > lines.start {
                layout.next(&mut line, number);
            }
            let len = line.start.len as usize;
            let (mut own, rest) = S::Result::split(out, len);
            work(&line, &mut own, &mut scratch);
            let gap = match layout {
                Layout::Even { out_between, .. } => out_between - len,
                Layout::Segments(_) => 0,
            };
            out = S::Result::skip(rest, gap);
        }
    });
}
