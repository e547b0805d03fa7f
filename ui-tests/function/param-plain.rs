//! A spec has an element for each row and column.
//!
//! Rule: param-plain

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(#[uniform] x: f32) -> f32 {
    x
}

fn main() {}
