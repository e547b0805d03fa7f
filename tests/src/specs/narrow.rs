//! Tuples of the narrowest fields.

use half::{bf16, f16};
use warpfold::prelude::*;

#[warp_reduce(identity = (-inf, inf, 0, false), op = |p, q| (p.0.max(q.0), p.1.min(q.1), p.2 + q.2, p.3 != q.3),
    commutative = true)]
pub fn joined(a: f16, b: bf16, c: u8, d: bool) -> (f16, bf16, u8, bool) {
    (a, b, c, d)
}

#[warp_reduce(identity = (-inf, inf, 0, false), op = |p, q| (p.0.max(q.0), p.1.min(q.1), p.2 + q.2, p.3 != q.3),
    commutative = true, land = all, apply = |s| -> (f16, bf16, u8, bool) { s })]
pub fn joined_everywhere(a: f16, b: bf16, c: u8, d: bool) -> (f16, bf16, u8, bool) {
    (a, b, c, d)
}

/// The last one that is set, and the sum of the bytes.
#[warp_reduce(identity = (0.0, 0.0, 0, false), op = |p, q| {
    let newer = if q.3 { q } else { p };
    (newer.0, newer.1, p.2 + q.2, newer.3)
}, land = 1, width = 8)]
pub fn followed(a: f16, b: bf16, c: u8, d: bool) -> (f16, bf16, u8, bool) {
    if d {
        (a, b, c, d)
    } else {
        (f16::ZERO, bf16::ZERO, c, d)
    }
}

#[warp_reduce(identity = (0.0, 0.0, 0, false), op = |p, q| {
    let newer = if q.3 { q } else { p };
    (newer.0, newer.1, p.2 + q.2, newer.3)
}, land = all, apply = |s| -> (f16, bf16, u8, bool) { s })]
pub fn followed_everywhere(a: f16, b: bf16, c: u8, d: bool) -> (f16, bf16, u8, bool) {
    if d {
        (a, b, c, d)
    } else {
        (f16::ZERO, bf16::ZERO, c, d)
    }
}

#[warp_scan(identity = (-inf, inf, 0, false), op = |p, q| (p.0.max(q.0), p.1.min(q.1), p.2 + q.2, p.3 != q.3))]
pub fn joining(a: f16, b: bf16, c: u8, d: bool) -> (f16, bf16, u8, bool) {
    (a, b, c, d)
}

#[warp_scan(identity = (0.0, 0.0, 0, false), op = |p, q| {
    let newer = if q.3 { q } else { p };
    (newer.0, newer.1, p.2 + q.2, newer.3)
}, direction = reverse)]
pub fn following_back(a: f16, b: bf16, c: u8, d: bool) -> (f16, bf16, u8, bool) {
    if d {
        (a, b, c, d)
    } else {
        (f16::ZERO, bf16::ZERO, c, d)
    }
}

#[warp_filter(keep = || (a, b, c, d))]
pub fn set(a: f16, b: bf16, c: u8, d: bool) -> bool {
    d
}
