//! An argument is known to the attribute.
//!
//! Rule: argument-known

use warpfold::prelude::*;

#[warp_reduce(op = sum, identiy = 0.0)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
