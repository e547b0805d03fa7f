//! An argument is given once.
//!
//! Rule: argument-once

use warpfold::prelude::*;

#[warp_reduce(op = sum, op = max)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
