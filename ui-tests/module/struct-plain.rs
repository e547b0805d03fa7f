//! A struct has named fields.
//!
//! Rule: struct-plain

use warpfold::prelude::*;

#[warp_module]
mod spec {
    #[derive(Clone, Copy)]
    pub struct Pair(f32, f32);
}

fn main() {}
