//! Filters.

use warpfold::prelude::*;

#[warp_filter]
pub fn positive(x: f32) -> bool {
    x > 0.0
}

#[warp_filter]
pub fn odd_bytes(x: u8) -> bool {
    x & 1 == 1
}

/// Two parameters: both are kept.
#[warp_filter]
pub fn closer(x: f64, y: u32) -> bool {
    x < y as f64 / 1_000_000_000.0
}

/// What is stored is not what is tested.
#[warp_filter(keep = || (x * x, i))]
pub fn squares(x: f32, #[uniform] least: f32, #[index] i: u32) -> bool {
    x >= least
}

#[warp_filter(keep = || x + r as i32)]
pub fn by_column(x: i32, #[per_column] wanted: bool, #[row] r: u32) -> bool {
    wanted && x != 0
}

/// Asks which segment or row each element is of, and where in it.
#[warp_filter(keep = || (x, r, i))]
pub fn placed(
    x: i32,
    #[per_row] limit: i32,
    #[live] k: u32,
    #[row] r: u32,
    #[index] i: u64,
    #[len] n: u32,
) -> bool {
    x > limit && i + 1 < n as u64
}
