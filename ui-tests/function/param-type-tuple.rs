//! An element is a scalar or a struct.
//!
//! Rule: param-type

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: (f32, f32)) -> f32 {
    x.0 + x.1
}

fn main() {}
