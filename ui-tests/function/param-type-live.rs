//! A count of live columns is `u32`.
//!
//! Rule: param-type

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32, #[live] k: u64) -> f32 {
    x
}

fn main() {}
