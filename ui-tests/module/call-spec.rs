//! A helper does not call a spec.
//!
//! Rule: call

use warpfold::prelude::*;

#[warp_module]
mod spec {
    #[warp_reduce(op = sum)]
    fn total(x: f32) -> f32 {
        x
    }

    fn twice(x: f32) -> f32 {
        total(x) * 2.0
    }
}

fn main() {}
