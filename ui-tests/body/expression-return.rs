//! A value is the last expression.
//!
//! Rule: expression

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    if x > 0.0 {
        return x;
    }
    -x
}

fn main() {}
