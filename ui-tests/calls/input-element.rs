//! Elements have the parameter's type.

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn total(x: f32) -> f32 {
    x
}

fn main() {
    let _ = total::array(&vec![1.0f64]);
}
