//! A method takes what it takes.
//!
//! Rule: argument-count

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    x.max(x, x)
}

fn main() {}
