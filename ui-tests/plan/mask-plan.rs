//! A mask names whole groups; the first step that goes wrong is named.
//!
//! Rule: mask-plan

use warpfold::prelude::*;

#[warp_reduce(op = sum, mask = 0x000fffff, width = 32)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
