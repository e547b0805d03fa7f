//! A struct does not hold itself.
//!
//! Rule: recursion

use warpfold::prelude::*;

#[warp_module]
mod spec {
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct First {
        pub second: Second,
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Second {
        pub first: First,
        pub x: f32,
    }

    fn wrapped(second: Second) -> First {
        First { second }
    }

    fn opened(second: Second) -> f32 {
        wrapped(second).second.x
    }

    #[warp_reduce(op = sum)]
    pub(crate) fn total(second: Second) -> f32 {
        let first = First { second };
        first.second.x + opened(second)
    }
}

fn main() {}
