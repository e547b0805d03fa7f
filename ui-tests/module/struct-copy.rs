//! A struct moves by copy.
//!
//! Rule: struct-copy

use warpfold::prelude::*;

#[warp_module]
mod spec {
    pub struct Pair {
        a: f32,
        b: f32,
    }
}

fn main() {}
