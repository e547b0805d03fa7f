//! A value is used.
//!
//! Rule: unused-value

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    x.abs();
    x
}

fn main() {}
