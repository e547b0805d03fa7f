//! A declared result is the body's.
//!
//! Rule: mismatch

use warpfold::prelude::*;

#[warp_reduce(op = sum, finish = |s| -> u32 { s })]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
