//! A method that returns an `Option` is not of the language.
//!
//! Rule: method

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: i32) -> i32 {
    x.checked_add(1).unwrap()
}

fn main() {}
