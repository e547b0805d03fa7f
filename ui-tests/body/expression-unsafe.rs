//! `unsafe` is not of the language.
//!
//! Rule: expression

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    #[allow(unused_unsafe)] // SAFETY: nothing is done in it; the word alone is refused.
    unsafe { x }
}

fn main() {}
