//! A width is a number.
//!
//! Rule: width

use warpfold::prelude::*;

#[warp_shuffle(from = xor(1), width = all)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
