//! What a file that uses warpfold wants in scope: `use warpfold::prelude::*;`.
//!
//! Never `Error` or `Result`, which would hide a crate's own.

pub use crate::{Buffer, Device, Filter, Input, Output, Reduce, Rows, Scan, Shuffle};
pub use crate::{warp_filter, warp_module, warp_reduce, warp_scan, warp_shuffle};
