//! An operator takes two states.
//!
//! Rule: closure

use warpfold::prelude::*;

#[warp_reduce(op = |p| p, identity = 0.0)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
