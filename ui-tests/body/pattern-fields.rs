//! A pattern has the fields of its tuple.
//!
//! Rule: pattern-fields

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    let (a, b, c) = (x, x);
    a + b + c
}

fn main() {}
