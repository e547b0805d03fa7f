//! A mask names a lane.
//!
//! Rule: mask-empty

use warpfold::prelude::*;

#[warp_reduce(op = sum, mask = 0)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
