//! A constant has the value of its type.
//!
//! Rule: mismatch

use warpfold::prelude::*;

#[warp_module]
mod spec {
    pub const LIMIT: f32 = 1;

    #[warp_reduce(op = sum)]
    pub(crate) fn above(x: f32) -> f32 {
        x - LIMIT
    }
}

fn main() {
    let _ = spec::above::array(&[spec::LIMIT]);
}
