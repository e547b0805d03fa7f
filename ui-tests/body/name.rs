//! A name is known.
//!
//! Rule: name

use warpfold::prelude::*;

const SCALE: f32 = 2.0;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    x * SCALE
}

fn main() {}
