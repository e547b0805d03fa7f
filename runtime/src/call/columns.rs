//! Reductions along the other axis: one result a column.
//!
//! The columns are what is folded, as if the matrix were transposed first: `#[index]` is the position down the column,
//! `#[row]` and `#[per_row]` belong to the column that is folded, `#[per_column]` has one value a position down it.

use crate::argument::{Argument, Target};
use crate::check::{self, Extent};
use crate::cpu::{self, Layout};
use crate::error::Error;
use crate::gpu;
use crate::outcome::Outcome;
use crate::place::{Place, Site};
use crate::rows::{Rows, Shape};
use crate::spec::{Fold, FoldRows};

type Arrays<S, P> = <<S as Fold>::Result as Outcome>::Arrays<P>;

/// What a shape asks of the inputs, and how many results there are.
fn extent(shape: &Shape) -> (Extent, usize) {
    (
        Extent {
            plain: shape.needed,
            cols: shape.rows,
            rows: shape.cols,
            exact: false,
        },
        shape.cols,
    )
}

/// One result a column.
pub fn columns_reduce<S: FoldRows, P: Place>(
    shape: Rows,
    arguments: &[Argument<'_>],
) -> Result<Arrays<S, P>, Error> {
    let shape = shape.checked(shape.cols())?;
    let site = check::site(&S::INFO, arguments, None);
    let (extent, results) = extent(&shape);
    check::inputs(&S::INFO, &site, arguments, extent)?;
    let mut arrays = S::Result::arrays::<P>(&site, results, false)?;
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
    let (extent, results) = extent(&shape);
    check::inputs(&S::INFO, &site, arguments, extent)?;
    check::outputs(&S::INFO, &site, targets, results)?;
    columns_at::<S>(&site, &shape, arguments, targets)
}

fn columns_at<S: FoldRows>(
    site: &Site,
    shape: &Shape,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
) -> Result<(), Error> {
    match site {
        Site::Device(stream) => gpu::columns_reduce::<S>(stream, shape, arguments, targets),
        Site::Host => {
            cpu::reduce::<S>(Layout::columns(shape), arguments, S::Result::slices(targets));
            Ok(())
        }
    }
}
