//! A width is a power of two up to 32.
//!
//! Rule: width

use warpfold::prelude::*;

#[warp_reduce(op = sum, width = 0)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
