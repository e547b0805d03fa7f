//! A position is `u32` or `u64`.
//!
//! Rule: param-type

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32, #[index] i: i32) -> f32 {
    x * i as f32
}

fn main() {}
