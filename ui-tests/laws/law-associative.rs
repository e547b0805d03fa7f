//! What is not associative shows both trees.
//!
//! Rule: law-associative

use warpfold::prelude::*;

#[warp_reduce(identity = 0, op = |a, b| if a == 0 { b } else if b == 0 { a } else { a * b + 1 })]
fn spec(x: i32) -> i32 {
    x
}

fn main() {}
