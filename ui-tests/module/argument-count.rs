//! A function takes what it takes.
//!
//! Rule: argument-count

use warpfold::prelude::*;

#[warp_module]
mod spec {
    fn twice(x: f32) -> f32 {
        x * 2.0
    }

    #[warp_reduce(op = sum)]
    fn total(x: f32) -> f32 {
        twice(x, x)
    }
}

fn main() {}
