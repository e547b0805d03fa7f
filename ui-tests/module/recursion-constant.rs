//! A constant does not need itself.
//!
//! Rule: recursion

use warpfold::prelude::*;

#[warp_module]
mod spec {
    const FIRST: f32 = SECOND;
    const SECOND: f32 = FIRST;

    #[warp_reduce(op = sum)]
    pub(crate) fn above(x: f32) -> f32 {
        x - SECOND
    }
}

fn main() {
    let _ = spec::above::array(&[1.0]);
}
