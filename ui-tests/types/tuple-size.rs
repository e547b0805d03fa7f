//! A tuple has at most four fields.
//!
//! Rule: tuple-size

use warpfold::prelude::*;

#[warp_reduce(op = |p, q| q, identity = (0, 0, 0, 0, 0))]
fn spec(x: i32) -> (i32, i32, i32, i32, i32) {
    (x, x, x, x, x)
}

fn main() {}
