//! Arrays are passed by reference.

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn total(x: f32) -> f32 {
    x
}

fn main() {
    let x = vec![1.0f32];
    let _ = total::array(x);
}
