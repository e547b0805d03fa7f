//! A suffix names a type of the language.
//!
//! Rule: literal-suffix

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    x + 1usize as f32
}

fn main() {}
