//! A method is of the table.
//!
//! Rule: method

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) -> f32 {
    x.gamma_ln()
}

fn main() {}
