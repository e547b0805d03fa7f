//! Offsets are passed by reference.

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn total(x: f32) -> f32 {
    x
}

fn main() {
    let _ = total::segments([0u32, 1], &[1.0f32]);
}
