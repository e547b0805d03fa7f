//! A spec's type hides none of Rust's.
//!
//! Rule: spec-name

use warpfold::prelude::*;

#[warp_reduce(op = max)]
fn f32(x: f32) -> f32 {
    x
}

#[warp_reduce(op = sum)]
fn total(x: f32) -> f32 {
    x
}

fn main() {
    let _ = total::array(&[1.0_f32]);
}
