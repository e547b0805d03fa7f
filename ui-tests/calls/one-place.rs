//! The inputs of one call live in one place.

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn dot(a: f32, b: f32) -> f32 {
    a * b
}

fn wrong(a: &Buffer<f32>, b: &Vec<f32>) {
    let _ = dot::array(a, b);
}

fn main() {}
