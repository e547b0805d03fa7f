//! A body calls no foreign functions.
//!
//! Rule: call

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    core::convert::identity(x)
}

fn main() {}
