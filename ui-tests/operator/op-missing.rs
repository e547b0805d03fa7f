//! A reduction has an operator.
//!
//! Rule: op-missing

use warpfold::prelude::*;

#[warp_reduce(width = 8)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
