//! What is assigned is declared with `mut`.
//!
//! Rule: assign-mut

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    let y = x;
    y += 1.0;
    y
}

fn main() {}
