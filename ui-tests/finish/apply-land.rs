//! `apply` needs the state in every lane.
//!
//! Rule: apply-land

use warpfold::prelude::*;

#[warp_reduce(op = sum, land = 0, apply = |total| x / total)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
