//! A max seeded with `f32::MIN` loses -inf.
//!
//! Rule: law-identity

use warpfold::prelude::*;

#[warp_reduce(op = |a, b| a.max(b), identity = f32::MIN)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
