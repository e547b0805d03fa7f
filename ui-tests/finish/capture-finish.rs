//! `finish` of a reduction runs once a row.
//!
//! Rule: capture

use warpfold::prelude::*;

#[warp_reduce(op = sum, finish = |s| s / x)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
