//! Filters over arrays and rows.

use crate::argument::{Argument, Target};
use crate::call::arrays::length;
use crate::call::rows::extent;
use crate::check::{self, Extent};
use crate::cpu;
use crate::error::Error;
use crate::gpu;
use crate::outcome::Outcome;
use crate::place::{Place, Site};
use crate::rows::{Rows, Shape};
use crate::spec::{Facts, FilterRows};

type Arrays<S, P> = <<S as FilterRows>::Result as Outcome>::Arrays<P>;

/// Checks an array call and says where it runs and how many elements it has.
fn array<'a, S: FilterRows>(
    arguments: &'a [Argument<'_>],
    target: Option<&Target<'_>>,
) -> Result<(Site<'a>, usize), Error> {
    let n = length(&S::INFO, arguments, None)?;
    let site = check::site(&S::INFO, arguments, target);
    check::inputs(
        &S::INFO,
        &site,
        arguments,
        Extent {
            plain: n,
            cols: n,
            rows: 1,
            exact: true,
        },
    )?;
    Ok((site, n))
}

/// The kept elements, in order.
pub fn array_filter<S: FilterRows, P: Place>(arguments: &[Argument<'_>]) -> Result<Arrays<S, P>, Error> {
    let (site, n) = array::<S>(arguments, None)?;
    match &site {
        Site::Device(stream) => {
            let mut arrays = S::Result::arrays::<P>(&site, n, false)?;
            let kept = S::Result::with_targets(&mut arrays, |targets| {
                gpu::array_filter(Facts::of::<S>(), stream, n, arguments, targets)
            })?;
            S::Result::truncated::<P>(arrays, kept)
        }
        Site::Host => {
            let counts = cpu::array_counts::<S>(n, arguments);
            let mut arrays = S::Result::arrays::<P>(&site, counts.iter().sum(), false)?;
            S::Result::with_targets(&mut arrays, |targets| {
                cpu::array_filter::<S>(n, &counts, arguments, S::Result::slices(targets));
            });
            Ok(arrays)
        }
    }
}

/// [`array_filter`] into arrays of the caller's, with room for every element; how many stay goes to `count`.
pub fn array_filter_into<S: FilterRows>(
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
    mut count: Target<'_>,
) -> Result<(), Error> {
    let (site, n) = array::<S>(arguments, targets.first())?;
    check::outputs(&S::INFO, &site, targets, n)?;
    check::beside(&S::INFO, &site, &count, "counts", 1)?;
    match &site {
        Site::Device(stream) => {
            gpu::array_filter_into(Facts::of::<S>(), stream, n, arguments, targets, count)
        }
        Site::Host => {
            let counts = cpu::array_counts::<S>(n, arguments);
            cpu::array_filter::<S>(n, &counts, arguments, S::Result::slices(targets));
            count.slice::<u64>()[0] = counts.iter().sum::<usize>() as u64;
            Ok(())
        }
    }
}

/// Where the kept elements stood.
pub fn array_indices<S: FilterRows, P: Place>(arguments: &[Argument<'_>]) -> Result<P::Array<u64>, Error> {
    let (site, n) = array::<S>(arguments, None)?;
    match &site {
        Site::Device(stream) => {
            let mut array = P::array::<u64>(&site, n, false)?;
            let target = P::target(&mut array);
            let kept = gpu::array_indices(Facts::of::<S>(), stream, n, arguments, target)?;
            P::truncated(array, kept)
        }
        Site::Host => {
            let counts = cpu::array_counts::<S>(n, arguments);
            let mut array = P::array::<u64>(&site, counts.iter().sum(), false)?;
            cpu::array_indices::<S>(n, &counts, arguments, P::target(&mut array).slice());
            Ok(array)
        }
    }
}

/// [`array_indices`] into an array of the caller's, with room for every element; how many there are goes to `count`.
pub fn array_indices_into<S: FilterRows>(
    arguments: &[Argument<'_>],
    mut target: Target<'_>,
    mut count: Target<'_>,
) -> Result<(), Error> {
    let (site, n) = array::<S>(arguments, Some(&target))?;
    check::outputs(&S::INFO, &site, std::slice::from_ref(&target), n)?;
    check::beside(&S::INFO, &site, &count, "counts", 1)?;
    match &site {
        Site::Device(stream) => {
            gpu::array_indices_into(Facts::of::<S>(), stream, n, arguments, target, count)
        }
        Site::Host => {
            let counts = cpu::array_counts::<S>(n, arguments);
            cpu::array_indices::<S>(n, &counts, arguments, target.slice());
            count.slice::<u64>()[0] = counts.iter().sum::<usize>() as u64;
            Ok(())
        }
    }
}

/// Each row's kept elements at its start, the rest zero; and how many each row keeps.
#[allow(
    clippy::type_complexity,
    reason = "the arrays of the results and one more, as the call's documentation says"
)]
pub fn rows_filter<S: FilterRows, P: Place>(
    shape: Rows,
    arguments: &[Argument<'_>],
) -> Result<(Arrays<S, P>, P::Array<u64>), Error> {
    let shape = shape.checked(shape.cols())?;
    let site = check::site(&S::INFO, arguments, None);
    check::inputs(&S::INFO, &site, arguments, extent(&shape))?;
    let mut arrays = S::Result::arrays::<P>(&site, shape.out_needed, shape.has_gaps())?;
    let mut counts = P::array::<u64>(&site, shape.rows, false)?;
    S::Result::with_targets(&mut arrays, |targets| {
        filter_at::<S>(&site, &shape, arguments, targets, P::target(&mut counts))
    })?;
    Ok((arrays, counts))
}

/// [`rows_filter`] into arrays of the caller's.
pub fn rows_filter_into<S: FilterRows>(
    shape: Rows,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
    counts: Target<'_>,
) -> Result<(), Error> {
    let shape = shape.checked(shape.cols())?;
    let site = check::site(&S::INFO, arguments, targets.first());
    check::inputs(&S::INFO, &site, arguments, extent(&shape))?;
    check::outputs(&S::INFO, &site, targets, shape.out_needed)?;
    check::beside(&S::INFO, &site, &counts, "counts", shape.rows)?;
    filter_at::<S>(&site, &shape, arguments, targets, counts)
}

fn filter_at<S: FilterRows>(
    site: &Site,
    shape: &Shape,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
    mut counts: Target<'_>,
) -> Result<(), Error> {
    match site {
        Site::Device(stream) => gpu::rows_filter(Facts::of::<S>(), stream, shape, arguments, targets, counts),
        Site::Host => {
            cpu::rows_filter::<S>(shape, arguments, S::Result::slices(targets), counts.slice());
            Ok(())
        }
    }
}
