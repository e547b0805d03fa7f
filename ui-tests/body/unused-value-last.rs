//! The value of a body is its last expression, without a `;`.
//!
//! Rule: unused-value

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    x.abs();
}

fn main() {}
