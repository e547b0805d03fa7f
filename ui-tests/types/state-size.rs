//! A state has at most 64 bytes.
//!
//! Rule: state-size

use warpfold::prelude::*;

#[warp_module]
mod spec {
    #[derive(Clone, Copy)]
    pub struct Wide {
        a: f64,
        b: f64,
        c: f64,
        d: f64,
        e: f64,
        f: f64,
        g: f64,
        h: f64,
        i: f64,
    }
}

fn main() {}
