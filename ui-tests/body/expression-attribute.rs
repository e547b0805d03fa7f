//! An expression has no attributes.
//!
//! Rule: expression-attribute

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    #[rustfmt::skip]
    { x }
}

fn main() {}
