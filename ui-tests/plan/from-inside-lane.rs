//! A source is inside the group.
//!
//! Rule: from-inside

use warpfold::prelude::*;

#[warp_shuffle(from = lane(8), width = 8)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
