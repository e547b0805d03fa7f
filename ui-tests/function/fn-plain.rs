//! A spec is a plain function.
//!
//! Rule: fn-plain

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
async fn spec(x: f32) -> f32 {
    x
}

fn main() {}
