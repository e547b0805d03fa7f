//! An argument has a value.
//!
//! Rule: argument-value

use warpfold::prelude::*;

#[warp_reduce(op = )]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
