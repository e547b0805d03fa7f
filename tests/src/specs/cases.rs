//! The specs of CASES that are nowhere else.

use half::f16;
use warpfold::prelude::*;

#[warp_reduce(op = max, width = 1)]
pub fn max_by_one_lane(x: f32) -> f32 {
    x
}

#[warp_reduce(op = sum)]
pub fn sum_of_u8(x: u8) -> u8 {
    x
}

#[warp_reduce(op = sum, init = 1)]
pub fn ones_from_one(x: f32) -> f32 {
    x
}

#[warp_reduce(op = sum, init = 1.0)]
pub fn ones_from_one_of_halves(x: f16) -> f32 {
    x.to_f32()
}

#[warp_reduce(op = softmax, finish = |s| -> f32 { s.0 + s.1.ln() })]
pub fn log_sum_exp(x: f32) -> f32 {
    x
}

#[warp_reduce(op = welford, finish = |s| -> f32 { s.2 / s.0 })]
pub fn variance(x: f32) -> f32 {
    x
}

#[warp_reduce(op = welford, land = all, apply = |s| -> f32 { s.2 / s.0 })]
pub fn variance_everywhere(x: f32) -> f32 {
    x
}

#[warp_scan(op = welford, finish = |s| -> f32 { s.2 / s.0 })]
pub fn variance_so_far(x: f32) -> f32 {
    x
}

#[warp_scan(op = sum, init = 7)]
pub fn sums_from_seven(x: i32) -> i32 {
    x
}

#[warp_scan(op = max, kind = exclusive)]
pub fn peaks_before(x: f32) -> f32 {
    x
}

#[warp_scan(op = sum, kind = exclusive)]
pub fn sums_before(x: f32) -> f32 {
    x
}

/// Shifts by more than the width, saturating casts, wrapping arithmetic, remainders of negative numbers.
#[warp_reduce(op = sum)]
pub fn meaning(x: i32, y: f32, z: u8) -> i64 {
    let shifted = (x << z) as i64 + (x >> (z as u32 + 33)) as i64;
    let cast = (y as u8) as i64 * 1000 + (x as u8) as i64;
    let wrapped = (i32::MAX + x) as i64;
    let rest = (x % 3) as i64 * 7 + (x / 3) as i64;
    let below = (z - 9) as i64;
    shifted + cast + wrapped + rest + below
}

/// The negative of a number of 16 bits, by several ways, in what compares and divides.
#[warp_reduce(op = sum)]
pub fn negatives(x: i16) -> i64 {
    let (minus, product, carried) = (-x, x.wrapping_mul(-1), !x + 1);
    let compared = (minus < 100) as i64 + (product < 100) as i64 * 2 + (carried < 100) as i64 * 4;
    let divided = x.wrapping_div(minus) as i64 * 8 + (0i16 - x).max(7) as i64 * 32;
    compared
        + divided
        + x.saturating_mul(-1) as i64 * 1_000_000
        + x.wrapping_abs().min(9) as i64 * 100_000_000_000
}

/// Numbers of 8 and 16 bits that are bounded and then compared with the bound; 1 for each comparison that holds.
#[warp_reduce(op = sum)]
pub fn bounded(x: u32, low: i16, high: u16) -> u32 {
    let (byte, small) = (x as u8, x as i16);
    let least = byte.min(127);
    let most = if small < low { low } else { small };
    let within = (x as u16).clamp(7, high);
    (least == 6 || least == 74 || least == 127) as u32
        + (most == 6 || most == 74 || most == low) as u32 * 16
        + (within == 7 || within == 74 || within == high) as u32 * 256
        + (if byte as i8 > 12 { 12 } else { byte as i8 } == 12) as u32 * 4096
}

/// Quotients of numbers that are not below zero by -0.0, which are: 1 for each.
#[warp_reduce(op = sum)]
pub fn below_zero(x: u32, zero: f32) -> u32 {
    let root = zero.sqrt();
    let (by_literal, by_root) = (x as f64 / -0.0, x as f32 / root);
    (by_literal < 0.0) as u32
        + (by_literal.exp() == 0.0) as u32 * 16
        + (by_root < 0.0) as u32 * 256
        + (root.recip() < 0.0) as u32 * 4096
}

/// The largest and the smallest, in the order of their type, and the one of them that another order would miss.
macro_rules! orders {
    ($($module:ident $ty:ident $far:ident $least:expr)*) => { $(pub mod $module {
        use warpfold::prelude::*;

        #[warp_reduce(op = max)]
        pub fn max(x: $ty) -> $ty { x }
        #[warp_reduce(op = min)]
        pub fn min(x: $ty) -> $ty { x }
        #[warp_reduce(op = $far, land = all, apply = |s| -> $ty { s })]
        pub fn everywhere(x: $ty) -> $ty { x }
        #[warp_scan(op = $far)]
        pub fn so_far(x: $ty) -> $ty { x }
        #[warp_filter]
        pub fn above(x: $ty) -> bool { x > $least }
    })* };
}
orders! { unsigned u32 max 2_147_483_648 signed i32 min -5 }
