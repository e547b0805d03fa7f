//! A field exists.
//!
//! Rule: field

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    let pair = (x, x);
    pair.2
}

fn main() {}
