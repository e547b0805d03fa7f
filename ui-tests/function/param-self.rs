//! A spec is a function of its own, not of a type.
//!
//! Rule: param-self

use warpfold::prelude::*;

struct Scaled(f32);

impl Scaled {
    #[warp_reduce(op = sum)]
    fn spec(self, x: f32) -> f32 {
        x
    }
}

fn main() {}
