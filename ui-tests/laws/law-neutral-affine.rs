//! A * b + 1 keeps no identity.
//!
//! Rule: law-neutral

use warpfold::prelude::*;

#[warp_reduce(op = |a, b| a * b + 1, identity = 1)]
fn spec(x: i32) -> i32 {
    x
}

fn main() {}
