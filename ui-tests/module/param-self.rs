//! A helper has no `self`.
//!
//! Rule: param-self

use warpfold::prelude::*;

#[warp_module]
mod spec {
    fn helper(self) -> f32 {
        1.0
    }
}

fn main() {}
