//! The GPU back end: from a checked call to a kernel on the stream.

pub(crate) mod nvrtc;

use std::sync::Arc;

use cudarc::driver::CudaStream;

use crate::argument::{Argument, Target};
use crate::error::Error;
use crate::rows::Shape;
use crate::spec::{FilterRows, FoldRows, Info, ScanRows, ShuffleRows};

fn no_kernel<T>(info: &Info, what: &str) -> Result<T, Error> {
    Err(Error::Unsupported {
        spec: info.name,
        what: format!("there is no kernel for {what} yet"),
        remedy: "copy the data to the host and call with slices",
    })
}

pub(crate) fn rows_reduce<S: FoldRows>(
    _: &Arc<CudaStream>,
    _: &Shape,
    _: &[Argument<'_>],
    _: &mut [Target<'_>],
) -> Result<(), Error> {
    no_kernel(&S::INFO, "reductions over rows")
}
pub(crate) fn rows_scan<S: ScanRows>(
    _: &Arc<CudaStream>,
    _: &Shape,
    _: &[Argument<'_>],
    _: &mut [Target<'_>],
) -> Result<(), Error> {
    no_kernel(&S::INFO, "scans over rows")
}
pub(crate) fn rows_shuffle<S: ShuffleRows>(
    _: &Arc<CudaStream>,
    _: &Shape,
    _: &[Argument<'_>],
    _: &mut [Target<'_>],
) -> Result<(), Error> {
    no_kernel(&S::INFO, "shuffles over rows")
}
pub(crate) fn columns_reduce<S: FoldRows>(
    _: &Arc<CudaStream>,
    _: &Shape,
    _: &[Argument<'_>],
    _: &mut [Target<'_>],
) -> Result<(), Error> {
    no_kernel(&S::INFO, "columns")
}
pub(crate) fn rows_filter<S: FilterRows>(
    _: &Arc<CudaStream>,
    _: &Shape,
    _: &[Argument<'_>],
    _: &mut [Target<'_>],
    _: Target<'_>,
) -> Result<(), Error> {
    no_kernel(&S::INFO, "filters over rows")
}
pub(crate) fn array_filter<S: FilterRows>(
    _: &Arc<CudaStream>,
    _: usize,
    _: &[Argument<'_>],
    _: &mut [Target<'_>],
) -> Result<usize, Error> {
    no_kernel(&S::INFO, "filters over arrays")
}
pub(crate) fn array_filter_into<S: FilterRows>(
    _: &Arc<CudaStream>,
    _: usize,
    _: &[Argument<'_>],
    _: &mut [Target<'_>],
    _: Target<'_>,
) -> Result<(), Error> {
    no_kernel(&S::INFO, "filters over arrays")
}
pub(crate) fn array_indices<S: FilterRows>(
    _: &Arc<CudaStream>,
    _: usize,
    _: &[Argument<'_>],
    _: Target<'_>,
) -> Result<usize, Error> {
    no_kernel(&S::INFO, "filters over arrays")
}
pub(crate) fn array_indices_into<S: FilterRows>(
    _: &Arc<CudaStream>,
    _: usize,
    _: &[Argument<'_>],
    _: Target<'_>,
    _: Target<'_>,
) -> Result<(), Error> {
    no_kernel(&S::INFO, "filters over arrays")
}
