//! The bounds of a `for` are constant.
//!
//! Rule: for-constant

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: i32) -> i32 {
    let mut y = 0;
    for i in 0..x {
        y += i;
    }
    y
}

fn main() {}
