//! A result comes apart into arrays.
//!
//! Rule: result-flat

use warpfold::prelude::*;

#[warp_reduce(op = sum, finish = |s| ((s, s), s))]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
