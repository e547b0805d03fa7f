//! Several mistakes are reported in one go.
//!
//! Rule: argument-once, argument-known, width, op-name

use warpfold::prelude::*;

#[warp_reduce(op = maks, width = 24, op = sum, kind = exclusive)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
