//! `finish` is a closure of the state.
//!
//! Rule: closure

use warpfold::prelude::*;

#[warp_reduce(op = sum, finish = sqrt)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
