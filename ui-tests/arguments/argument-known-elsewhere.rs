//! An argument of another attribute is not this one's.
//!
//! Rule: argument-known

use warpfold::prelude::*;

#[warp_scan(op = sum, land = all)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
