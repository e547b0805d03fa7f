//! Rust's release meaning as functions, for what the CPU back end runs.
//!
//! A body `a / b` or `x.max(y)` of a spec becomes a call of a function of this file wherever Rust's own operator
//! would panic, leaves a result open, or differs from what the GPU computes. Every function is total and without
//! branches that depend on the data, so that loops over elements become vector code. The twins of these functions
//! in CUDA C++ are in `kernels/scalar.cuh`; the two give the same bits.
//!
//! | where Rust panics or leaves it open | value here |
//! |---|---|
//! | `x / 0`, `x.div_euclid(0)`, `x.div_ceil(0)` | 0 |
//! | `x % 0`, `x.rem_euclid(0)` | `x` |
//! | `MIN / -1`, `MIN.div_euclid(-1)` | `MIN` |
//! | `MIN % -1`, `MIN.rem_euclid(-1)` | 0 |
//! | `x.clamp(lo, hi)` with bounds out of order or `NaN` | `if x < lo { lo } else if x > hi { hi } else { x }` |
//! | `0.ilog2()` | 0 |
//! | `next_power_of_two` past the type's end | 0 |
//! | the sign of the zero in `(-0.0).max(0.0)` | `-0.0 < 0.0` |
//! | `f16::from_f64`, `bf16::from_f64` | rounded once, whatever the machine |
//! | how close `asinh`, `acosh` and `atanh` are | a few units in the last place, everywhere |
//! | the rounding of `exp` of an f32 | within one unit in the last place, the same on every machine |
//! | the rounding of `powi` | that of squaring and multiplying, lowest bit first |

#![allow(clippy::return_self_not_must_use, reason = "the results are numbers")]
#![allow(
    clippy::float_cmp,
    reason = "min and max ask whether two values are equal, to the bit"
)]

mod exp;
mod halves;
mod hyperbolic;

use half::{bf16, f16};

pub use exp::{Exponential, exp};
pub use halves::{Half, from_f64};
pub use hyperbolic::{Hyperbolic, acosh, asinh, atanh};

/// Types with an order: integers, floats and `bool`.
pub trait Ordered: Copy + PartialOrd {
    /// The smaller one; a `NaN` loses, `-0.0 < 0.0`.
    fn smaller(self, other: Self) -> Self;
    /// The larger one; a `NaN` loses, `-0.0 < 0.0`.
    fn larger(self, other: Self) -> Self;
    /// The smaller one; a `NaN` wins, `-0.0 < 0.0`.
    fn least(self, other: Self) -> Self;
    /// The larger one; a `NaN` wins, `-0.0 < 0.0`.
    fn greatest(self, other: Self) -> Self;
    /// Whether it equals nothing, itself included.
    fn is_nan(self) -> bool;
}

/// Integers.
pub trait Integer: Copy {
    /// `self / by`, rounded towards zero.
    fn quotient(self, by: Self) -> Self;
    /// What `quotient` leaves.
    fn remainder(self, by: Self) -> Self;
}

/// Types with a division that rounds so that the remainder is not negative.
pub trait Euclid: Copy {
    /// The quotient.
    fn quotient_euclid(self, by: Self) -> Self;
    /// The remainder.
    fn remainder_euclid(self, by: Self) -> Self;
}

/// Unsigned integers.
pub trait Unsigned: Copy {
    /// `self / by`, rounded up.
    fn quotient_up(self, by: Self) -> Self;
    /// The position of the highest one.
    fn log2_floor(self) -> u32;
    /// The smallest power of two that is not below.
    fn power_of_two_from(self) -> Self;
}

/// Floats that have `powi`.
pub trait Powers: Copy {
    /// `self` to an integer power.
    fn power(self, exponent: i32) -> Self;
}

