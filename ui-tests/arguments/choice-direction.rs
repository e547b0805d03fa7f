//! A scan runs forward or in reverse.
//!
//! Rule: choice

use warpfold::prelude::*;

#[warp_scan(op = sum, direction = backward)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
