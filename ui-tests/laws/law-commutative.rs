//! A claim of commuting is tried.
//!
//! Rule: law-commutative

use warpfold::prelude::*;

#[warp_reduce(op = |p, q| (p.0 * q.0, q.0 * p.1 + q.1), identity = (1.0, 0.0), commutative = true)]
fn spec(a: f32, b: f32) -> (f32, f32) {
    (a, b)
}

fn main() {}
