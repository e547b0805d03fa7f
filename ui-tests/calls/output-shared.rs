//! Outputs are passed by exclusive reference.

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn total(x: f32) -> f32 {
    x
}

fn main() {
    let out = [0.0f32];
    let _ = total::array_into(&[1.0f32], &out);
}
