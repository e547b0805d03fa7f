//! A macro call is not of the language.
//!
//! Rule: expression

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    assert!(x > 0.0);
    x
}

fn main() {}
