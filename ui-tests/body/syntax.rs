//! What is no Rust is reported once, by rustc.

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32, #[uniform] scale: f32) -> f32 {
    x * (scale +)
}

fn main() {
    let _ = spec::array(&[1.0f32], 2.0);
}
