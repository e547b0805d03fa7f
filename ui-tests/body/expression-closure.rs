//! A closure inside a body is not of the language.
//!
//! Rule: call

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    (|y: f32| y)(x)
}

fn main() {}
