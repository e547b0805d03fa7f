//! A position is asked for once.
//!
//! Rule: param-once

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32, #[index] i: u32, #[index] j: u32) -> f32 {
    x * (i + j) as f32
}

fn main() {}
