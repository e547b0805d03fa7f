//! A spec has a body.

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32;

fn main() {
    let _ = spec::array(&[1.0]);
}
