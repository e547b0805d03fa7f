//! The last arm takes every value that is left.
//!
//! Rule: match-last

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: u8) -> u8 {
    match x {
        0..=127 => x,
        128..=255 => 0,
    }
}

fn main() {}
