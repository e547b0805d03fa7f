//! A type has one width on every machine.
//!
//! Rule: type

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32, n: usize) -> f32 {
    x * n as f32
}

fn main() {}
