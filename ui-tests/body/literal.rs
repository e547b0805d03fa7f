//! A literal is a number, a byte or a `bool`.
//!
//! Rule: literal

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    if 'a' == 'b' { x } else { -x }
}

fn main() {}
