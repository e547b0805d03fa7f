//! The calls that emitted code makes, one function a form and shape: check, find the place, run there.
//!
//! Each comes as one that makes its results and as an `_into` twin that writes where it is told; a few also in place.

#![allow(
    clippy::missing_errors_doc,
    reason = "called by emitted functions, which document their errors"
)]

mod arrays;
mod columns;
mod filters;
mod rows;
mod segments;
mod shuffles;

pub(crate) use arrays::array_length;
pub use arrays::{array_reduce, array_reduce_into, array_scan, array_scan_in_place, array_scan_into};
pub use columns::{columns_reduce, columns_reduce_into, columns_scan, columns_scan_into};
pub use filters::{
    array_filter, array_filter_into, array_indices, array_indices_into, rows_filter, rows_filter_into,
};
pub use rows::{
    rows_reduce, rows_reduce_in_place, rows_reduce_into, rows_scan, rows_scan_in_place, rows_scan_into,
};
pub use segments::{
    check_offsets, segments_filter, segments_filter_into, segments_reduce, segments_reduce_into,
    segments_scan, segments_scan_into,
};
pub use shuffles::{rows_shuffle, rows_shuffle_into};
