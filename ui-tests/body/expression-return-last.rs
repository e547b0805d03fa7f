//! A value is the last expression.
//!
//! Rule: expression

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    return x;
}

fn main() {}
