//! A body has no items.
//!
//! Rule: inner-item

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    const TWO: f32 = 2.0;
    x * TWO
}

fn main() {}
