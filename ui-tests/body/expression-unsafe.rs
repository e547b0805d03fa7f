//! `unsafe` is not of the language.
//!
//! Rule: expression

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    #[allow(unused_unsafe)]
    unsafe { x }
}

fn main() {}
