//! Reductions and scans along the other axis: one result a column, or one an element.
//!
//! The columns are what is folded or scanned, as if the matrix were transposed first: `#[index]` is the position down the column,
//! `#[row]` and `#[per_row]` belong to the column that is folded, `#[per_column]` has one value a position down it.

use crate::argument::{Argument, Target};
use crate::check::{self, Extent};
use crate::cpu::{self, Layout};
use crate::error::Error;
use crate::gpu;
use crate::outcome::Outcome;
use crate::place::{Place, Site};
use crate::rows::{Rows, Shape};
use crate::spec::{Facts, Fold, FoldRows, ScanRows};

type Arrays<S, P> = <<S as Fold>::Result as Outcome>::Arrays<P>;

/// What a shape asks of the inputs.
fn extent(shape: &Shape) -> Extent {
    Extent {
        plain: shape.needed,
        cols: shape.rows,
        rows: shape.cols,
        exact: false,
    }
}

/// One result a column.
pub fn columns_reduce<S: FoldRows, P: Place>(
    shape: Rows,
    arguments: &[Argument<'_>],
) -> Result<Arrays<S, P>, Error> {
    let shape = shape.checked(shape.cols())?;
    let site = check::site(&S::INFO, arguments, None);
    check::inputs(&S::INFO, &site, arguments, extent(&shape))?;
    let mut arrays = S::Result::arrays::<P>(&site, shape.cols, false)?;
    S::Result::with_targets(&mut arrays, |targets| {
        columns_at::<S>(&site, &shape, arguments, targets)
    })?;
    Ok(arrays)
}

/// [`columns_reduce`] into arrays of the caller's.
pub fn columns_reduce_into<S: FoldRows>(
    shape: Rows,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
) -> Result<(), Error> {
    let shape = shape.checked(shape.cols())?;
    let site = check::site(&S::INFO, arguments, targets.first());
    check::inputs(&S::INFO, &site, arguments, extent(&shape))?;
    check::outputs(&S::INFO, &site, targets, shape.cols)?;
    columns_at::<S>(&site, &shape, arguments, targets)
}

fn columns_at<S: FoldRows>(
    site: &Site,
    shape: &Shape,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
) -> Result<(), Error> {
    match site {
        Site::Device(stream) => gpu::columns_reduce(Facts::of::<S>(), stream, shape, arguments, targets),
        Site::Host => {
            cpu::reduce::<S>(Layout::columns(shape), arguments, S::Result::slices(targets));
            Ok(())
        }
    }
}

/// One result an element: the state up to there in its column.
pub fn columns_scan<S: ScanRows, P: Place>(
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

/// [`columns_scan`] into arrays of the caller's.
pub fn columns_scan_into<S: ScanRows>(
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
        Site::Device(stream) => gpu::columns_scan(Facts::of::<S>(), stream, shape, arguments, targets),
        Site::Host => cpu::scan_columns::<S>(shape, arguments, S::Result::slices(targets)),
    }
}
