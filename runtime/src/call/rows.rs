//! Reductions and scans over rows.

use crate::argument::{Argument, Target};
use crate::check::{self, Extent};
use crate::cpu::{self, Layout};
use crate::element::Element;
use crate::error::Error;
use crate::gpu;
use crate::memory;
use crate::outcome::Outcome;
use crate::place::{Place, Site};
use crate::rows::{Rows, Shape};
use crate::spec::{Facts, Fold, FoldRows, ScanRows, Spec};

type Arrays<S, P> = <<S as Fold>::Result as Outcome>::Arrays<P>;

/// What a shape asks of the inputs.
pub(super) fn extent(shape: &Shape) -> Extent {
    Extent {
        plain: shape.needed,
        cols: shape.cols,
        rows: shape.rows,
        exact: false,
    }
}

/// The shape of a reduction: one result a row, or with `apply` one an element.
fn reduced<S: Spec>(shape: Rows) -> Result<Shape, Error> {
    shape.checked(if S::INFO.has_apply { shape.cols() } else { 1 })
}

/// One result a row; with `apply` one an element.
pub fn rows_reduce<S: FoldRows, P: Place>(
    shape: Rows,
    arguments: &[Argument<'_>],
) -> Result<Arrays<S, P>, Error> {
    let shape = reduced::<S>(shape)?;
    let site = check::site(&S::INFO, arguments, None);
    check::inputs(&S::INFO, &site, arguments, extent(&shape))?;
    let mut arrays = S::Result::arrays::<P>(&site, shape.out_needed, shape.has_gaps())?;
    S::Result::with_targets(&mut arrays, |targets| {
        reduce_at::<S>(&site, &shape, arguments, targets)
    })?;
    Ok(arrays)
}

/// [`rows_reduce`] into arrays of the caller's.
pub fn rows_reduce_into<S: FoldRows>(
    shape: Rows,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
) -> Result<(), Error> {
    let shape = reduced::<S>(shape)?;
    let site = check::site(&S::INFO, arguments, targets.first());
    check::inputs(&S::INFO, &site, arguments, extent(&shape))?;
    check::outputs(&S::INFO, &site, targets, shape.out_needed)?;
    reduce_at::<S>(&site, &shape, arguments, targets)
}

/// A reduction with `apply` whose results replace the elements: `Argument::InPlace` stands for the target.
pub fn rows_reduce_in_place<S: FoldRows<Result: Element>>(
    shape: Rows,
    arguments: &[Argument<'_>],
    target: Target<'_>,
) -> Result<(), Error> {
    let shape = dense_in_place(shape)?;
    in_place::<S, S::Result>(&shape, arguments, target, reduce_at::<S>)
}

/// One result an element: the state up to there.
pub fn rows_scan<S: ScanRows, P: Place>(
    shape: Rows,
    arguments: &[Argument<'_>],
) -> Result<Arrays<S, P>, Error> {
    let shape = shape.checked(shape.cols())?;
    let site = check::site(&S::INFO, arguments, None);
    check::inputs(&S::INFO, &site, arguments, extent(&shape))?;
    let mut arrays = S::Result::arrays::<P>(&site, shape.out_needed, shape.has_gaps())?;
    S::Result::with_targets(&mut arrays, |targets| {
        scan_at::<S>(&site, &shape, arguments, targets)
    })?;
    Ok(arrays)
}

/// [`rows_scan`] into arrays of the caller's.
pub fn rows_scan_into<S: ScanRows>(
    shape: Rows,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
) -> Result<(), Error> {
    let shape = shape.checked(shape.cols())?;
    let site = check::site(&S::INFO, arguments, targets.first());
    check::inputs(&S::INFO, &site, arguments, extent(&shape))?;
    check::outputs(&S::INFO, &site, targets, shape.out_needed)?;
    scan_at::<S>(&site, &shape, arguments, targets)
}

/// A scan whose results replace the elements: `Argument::InPlace` stands for the target.
pub fn rows_scan_in_place<S: ScanRows<Result: Element>>(
    shape: Rows,
    arguments: &[Argument<'_>],
    target: Target<'_>,
) -> Result<(), Error> {
    let shape = dense_in_place(shape)?;
    in_place::<S, S::Result>(&shape, arguments, target, scan_at::<S>)
}

/// In place the results have the stride of the inputs.
fn dense_in_place(shape: Rows) -> Result<Shape, Error> {
    shape.out_stride(shape.input_stride()).checked(shape.cols())
}

fn in_place<S: Spec, T: Element>(
    shape: &Shape,
    arguments: &[Argument<'_>],
    target: Target<'_>,
    run: impl FnOnce(&Site, &Shape, &[Argument<'_>], &mut [Target<'_>]) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut targets = [target];
    let site = check::site(&S::INFO, arguments, targets.first());
    check::inputs(&S::INFO, &site, arguments, extent(shape))?;
    check::outputs(&S::INFO, &site, &targets, shape.out_needed)?;
    match site {
        Site::Device(_) => run(&site, shape, arguments, &mut targets),
        Site::Host => {
            // Rows are written by several threads, and safe Rust has no slice that is read and written at once.
            let before = memory::copied(&targets[0].slice::<T>()[..shape.needed])?;
            let arguments: Vec<_> = arguments
                .iter()
                .map(|argument| argument.or_in_place(&before))
                .collect();
            run(&site, shape, &arguments, &mut targets)
        }
    }
}

fn reduce_at<S: FoldRows>(
    site: &Site,
    shape: &Shape,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
) -> Result<(), Error> {
    // However many rows there are: without columns `apply` has nothing to store.
    if shape.out_needed == 0 {
        return Ok(());
    }
    match site {
        Site::Device(stream) => gpu::rows_reduce(Facts::of::<S>(), stream, shape, arguments, targets),
        Site::Host => {
            let out = S::Result::slices(targets);
            if const { S::INFO.has_apply } {
                cpu::apply::<S>(Layout::rows(shape), arguments, out);
            } else {
                cpu::reduce::<S>(Layout::rows(shape), arguments, out);
            }
            Ok(())
        }
    }
}

fn scan_at<S: ScanRows>(
    site: &Site,
    shape: &Shape,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
) -> Result<(), Error> {
    if shape.out_needed == 0 {
        return Ok(());
    }
    match site {
        Site::Device(stream) => gpu::rows_scan(Facts::of::<S>(), stream, shape, arguments, targets),
        Site::Host => {
            cpu::scan_rows::<S>(Layout::rows(shape), arguments, S::Result::slices(targets));
            Ok(())
        }
    }
}
