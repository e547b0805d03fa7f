//! A Welford merge guards the division by no elements.
//!
//! Rule: law-neutral

use warpfold::prelude::*;

#[warp_reduce(identity = (0.0, 0.0, 0.0), op = |a, b| {
    let n = a.0 + b.0;
    let d = b.1 - a.1;
    (n, a.1 + d * b.0 / n, a.2 + b.2 + d * d * a.0 * b.0 / n)
})]
fn spec(x: f32) -> (f32, f32, f32) {
    (1.0, x, 0.0)
}

fn main() {}
