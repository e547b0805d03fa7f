//! An operator sees no parameters.
//!
//! Rule: capture

use warpfold::prelude::*;

#[warp_reduce(op = |p, q| p + q * k, identity = 0.0)]
fn spec(x: f32, #[uniform] k: f32) -> f32 {
    x * k
}

fn main() {}
