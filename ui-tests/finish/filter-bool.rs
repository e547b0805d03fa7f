//! A filter returns `bool`.
//!
//! Rule: filter-bool

use warpfold::prelude::*;

#[warp_filter]
fn spec(x: f32) -> f32 {
    x
}

fn main() {}
