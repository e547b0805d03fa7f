//! A pattern is of the language.
//!
//! Rule: pattern

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: u8) -> u8 {
    match x {
        _n @ 1..=3 => 0,
        _ => x,
    }
}

fn main() {}
