//! A cast is one of Rust's.
//!
//! Rule: cast

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: bool) -> f32 {
    x as f32
}

fn main() {}
