//! An integer literal is no float.
//!
//! Rule: mismatch

use warpfold::prelude::*;

#[warp_reduce(op = sum, finish = |s| s + 1)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
