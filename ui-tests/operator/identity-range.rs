//! An identity is of the state's type.
//!
//! Rule: literal-range

use warpfold::prelude::*;

#[warp_reduce(op = max, identity = -inf)]
fn spec(x: i32) -> i32 {
    x
}

fn main() {}
