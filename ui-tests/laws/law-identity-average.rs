//! An average has no identity.
//!
//! Rule: law-identity

use warpfold::prelude::*;

#[warp_reduce(op = |a, b| (a + b) / 2.0, identity = 0.0)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
