//! `bool`s are counted, not added.
//!
//! Rule: op-type

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> bool {
    x > 0.0
}

fn main() {}
