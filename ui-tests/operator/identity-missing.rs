//! An operator of the user's own has an identity.
//!
//! Rule: identity-missing

use warpfold::prelude::*;

#[warp_reduce(op = |p, q| p + q)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
