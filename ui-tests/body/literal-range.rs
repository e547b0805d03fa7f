//! A literal fits its type.
//!
//! Rule: literal-range

#![allow(overflowing_literals)]

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: i8) -> i8 {
    x + 300
}

fn main() {}
