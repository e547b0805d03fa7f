//! A parameter is fed in one way.
//!
//! Rule: param-attribute-once

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32, #[per_row] #[uniform] g: f32) -> f32 {
    x * g
}

fn main() {}
