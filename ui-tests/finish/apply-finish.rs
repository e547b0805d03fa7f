//! `apply` takes the place of `finish`.
//!
//! Rule: apply-finish

use warpfold::prelude::*;

#[warp_reduce(op = sum, land = all, finish = |s| s, apply = |total| x / total)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
