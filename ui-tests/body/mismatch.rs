//! Both sides of an operator have one type.
//!
//! Rule: mismatch

use warpfold::prelude::*;

#[warp_reduce(op = sum, finish = |s| s * k)]
fn spec(x: f32, #[uniform] k: u32) -> f32 {
    x
}

fn main() {}
