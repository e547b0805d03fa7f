//! A ballot is one word for a row.
//!
//! Rule: op-scan

use warpfold::prelude::*;

#[warp_scan(op = ballot)]
fn spec(x: f32) -> bool {
    x > 0.0
}

fn main() {}
