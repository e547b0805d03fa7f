//! 0.0 is not the identity of max.
//!
//! Rule: law-named

use warpfold::prelude::*;

#[warp_reduce(op = max, identity = 0.0)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
