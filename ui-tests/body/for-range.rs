//! A `for` runs over a range.
//!
//! Rule: for-range

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    let mut y = x;
    for i in (0..4).rev() {
        y += i as f32;
    }
    y
}

fn main() {}
