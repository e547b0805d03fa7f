//! Scans of both kinds and directions.

use warpfold::prelude::*;

#[warp_scan(op = sum)]
pub fn sums(x: f32) -> f32 {
    x
}

#[warp_scan(op = sum, kind = exclusive)]
pub fn offsets(count: u32) -> u32 {
    count
}

#[warp_scan(op = sum, direction = reverse)]
pub fn sums_back(x: f32) -> f32 {
    x
}

#[warp_scan(op = sum, kind = exclusive, direction = reverse)]
pub fn offsets_back(count: u32) -> u32 {
    count
}

#[warp_scan(op = sum, kind = exclusive, init = 10)]
pub fn offsets_from_ten(count: u64) -> u64 {
    count
}

#[warp_scan(op = sum, init = 0.25)]
pub fn sums_from_quarter(x: f32) -> f32 {
    x
}

#[warp_scan(op = max)]
pub fn peaks(x: f32) -> f32 {
    x
}

#[warp_scan(identity = (1.0, 0.0), op = |p, q| (p.0 * q.0, q.0 * p.1 + q.1), finish = |s| -> f32 { s.1 })]
pub fn recurrence(a: f32, b: f32) -> (f32, f32) {
    (a, b)
}

/// The same over integers, where it is exact.
#[warp_scan(op = affine, finish = |s| -> u32 { s.1 })]
pub fn recurrence_exact(a: u32, b: u32) -> (u32, u32) {
    (a, b)
}

/// The last writer: right unless it is empty.
#[warp_scan(identity = (false, 0), op = |p, q| if q.0 { q } else { p }, finish = |s| -> u32 { s.1 })]
pub fn last_odd(x: u32) -> (bool, u32) {
    if x & 1 == 1 { (true, x) } else { (false, 0) }
}

#[warp_scan(identity = (false, 0), op = |p, q| if q.0 { q } else { p }, finish = |s| -> u32 { s.1 },
    direction = reverse, kind = exclusive)]
pub fn next_odd(x: u32) -> (bool, u32) {
    if x & 1 == 1 { (true, x) } else { (false, 0) }
}

#[warp_scan(identity = (1, 0, 0, 1), op = |p, q| (
    p.0 * q.0 + p.1 * q.2, p.0 * q.1 + p.1 * q.3,
    p.2 * q.0 + p.3 * q.2, p.2 * q.1 + p.3 * q.3,
))]
pub fn matrices(x: u32) -> (u32, u32, u32, u32) {
    (x, 1, 1, x >> 7)
}

/// A segmented sum: a flag starts a new one.
#[warp_scan(identity = (false, 0), op = |p, q| (p.0 || q.0, if q.0 { q.1 } else { p.1 + q.1 }),
    finish = |s| -> i64 { s.1 })]
pub fn restarted(start: bool, x: i64) -> (bool, i64) {
    (start, x)
}

/// `finish` at every position, from parameters of every kind.
#[warp_scan(op = sum, finish = |s| -> f32 { s * gamma + scale + x + (i + n) as f32 + r as f32 + bias })]
pub fn every_kind(
    x: f32,
    #[per_column] gamma: f32,
    #[per_row] scale: f32,
    #[uniform] bias: f32,
    #[index] i: u32,
    #[row] r: u32,
    #[len] n: u32,
) -> f32 {
    x
}

macro_rules! widths {
    ($($name:ident $width:literal)*) => { $(
        #[warp_scan(identity = (1, 0), op = |p, q| (p.0 * q.0, q.0 * p.1 + q.1), width = $width)]
        pub fn $name(a: u32, b: u32) -> (u32, u32) { (a, b) }
    )* };
}
widths! { affine_1 1 affine_2 2 affine_4 4 affine_8 8 affine_16 16 affine_32 32 }
