//! A field is held by value.
//!
//! Rule: type

use warpfold::prelude::*;

#[warp_module]
mod stats {
    #[derive(Clone, Copy)]
    pub struct Named {
        pub name: &'static str,
    }
}

fn main() {}
