//! A helper does not call itself.
//!
//! Rule: recursion

use warpfold::prelude::*;

#[warp_module]
mod spec {
    fn power(x: f32, n: u32) -> f32 {
        if n == 0 { 1.0 } else { x * power(x, n - 1) }
    }
}

fn main() {}
