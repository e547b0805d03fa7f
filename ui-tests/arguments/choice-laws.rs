//! Laws are checked or trusted.
//!
//! Rule: choice

use warpfold::prelude::*;

#[warp_reduce(op = |p, q| p + q, identity = 0.0, laws = ignored)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
