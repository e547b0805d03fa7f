//! A mask has 32 bits.
//!
//! Rule: mask-wide

use warpfold::prelude::*;

#[warp_reduce(op = sum, mask = 0x1_ffff_ffff)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
