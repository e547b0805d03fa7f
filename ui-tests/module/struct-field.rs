//! A field is a scalar or a struct.
//!
//! Rule: struct-field

use warpfold::prelude::*;

#[warp_module]
mod spec {
    #[derive(Clone, Copy)]
    pub struct Pair {
        a: (f32, f32),
    }
}

fn main() {}
