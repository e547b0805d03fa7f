//! A softmax merge guards the exponential of -inf - -inf.
//!
//! Rule: law-neutral

use warpfold::prelude::*;

#[warp_reduce(identity = (-inf, 0.0), op = |p, q| {
    let m = p.0.max(q.0);
    (m, p.1 * (p.0 - m).exp() + q.1 * (q.0 - m).exp())
})]
fn spec(x: f32) -> (f32, f32) {
    (x, 1.0)
}

fn main() {}
