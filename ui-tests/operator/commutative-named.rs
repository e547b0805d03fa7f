//! The table knows whether an operator commutes.
//!
//! Rule: commutative-named

use warpfold::prelude::*;

#[warp_reduce(op = last, commutative = true)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
