//! An operator takes the type of its operands.
//!
//! Rule: operand

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    (x & x) + 1.0
}

fn main() {}
