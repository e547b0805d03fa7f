//! A function is one spec.
//!
//! Rule: spec-once

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
#[warp_reduce(op = max)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
