//! A landing lane is in the warp.
//!
//! Rule: land-inside

use warpfold::prelude::*;

#[warp_reduce(op = sum, land = 32)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
