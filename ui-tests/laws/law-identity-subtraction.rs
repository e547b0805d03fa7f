//! Subtraction has no identity on the left.
//!
//! Rule: law-identity

use warpfold::prelude::*;

#[warp_reduce(op = |a, b| a - b, identity = 0)]
fn spec(x: i32) -> i32 {
    x
}

fn main() {}
