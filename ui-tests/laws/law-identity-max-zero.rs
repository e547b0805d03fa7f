//! A max seeded with 0 loses what is negative.
//!
//! Rule: law-identity

use warpfold::prelude::*;

#[warp_reduce(op = |a, b| a.max(b), identity = 0.0)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
