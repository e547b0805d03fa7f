//! An operator is code.
//!
//! Rule: closure

use warpfold::prelude::*;

#[warp_reduce(op = 5, identity = 0.0)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
