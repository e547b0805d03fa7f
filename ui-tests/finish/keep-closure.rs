//! `keep` is a closure of nothing.
//!
//! Rule: closure

use warpfold::prelude::*;

#[warp_filter(keep = x)]
fn spec(x: f32) -> bool {
    x > 0.0
}

fn main() {}
