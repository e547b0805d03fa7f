//! An operator takes the type that the function returns.
//!
//! Rule: op-type

use warpfold::prelude::*;

#[warp_reduce(op = any)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
