//! The output of a call lives where its inputs live.

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn total(x: f32) -> f32 {
    x
}

fn wrong(x: &Buffer<f32>) {
    let _ = total::array_into(x, &mut [0.0f32]);
}

fn main() {}
