//! Reductions that also run down columns.

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
pub fn sum(x: f32) -> f32 {
    x
}

#[warp_reduce(op = argmax)]
pub fn top(x: f32) -> f32 {
    x
}

#[warp_reduce(identity = (1, 0), op = |p, q| (p.0 * q.0, q.0 * p.1 + q.1))]
pub fn ordered(a: u32, b: u32) -> (u32, u32) {
    (a, b)
}
