//! A spec is for one type.
//!
//! Rule: fn-generic

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32
where
    f32: Copy,
{
    x
}

fn main() {}
