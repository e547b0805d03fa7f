//! An attribute of a parameter is known.
//!
//! Rule: param-attribute

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32, #[per_colum] g: f32) -> f32 {
    x * g
}

fn main() {}