macro_rules! ordered_integers {
    ($($t:ty)*) => {$(
        impl Ordered for $t {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn smaller(self, other: Self) -> Self {
                if self < other { self } else { other }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn larger(self, other: Self) -> Self {
                if self > other { self } else { other }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn least(self, other: Self) -> Self {
                self.smaller(other)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn greatest(self, other: Self) -> Self {
                self.larger(other)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn is_nan(self) -> bool {
                false
            }
        }
    )*};
}

ordered_integers!(bool i8 i16 i32 i64 u8 u16 u32 u64);

macro_rules! ordered_floats {
    ($($t:ident)*) => {$(
        impl Ordered for $t {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn smaller(self, other: Self) -> Self {
                // Where `self` is a NaN the first selection already gives `other`.
                let m = if self < other { self } else { other };
                // Equal values differ at most in the sign of a zero: the one with the sign is the smaller.
                let sign = if self == other { self.to_bits() } else { 0 };
                let m = $t::from_bits(m.to_bits() | sign);
                if other.is_nan() { self } else { m }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn larger(self, other: Self) -> Self {
                let m = if self > other { self } else { other };
                let sign = if self == other { self.to_bits() } else { !0 };
                let m = $t::from_bits(m.to_bits() & sign);
                if other.is_nan() { self } else { m }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn least(self, other: Self) -> Self {
                // Where `other` is a NaN the first selection already gives it.
                let m = if self < other { self } else { other };
                let sign = if self == other { self.to_bits() } else { 0 };
                let m = $t::from_bits(m.to_bits() | sign);
                if self.is_nan() { self } else { m }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn greatest(self, other: Self) -> Self {
                let m = if self > other { self } else { other };
                let sign = if self == other { self.to_bits() } else { !0 };
                let m = $t::from_bits(m.to_bits() & sign);
                if self.is_nan() { self } else { m }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn is_nan(self) -> bool {
                $t::is_nan(self)
            }
        }
    )*};
}

ordered_floats!(f16 bf16 f32 f64);

macro_rules! integers {
    ($($t:ident)*) => {$(
        impl Integer for $t {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn quotient(self, by: Self) -> Self {
                let divisor = if by == 0 { 1 } else { by };
                let quotient = self.wrapping_div(divisor);
                if by == 0 { 0 } else { quotient }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn remainder(self, by: Self) -> Self {
                let divisor = if by == 0 { 1 } else { by };
                let remainder = self.wrapping_rem(divisor);
                if by == 0 { self } else { remainder }
            }
        }
        impl Euclid for $t {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn quotient_euclid(self, by: Self) -> Self {
                let divisor = if by == 0 { 1 } else { by };
                let quotient = self.wrapping_div_euclid(divisor);
                if by == 0 { 0 } else { quotient }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn remainder_euclid(self, by: Self) -> Self {
                let divisor = if by == 0 { 1 } else { by };
                let remainder = self.wrapping_rem_euclid(divisor);
                if by == 0 { self } else { remainder }
            }
        }
    )*};
}

integers!(i8 i16 i32 i64 u8 u16 u32 u64);

macro_rules! unsigned {
    ($($t:ident)*) => {$(
        impl Unsigned for $t {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn quotient_up(self, by: Self) -> Self {
                let divisor = if by == 0 { 1 } else { by };
                let quotient = self.div_ceil(divisor);
                if by == 0 { 0 } else { quotient }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn log2_floor(self) -> u32 {
                (self | 1).ilog2()
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn power_of_two_from(self) -> Self {
                self.checked_next_power_of_two().unwrap_or(0)
            }
        }
    )*};
}

unsigned!(u8 u16 u32 u64);

macro_rules! floats {
    ($($t:ident)*) => {$(
        impl Euclid for $t {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn quotient_euclid(self, by: Self) -> Self {
                self.div_euclid(by)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn remainder_euclid(self, by: Self) -> Self {
                self.rem_euclid(by)
            }
        }
        impl Powers for $t {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn power(self, exponent: i32) -> Self {
                let (mut base, mut left, mut power) = (self, exponent.unsigned_abs(), 1.0);
                loop {
                    if left & 1 == 1 {
                        power *= base;
                    }
                    left >>= 1;
                    if left == 0 {
                        break;
                    }
                    base *= base;
                }
                if exponent < 0 { 1.0 / power } else { power }
            }
        }
    )*};
}

floats!(f32 f64);

/// `a.min(b)`: a `NaN` loses, `-0.0 < 0.0`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn min<T: Ordered>(a: T, b: T) -> T {
    a.smaller(b)
}

/// `a.max(b)`: a `NaN` loses, `-0.0 < 0.0`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn max<T: Ordered>(a: T, b: T) -> T {
    a.larger(b)
}

/// `x.clamp(lo, hi)`, for any bounds.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn clamp<T: Ordered>(x: T, lo: T, hi: T) -> T {
    let above = if x > hi { hi } else { x };
    if x < lo { lo } else { above }
}

/// `a / b` of integers.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn div<T: Integer>(a: T, b: T) -> T {
    a.quotient(b)
}

/// `a % b` of integers.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn rem<T: Integer>(a: T, b: T) -> T {
    a.remainder(b)
}

/// `a.div_euclid(b)`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn div_euclid<T: Euclid>(a: T, b: T) -> T {
    a.quotient_euclid(b)
}

/// `a.rem_euclid(b)`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn rem_euclid<T: Euclid>(a: T, b: T) -> T {
    a.remainder_euclid(b)
}

/// `a.div_ceil(b)`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn div_ceil<T: Unsigned>(a: T, b: T) -> T {
    a.quotient_up(b)
}

/// `x.ilog2()`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn ilog2<T: Unsigned>(x: T) -> u32 {
    x.log2_floor()
}

/// `x.next_power_of_two()`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn next_power_of_two<T: Unsigned>(x: T) -> T {
    x.power_of_two_from()
}

/// `x.powi(n)`: squaring and multiplying, lowest bit of `n` first, one division at the end where `n` is negative.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn powi<T: Powers>(x: T, n: i32) -> T {
    x.power(n)
}

/// The `N` elements that begin at `first`: one check, after which a loop over them needs none.
///
/// The launch has compared every array's length with its shape, so the range is there.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn window<T, const N: usize>(slice: &[T], first: usize) -> &[T; N] {
    slice[first..]
        .first_chunk()
        .expect("the launch has checked the length of every array")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_is_total() {
        assert_eq!((div(7i32, 0), rem(7i32, 0)), (0, 7));
        assert_eq!((div(i8::MIN, -1), rem(i8::MIN, -1)), (i8::MIN, 0));
        assert_eq!((div(-7i64, 3), rem(-7i64, 3)), (-2, -1));
        assert_eq!((div_euclid(-7i64, 3), rem_euclid(-7i64, 3)), (-3, 2));
        assert_eq!(
            (div_euclid(i32::MIN, -1), rem_euclid(i32::MIN, -1)),
            (i32::MIN, 0)
        );
        assert_eq!(
            (div_euclid(5u8, 0), rem_euclid(5u8, 0), div_ceil(5u8, 0)),
            (0, 5, 0)
        );
        assert_eq!((div_euclid(-7.5f32, 2.0), rem_euclid(-7.5f32, 2.0)), (-4.0, 0.5));
        assert_eq!((div_ceil(7u32, 2), div_ceil(u64::MAX, 1)), (4, u64::MAX));
    }

    #[test]
    fn nan_loses_in_min_and_max() {
        for x in [-1.0f32, 0.0, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(max(x, f32::NAN).to_bits(), x.to_bits());
            assert_eq!(max(f32::NAN, x).to_bits(), x.to_bits());
            assert_eq!(min(x, f32::NAN).to_bits(), x.to_bits());
            assert_eq!(min(f32::NAN, x).to_bits(), x.to_bits());
        }
        assert!(max(f64::NAN, f64::NAN).is_nan() && min(f16::NAN, f16::NAN).is_nan());
    }

    #[test]
    fn nan_wins_in_minimum_and_maximum() {
        for x in [-1.0f32, 0.0, f32::INFINITY] {
            assert!(x.greatest(f32::NAN).is_nan() && f32::NAN.greatest(x).is_nan());
            assert!(x.least(f32::NAN).is_nan() && f32::NAN.least(x).is_nan());
        }
        assert_eq!((2.0f32.greatest(3.0), 2.0f32.least(3.0)), (3.0, 2.0));
    }

    #[test]
    fn negative_zero_is_below_zero() {
        for (a, b) in [(-0.0f32, 0.0), (0.0, -0.0)] {
            for (small, large) in [(min(a, b), max(a, b)), (a.least(b), a.greatest(b))] {
                assert_eq!((small.to_bits(), large.to_bits()), ((-0.0f32).to_bits(), 0));
            }
        }
        let (a, b) = (bf16::NEG_ZERO, bf16::ZERO);
        assert_eq!((min(a, b).to_bits(), max(a, b).to_bits()), (0x8000, 0));
        assert_eq!(max(-3.0f32, -3.0), -3.0);
    }

    #[test]
    fn clamp_takes_any_bounds() {
        assert_eq!((clamp(5, 1, 3), clamp(0, 1, 3), clamp(2, 1, 3)), (3, 1, 2));
        assert_eq!((clamp(2, 3, 1), clamp(5, 3, 1)), (3, 1));
        assert_eq!(clamp(5.0f32, f32::NAN, 3.0), 3.0);
        assert!(clamp(f32::NAN, 0.0, 1.0).is_nan());
    }

    #[test]
    fn logarithms_and_powers_of_two_are_total() {
        assert_eq!(
            (ilog2(0u8), ilog2(1u8), ilog2(255u8), ilog2(u64::MAX)),
            (0, 0, 7, 63)
        );
        assert_eq!(
            (
                next_power_of_two(0u8),
                next_power_of_two(5u8),
                next_power_of_two(129u8)
            ),
            (1, 8, 0)
        );
    }

    #[test]
    fn powers_square_and_multiply() {
        assert_eq!(
            (
                powi(2.0f32, 10),
                powi(2.0f32, -2),
                powi(0.0f64, 0),
                powi(-3.0f64, 3)
            ),
            (1024.0, 0.25, 1.0, -27.0)
        );
        assert_eq!(powi(1.0f32, i32::MIN), 1.0);
        let x = 1.1f32;
        assert_eq!(powi(x, 6), (x * x) * ((x * x) * (x * x)));
    }

    #[test]
    fn a_window_is_the_elements_from_first() {
        assert_eq!(window::<_, 3>(&[1, 2, 3, 4, 5], 1), &[2, 3, 4]);
    }
}
