//! Reductions and scans over whole arrays: one row of all elements.

use crate::argument::{Argument, Target};
use crate::call::rows::{rows_reduce, rows_reduce_into, rows_scan, rows_scan_in_place, rows_scan_into};
use crate::element::Element;
use crate::error::Error;
use crate::outcome::Outcome;
use crate::place::Place;
use crate::rows::Rows;
use crate::spec::{Fold, FoldRows, Info, ParamKind, ScanRows};

type Arrays<S, P> = <<S as Fold>::Result as Outcome>::Arrays<P>;

/// The length of an array call: that of the first plain parameter, which all others have too.
pub(super) fn length(
    info: &Info,
    arguments: &[Argument<'_>],
    target: Option<&Target<'_>>,
) -> Result<usize, Error> {
    let plain = info
        .params
        .iter()
        .filter(|param| param.kind.is_passed())
        .zip(arguments);
    let mut lengths = plain
        .filter(|(param, _)| param.kind == ParamKind::Plain)
        .map(|(param, argument)| {
            (
                param,
                if matches!(argument, Argument::InPlace) {
                    target.map_or(0, Target::count)
                } else {
                    argument.count()
                },
            )
        });
    let Some((_, first)) = lengths.next() else {
        return Ok(0);
    };
    match lengths.find(|&(_, given)| given != first) {
        None => Ok(first),
        Some((param, given)) => Err(Error::Length {
            spec: info.name,
            what: format!("`{}`", param.name),
            needed: first as u64,
            given: given as u64,
        }),
    }
}

/// The length of an array call without a target.
pub(crate) fn array_length(info: &Info, arguments: &[Argument<'_>]) -> Result<usize, Error> {
    length(info, arguments, None)
}

fn row(info: &Info, arguments: &[Argument<'_>]) -> Result<Rows, Error> {
    Ok(Rows::array(length(info, arguments, None)?))
}

/// One value for everything, on the host once the work is done.
pub fn array_reduce<S: FoldRows, P: Place>(arguments: &[Argument<'_>]) -> Result<S::Result, Error> {
    let arrays = rows_reduce::<S, P>(row(&S::INFO, arguments)?, arguments)?;
    S::Result::first::<P>(&arrays)
}

/// [`array_reduce`] into the first element of the caller's arrays, where it stays on the device.
pub fn array_reduce_into<S: FoldRows>(
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
) -> Result<(), Error> {
    rows_reduce_into::<S>(row(&S::INFO, arguments)?, arguments, targets)
}

/// One result an element: of a scan the state up to there.
pub fn array_scan<S: ScanRows, P: Place>(arguments: &[Argument<'_>]) -> Result<Arrays<S, P>, Error> {
    rows_scan::<S, P>(row(&S::INFO, arguments)?, arguments)
}

/// [`array_scan`] into arrays of the caller's.
pub fn array_scan_into<S: ScanRows>(
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
) -> Result<(), Error> {
    rows_scan_into::<S>(row(&S::INFO, arguments)?, arguments, targets)
}

/// [`array_scan`] whose results replace the elements: `Argument::InPlace` stands for the target.
pub fn array_scan_in_place<S: ScanRows<Result: Element>>(
    arguments: &[Argument<'_>],
    target: Target<'_>,
) -> Result<(), Error> {
    let rows = Rows::array(length(&S::INFO, arguments, Some(&target))?);
    rows_scan_in_place::<S>(rows, arguments, target)
}
