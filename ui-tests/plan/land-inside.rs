//! A landing lane is in the group.
//!
//! Rule: land-inside

use warpfold::prelude::*;

#[warp_reduce(op = sum, land = 16, width = 16)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
