//! Specs as the strictest crate would write them: warpfold is called `folding` here, there is no prelude, unsafe code
//! is forbidden and every warning is denied.

#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(
    warnings,
    unused,
    nonstandard_style,
    missing_docs,
    missing_debug_implementations,
    missing_copy_implementations,
    trivial_casts,
    trivial_numeric_casts,
    unused_qualifications,
    unreachable_pub,
    single_use_lifetimes,
    elided_lifetimes_in_paths,
    clippy::all,
    clippy::pedantic
)]

use ::folding::{Rows, warp_reduce};

/// The largest value.
#[warp_reduce(op = max, identity = -inf, crate = ::folding)]
pub fn row_max(x: f32) -> f32 {
    x
}

/// Integers that overflow.
#[warp_reduce(op = sum, crate = ::folding)]
pub fn ink(x: i32, y: i32) -> i32 {
    x * y + 1
}

mod private {
    use ::folding::warp_reduce;

    #[warp_reduce(op = min, crate = ::folding)]
    pub(super) fn lowest(float: f32) -> f32 {
        float
    }

    // Nobody uses it, and nobody should be told.
    #[warp_reduce(op = sum, crate = ::folding)]
    fn unused(int: u8) -> u8 {
        int
    }
}

/// What a private spec says through a public function.
///
/// # Errors
///
/// As the spec's own.
pub fn lowest(x: &[f32]) -> ::core::result::Result<::std::vec::Vec<f32>, ::folding::Error> {
    private::lowest::rows(Rows::new(1, x.len()), x)
}

/// Names that mean something elsewhere, as parameters.
pub mod names {
    use ::folding::warp_reduce;

    /// Names of our own calls.
    #[warp_reduce(op = sum, crate = ::folding)]
    pub fn own(shape: f32, out: f32, offsets: f32, #[uniform] bound: f32, #[uniform] at: f32) -> f32 {
        shape * out + offsets * bound + at
    }

    /// Names of CUDA, C++ and generic code.
    #[warp_reduce(op = sum, crate = ::folding)]
    #[allow(non_snake_case)]
    pub fn foreign(float: f32, int: f32, threadIdx: f32, T: f32, N: f32, r#type: f32) -> f32 {
        float + int + threadIdx + T + N + r#type
    }
}
