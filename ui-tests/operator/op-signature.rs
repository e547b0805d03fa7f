//! A function that combines takes two states and gives one.
//!
//! Rule: op-signature

use warpfold::prelude::*;

#[warp_module]
mod spec {
    fn merge(p: f32, q: u32) -> f32 {
        p + q as f32
    }

    #[warp_reduce(op = merge, identity = 0.0)]
    fn total(x: f32) -> f32 {
        x
    }
}

fn main() {}
