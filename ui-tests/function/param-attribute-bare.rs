//! An attribute of a parameter takes nothing.
//!
//! Rule: param-attribute-bare

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32, #[uniform(1)] g: f32) -> f32 {
    x * g
}

fn main() {}
