//! Two specs of a module have two names.
//!
//! Rule: spec-name

use warpfold::prelude::*;

#[warp_module]
mod spec {
    #[warp_reduce(op = sum)]
    pub(crate) fn total(x: f32) -> f32 {
        x
    }

    #[warp_reduce(op = max)]
    pub(crate) fn total(x: f32) -> f32 {
        x
    }
}

fn main() {
    let _ = spec::total::array(&[1.0]);
}
