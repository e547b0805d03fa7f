//! 0 is not the identity of max over signed integers.
//!
//! Rule: law-named

use warpfold::prelude::*;

#[warp_reduce(op = max, identity = 0)]
fn spec(x: i32) -> i32 {
    x
}

fn main() {}
