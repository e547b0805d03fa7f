//! A body calls functions of its module.
//!
//! Rule: call

use warpfold::prelude::*;

fn helper(x: f32) -> f32 {
    x
}

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    helper(x)
}

fn main() {}
