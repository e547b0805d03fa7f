//! A range is not empty.
//!
//! Rule: pattern-range

#![allow(unreachable_patterns)]

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: u8) -> u8 {
    match x {
        9..=3 => 0,
        _ => x,
    }
}

fn main() {}
