//! A shuffle has a source.
//!
//! Rule: from-missing

use warpfold::prelude::*;

#[warp_shuffle(width = 8)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
