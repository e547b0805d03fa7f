//! A mask is a number.
//!
//! Rule: mask

use warpfold::prelude::*;

#[warp_reduce(op = sum, mask = full)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
