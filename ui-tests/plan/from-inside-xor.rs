//! A source is inside the group.
//!
//! Rule: from-inside

use warpfold::prelude::*;

#[warp_shuffle(from = xor(16), width = 16)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
