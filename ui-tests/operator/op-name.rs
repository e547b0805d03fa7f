//! An operator is of the table.
//!
//! Rule: op-name

use warpfold::prelude::*;

#[warp_reduce(op = maximun)]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
