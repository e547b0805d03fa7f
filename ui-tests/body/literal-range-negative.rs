//! An unsigned integer has no sign.
//!
//! Rule: literal-range

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: u8) -> u8 {
    x + -1
}

fn main() {}
