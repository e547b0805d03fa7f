//! Reductions whose result goes back to every element.

use half::f16;
use warpfold::prelude::*;

#[warp_reduce(op = softmax, land = all, apply = |total| -> f32 { (x - total.0).exp() / total.1 })]
pub fn softmax(x: f32) -> f32 {
    x
}

#[warp_reduce(op = softmax, land = all, apply = |total| -> f32 { x - total.0 - total.1.ln() })]
pub fn log_softmax(x: f32) -> f32 {
    x
}

#[warp_reduce(op = sum, land = all, apply = |total| -> f32 { x / total.sqrt().max(1e-12) })]
pub fn l2_normalise(x: f32) -> f32 {
    x * x
}

#[warp_reduce(op = sum, land = all,
    apply = |total| -> f32 { x * (total / n as f32 + eps).sqrt().recip() * gamma })]
pub fn rms_norm(x: f32, #[per_column] gamma: f32, #[uniform] eps: f32, #[len] n: u32) -> f32 {
    x * x
}

#[warp_reduce(op = welford, land = all,
    apply = |s| -> f32 { (x - s.1) / (s.2 / s.0 + eps).sqrt() * gamma + beta })]
pub fn layer_norm(x: f32, #[per_column] gamma: f32, #[per_column] beta: f32, #[uniform] eps: f32) -> f32 {
    x
}

/// Exact in integers: how far below the row's largest.
#[warp_reduce(op = max, land = all, apply = |top| -> i32 { top - x })]
pub fn below_top(x: i32) -> i32 {
    x
}

/// In order, with an answer of two fields.
#[warp_reduce(identity = (1, 0), op = |p, q| (p.0 * q.0, q.0 * p.1 + q.1), land = all,
    apply = |total| -> (u32, u64) { (total.0 ^ a, total.1 as u64 + i) })]
pub fn pairs(a: u32, b: u32, #[index] i: u64) -> (u32, u32) {
    (a, b)
}

/// Every kind of parameter in `apply`.
#[warp_reduce(op = sum, land = all, width = 32,
    apply = |total| -> f32 { if i < k { total * scale + x * gamma + r as f32 } else { 0.0 } })]
pub fn ragged_share(
    x: f32,
    #[per_column] gamma: f32,
    #[per_row] scale: f32,
    #[live] k: u32,
    #[index] i: u32,
    #[row] r: u32,
) -> f32 {
    x
}

/// A share of the sum, in place where the caller wants it.
#[warp_reduce(op = sum, land = all, apply = |total| -> f64 { x / total })]
pub fn share(x: f64) -> f64 {
    x
}

/// Narrow elements, of which a lane has more than registers.
#[warp_reduce(op = softmax, land = all,
    apply = |total| -> f16 { f16::from_f32((x.to_f32() - total.0).exp() / total.1) })]
pub fn softmax_of_halves(x: f16) -> f32 {
    x.to_f32()
}
