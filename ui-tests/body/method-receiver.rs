//! The type of a receiver is known.
//!
//! Rule: method

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    2.0.max(x)
}

fn main() {}
