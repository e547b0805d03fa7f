//! The ballot of a filter takes whole groups.
//!
//! Rule: mask-groups

use warpfold::prelude::*;

#[warp_filter(mask = 0x000000f0, width = 8)]
fn spec(x: f32) -> bool {
    x > 0.0
}

fn main() {}
