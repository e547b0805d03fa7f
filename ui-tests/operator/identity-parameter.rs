//! An identity is a constant.
//!
//! Rule: capture

use warpfold::prelude::*;

#[warp_reduce(op = sum, identity = x)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
