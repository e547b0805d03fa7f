//! A NaN loses to every state, the identity of max too: no row starts from it.
//!
//! Rule: law-named

use warpfold::prelude::*;

#[warp_reduce(op = max, identity = nan)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
