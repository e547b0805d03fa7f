//! A parameter is a name.
//!
//! Rule: param-name

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(_: f32) -> f32 {
    1.0
}

fn main() {}
