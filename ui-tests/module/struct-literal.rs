//! A struct literal names every field.
//!
//! Rule: struct-literal

use warpfold::prelude::*;

#[warp_module]
mod spec {
    #[derive(Clone, Copy)]
    pub struct Pair {
        a: f32,
        b: f32,
    }

    fn make(a: f32) -> Pair {
        Pair { a }
    }
}

fn main() {}
