//! An exchange folds nothing that `#[live]` could cut short.
//!
//! Rule: param-live

use warpfold::prelude::*;

#[warp_shuffle(from = down(1), width = 4)]
fn spec(x: i32, #[live] k: u32) -> i32 {
    x
}

fn main() {}
