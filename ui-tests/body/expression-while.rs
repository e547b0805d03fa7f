//! A loop has constant bounds.
//!
//! Rule: expression

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    let mut y = x;
    while y > 1.0 {
        y /= 2.0;
    }
    y
}

fn main() {}
