//! Reductions and scans over rows, columns and whole arrays.

use crate::argument::Argument;
use crate::cpu::line::Line;
use crate::cpu::plans::Plans;
use crate::cpu::{fold, scan, share};
use crate::order::Order;
use crate::outcome::Outcome;
use crate::rows::Shape;
use crate::spec::{At, Bind, FoldRows, ScanRows};

/// Where the lines of a call lie in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// How many lines.
    pub lines: usize,
    /// Elements of each.
    pub len: usize,
    /// From the start of one line to the start of the next.
    pub between: usize,
    /// From one element of a line to the next.
    pub step: usize,
    /// From the results of one line to those of the next.
    pub out_between: usize,
}

impl Layout {
    /// Each row is a line.
    pub fn rows(shape: &Shape) -> Self {
        Self {
            lines: shape.rows,
            len: shape.cols,
            between: shape.stride,
            step: 1,
            out_between: shape.out_stride,
        }
    }

    /// Each column is a line, with one result.
    pub fn columns(shape: &Shape) -> Self {
        Self {
            lines: shape.cols,
            len: shape.rows,
            between: 1,
            step: shape.stride,
            out_between: 1,
        }
    }

    /// Line `number` of a call.
    pub fn line<'a, S: Bind>(&self, bound: S::Bound<'a>, number: usize, plans: &'a Plans) -> Line<'a, S> {
        let len = self.len as u64;
        let start = At {
            element: number * self.between,
            row: number as u64,
            index: 0,
            len,
        };
        let live = if S::INFO.has_live() {
            S::live(&bound, start).min(len)
        } else {
            len
        };
        Line {
            bound,
            start,
            step: self.step,
            live,
            order: Order::new(&S::INFO, len),
            plans,
        }
    }
}

/// One result a line.
pub(crate) fn reduce<S: FoldRows>(
    layout: Layout,
    arguments: &[Argument<'_>],
    out: <S::Result as Outcome>::Slices<'_>,
) {
    reduce_by::<S>(layout, arguments, out, Plans::get());
}

pub(super) fn reduce_by<S: FoldRows>(
    layout: Layout,
    arguments: &[Argument<'_>],
    out: <S::Result as Outcome>::Slices<'_>,
    plans: &Plans,
) {
    let bound = S::bind(arguments);
    share::share::<S::Result>(
        0..layout.lines,
        layout.len,
        layout.out_between,
        out,
        &|lines, mut out| {
            let mut scratch = fold::Scratch::default();
            for number in lines.clone() {
                let line = layout.line::<S>(bound, number, plans);
                let total = fold::total(&line, &mut scratch);
                S::finish(&bound, total, line.start)
                    .put(&mut out, (number - lines.start) * layout.out_between);
            }
        },
    );
}

/// One result an element, from its value and the line's state.
pub(crate) fn apply<S: FoldRows>(
    layout: Layout,
    arguments: &[Argument<'_>],
    out: <S::Result as Outcome>::Slices<'_>,
) {
    let (bound, plans) = (S::bind(arguments), Plans::get());
    share::share::<S::Result>(
        0..layout.lines,
        2 * layout.len,
        layout.out_between,
        out,
        &|lines, mut out| {
            let mut scratch = fold::Scratch::default();
            for number in lines {
                let line = layout.line::<S>(bound, number, plans);
                let total = fold::total(&line, &mut scratch);
                let (mut own, rest) = S::Result::split(out, layout.len);
                for index in 0..line.order.n {
                    S::apply(&bound, total, line.at(index)).put(&mut own, index as usize);
                }
                out = S::Result::skip(rest, layout.out_between - layout.len);
            }
        },
    );
}

/// One result an element: the state up to there.
pub(crate) fn scan_rows<S: ScanRows>(
    layout: Layout,
    arguments: &[Argument<'_>],
    out: <S::Result as Outcome>::Slices<'_>,
) {
    let (bound, plans) = (S::bind(arguments), Plans::get());
    share::share::<S::Result>(
        0..layout.lines,
        layout.len,
        layout.out_between,
        out,
        &|lines, mut out| {
            let mut scratch = scan::Scratch::default();
            for number in lines {
                let line = layout.line::<S>(bound, number, plans);
                let (mut own, rest) = S::Result::split(out, layout.len);
                scan::scan(&line, &mut own, &mut scratch);
                out = S::Result::skip(rest, layout.out_between - layout.len);
            }
        },
    );
}
