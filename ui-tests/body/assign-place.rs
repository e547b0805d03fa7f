//! What is assigned is a variable.
//!
//! Rule: assign-place

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    (x, 1.0).0 = 2.0;
    x
}

fn main() {}
