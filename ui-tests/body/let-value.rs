//! A variable has its value where it is declared.
//!
//! Rule: let-value

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    let y;
    y = x;
    y
}

fn main() {}
