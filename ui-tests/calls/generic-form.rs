//! Generic code says which form of spec it takes.

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn total(x: f32) -> f32 {
    x
}

fn running<S: Scan>() {}

fn main() {
    running::<total>();
}
