//! A spec returns a value.
//!
//! Rule: result-missing

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn spec(x: f32) {}

fn main() {}
