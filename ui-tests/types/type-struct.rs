//! A struct stands in the module.
//!
//! Rule: type

use warpfold::prelude::*;

struct Outside;

#[warp_reduce(op = first)]
fn spec(x: Outside) -> f32 {
    1.0
}

fn main() {}
