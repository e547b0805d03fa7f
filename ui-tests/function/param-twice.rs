//! Each parameter has a name of its own.
//!
//! Rule: param-twice

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32, x: f32) -> f32 {
    x
}

fn main() {}
