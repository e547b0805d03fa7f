//! An `if` with a value has an `else`.
//!
//! Rule: if-else

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    let y: f32 = if x > 0.0 { x };
    y
}

fn main() {}
