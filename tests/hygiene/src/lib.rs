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

/// Structs, constants and helpers.
#[::folding::warp_module(crate = ::folding)]
pub mod stats {
    /// The smallest and the largest value.
    #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, ::core::cmp::PartialEq)]
    pub struct P {
        /// The smallest.
        pub low: f32,
        /// The largest.
        pub high: f32,
    }

    const SCALE: f32 = 2.0;

    fn wider(a: P, b: P) -> P {
        P {
            low: a.low.min(b.low),
            high: a.high.max(b.high),
        }
    }

    /// The distance from the smallest to the largest value, doubled.
    #[warp_reduce(identity = P { low: inf, high: -inf }, op = wider, finish = |s| -> f32 { (s.high - s.low) * SCALE })]
    pub fn range(x: f32) -> P {
        P { low: x, high: x }
    }

    /// The hull of spans.
    #[warp_reduce(identity = P { low: inf, high: -inf }, op = wider)]
    pub fn hull(span: P) -> P {
        span
    }
}

/// Structs that the module keeps to itself, under specs that others call.
#[::folding::warp_module(crate = ::folding)]
pub mod hidden {
    #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
    struct Edge {
        at: f32,
    }

    #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
    struct Extent {
        low: Edge,
        pub(super) high: Edge,
    }

    #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
    pub(super) struct Pixel {
        pub(super) ink: f32,
    }

    fn wider(a: Extent, b: Extent) -> Extent {
        Extent {
            low: Edge {
                at: a.low.at.min(b.low.at),
            },
            high: Edge {
                at: a.high.at.max(b.high.at),
            },
        }
    }

    /// The distance from the smallest to the largest value.
    #[warp_reduce(identity = Extent { low: Edge { at: inf }, high: Edge { at: -inf } }, op = wider, finish = |s| -> f32 { s.high.at - s.low.at })]
    pub fn range(x: f32) -> Extent {
        Extent {
            low: Edge { at: x },
            high: Edge { at: x },
        }
    }

    #[warp_reduce(op = sum)]
    pub(crate) fn ink(pixel: Pixel) -> f32 {
        pixel.ink
    }
}

/// How much ink two pixels have.
///
/// # Errors
///
/// As the spec's own.
pub fn ink_of_two(a: f32, b: f32) -> ::core::result::Result<f32, ::folding::Error> {
    hidden::ink::array(&[hidden::Pixel { ink: a }, hidden::Pixel { ink: b }])
}

/// The other forms.
pub mod forms {
    use ::folding::{warp_filter, warp_reduce, warp_scan, warp_shuffle};

    /// A running product of matrices would be the same: in order.
    #[warp_scan(identity = (1.0, 0.0), op = |p, q| (p.0 * q.0, q.0 * p.1 + q.1), finish = |s| -> f32 { s.1 }, crate = ::folding)]
    pub fn recurrence(a: f32, b: f32) -> (f32, f32) {
        (a, b)
    }

    /// Two arrays, kept side by side.
    #[warp_filter(crate = ::folding)]
    pub fn nearer(x: f32, id: u32, #[uniform] limit: f32) -> bool {
        x.abs() < limit && id != 0
    }

    /// The neighbour's value.
    #[warp_shuffle(from = up(1), width = 4, crate = ::folding)]
    pub fn before(x: u8) -> u8 {
        x
    }

    /// A softmax with a temperature for each row, over as many columns as the row has.
    #[warp_reduce(op = softmax, land = all, apply = |total| -> f32 { (x / t - total.0).exp() / total.1 }, crate = ::folding)]
    pub fn softmax(x: f32, #[per_row] t: f32, #[live] k: u32) -> f32 {
        x / t
    }

    /// The largest value and where it stands.
    #[warp_reduce(op = argmax, crate = ::folding)]
    pub fn top(x: f32) -> f32 {
        x
    }

    /// Half precision, without a dependency on `half`.
    #[warp_reduce(op = max, crate = ::folding)]
    pub fn brightest(x: ::folding::f16) -> ::folding::f16 {
        ::folding::f16::from_f32(x.to_f32().max(::folding::f16::ONE.to_f32()))
    }

    /// The last value.
    #[warp_reduce(op = last, crate = ::folding)]
    pub fn end(x: i16) -> i16 {
        x
    }
}
