//! A landing lane is `all` or a number.
//!
//! Rule: land

use warpfold::prelude::*;

#[warp_reduce(op = sum, land = first)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
