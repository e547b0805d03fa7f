//! A source is one of five.
//!
//! Rule: from

use warpfold::prelude::*;

#[warp_shuffle(from = left(1))]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
