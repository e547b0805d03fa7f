//! A spec is not generic.
//!
//! Rule: fn-generic

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec<T: Into<f32>>(x: f32) -> f32 {
    x
}

fn main() {}
