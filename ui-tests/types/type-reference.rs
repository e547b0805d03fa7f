//! Elements arrive by value.
//!
//! Rule: type

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: &f32) -> f32 {
    1.0
}

fn main() {}
