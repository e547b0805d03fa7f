//! A helper is not named like an operator.
//!
//! Rule: helper-name

use warpfold::prelude::*;

#[warp_module]
mod spec {
    fn max(a: f32, b: f32) -> f32 {
        if a > b { a } else { b }
    }
}

fn main() {}
