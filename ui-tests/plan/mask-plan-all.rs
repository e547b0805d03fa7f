//! Likewise where every lane needs the result.
//!
//! Rule: mask-plan

use warpfold::prelude::*;

#[warp_reduce(op = max, mask = 0x0000fffe, width = 16, land = all)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
