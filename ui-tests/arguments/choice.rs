//! An argument of a few words is one of them.
//!
//! Rule: choice

use warpfold::prelude::*;

#[warp_scan(op = sum, kind = exclusiv)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
