//! `crate` is a path.
//!
//! Rule: crate

use warpfold::prelude::*;

#[warp_reduce(op = sum, crate = "warpfold")]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
