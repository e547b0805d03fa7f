//! Nor through another.
//!
//! Rule: recursion

use warpfold::prelude::*;

#[warp_module]
mod spec {
    fn even(n: u32) -> bool {
        if n == 0 { true } else { odd(n - 1) }
    }

    fn odd(n: u32) -> bool {
        if n == 0 { false } else { even(n - 1) }
    }
}

fn main() {}
