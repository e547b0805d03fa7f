//! Lane exchanges over rows.

use crate::argument::{Argument, Target};
use crate::call::rows::extent;
use crate::check;
use crate::cpu;
use crate::error::Error;
use crate::gpu;
use crate::outcome::Outcome;
use crate::place::{Place, Site};
use crate::rows::{Rows, Shape};
use crate::spec::{Facts, ShuffleRows};

type Arrays<S, P> = <<S as ShuffleRows>::Result as Outcome>::Arrays<P>;

/// One result an element: the value of the lane it takes from.
pub fn rows_shuffle<S: ShuffleRows, P: Place>(
    shape: Rows,
    arguments: &[Argument<'_>],
) -> Result<Arrays<S, P>, Error> {
    let shape = shape.checked(shape.cols())?;
    let site = check::site(&S::INFO, arguments, None);
    check::inputs(&S::INFO, &site, arguments, extent(&shape))?;
    let mut arrays = S::Result::arrays::<P>(&site, shape.out_needed, shape.has_gaps())?;
    S::Result::with_targets(&mut arrays, |targets| {
        shuffle_at::<S>(&site, &shape, arguments, targets)
    })?;
    Ok(arrays)
}

/// [`rows_shuffle`] into arrays of the caller's.
pub fn rows_shuffle_into<S: ShuffleRows>(
    shape: Rows,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
) -> Result<(), Error> {
    let shape = shape.checked(shape.cols())?;
    let site = check::site(&S::INFO, arguments, targets.first());
    check::inputs(&S::INFO, &site, arguments, extent(&shape))?;
    check::outputs(&S::INFO, &site, targets, shape.out_needed)?;
    shuffle_at::<S>(&site, &shape, arguments, targets)
}

fn shuffle_at<S: ShuffleRows>(
    site: &Site,
    shape: &Shape,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
) -> Result<(), Error> {
    if shape.out_needed == 0 {
        return Ok(());
    }
    match site {
        Site::Device(stream) => gpu::rows_shuffle(Facts::of::<S>(), stream, shape, arguments, targets),
        Site::Host => {
            cpu::shuffle::<S>(shape, arguments, S::Result::slices(targets));
            Ok(())
        }
    }
}
