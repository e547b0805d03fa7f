//! What the operators of the table ask of the types they work on.

#![allow(clippy::return_self_not_must_use, reason = "the results are numbers")]
#![allow(clippy::cast_precision_loss, reason = "a lane has few elements")]

use half::{bf16, f16};

use crate::arith::Ordered;

/// Numbers: what `sum`, `product` and the operators built on them need.
pub trait Number: Ordered {
    /// What adding leaves as it is: `-0.0` for floats.
    const NOTHING: Self;
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// What `max` leaves as it is: `-inf`, or the smallest integer.
    const LOWEST: Self;
    /// What `min` leaves as it is: `inf`, or the largest integer.
    const HIGHEST: Self;
    /// The sum; integers wrap.
    fn plus(self, other: Self) -> Self;
    /// The product; integers wrap.
    fn times(self, other: Self) -> Self;
}

/// Floats: what `softmax` and `welford` need.
pub trait Float: Number {
    /// A count, rounded.
    fn from_count(count: usize) -> Self;
    /// The difference.
    fn minus(self, other: Self) -> Self;
    /// The quotient.
    fn over(self, other: Self) -> Self;
    /// e to this power.
    fn exp(self) -> Self;
}

macro_rules! integers {
    ($($t:ident)*) => {$(
        impl Number for $t {
            const NOTHING: Self = 0;
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const LOWEST: Self = $t::MIN;
            const HIGHEST: Self = $t::MAX;
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
        }
    )*};
}

integers!(i8 i16 i32 i64 u8 u16 u32 u64);

macro_rules! floats {
    ($($t:ident: $zero:expr, $one:expr, $from_count:expr, $exp:expr;)*) => {$(
        impl Number for $t {
            const NOTHING: Self = $t::from_bits(1 << (size_of::<$t>() * 8 - 1));
            const ZERO: Self = $zero;
            const ONE: Self = $one;
            const LOWEST: Self = $t::NEG_INFINITY;
            const HIGHEST: Self = $t::INFINITY;
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn plus(self, other: Self) -> Self {
                self + other
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn times(self, other: Self) -> Self {
                self * other
            }
        }
        impl Float for $t {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn from_count(count: usize) -> Self {
                $from_count(count)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn minus(self, other: Self) -> Self {
                self - other
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn over(self, other: Self) -> Self {
                self / other
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn exp(self) -> Self {
                $exp(self)
            }
        }
    )*};
}

floats! {
    f16: f16::ZERO, f16::ONE, |n| f16::from_f32(n as f32), |x: f16| f16::from_f32(crate::arith::exp(x.to_f32()));
    bf16: bf16::ZERO, bf16::ONE, |n| bf16::from_f32(n as f32), |x: bf16| bf16::from_f32(crate::arith::exp(x.to_f32()));
    f32: 0.0, 1.0, |n| n as f32, crate::arith::exp;
    f64: 0.0, 1.0, |n| n as f64, f64::exp;
}

/// Types with bits to combine: integers and `bool`.
pub trait Bits: Copy {
    /// No bit set.
    const NONE: Self;
    /// Every bit set.
    const ALL: Self;
    /// Bitwise (or logical) and.
    fn both(self, other: Self) -> Self;
    /// Bitwise (or logical) or.
    fn either(self, other: Self) -> Self;
    /// Bitwise (or logical) exclusive or.
    fn differ(self, other: Self) -> Self;
}

macro_rules! bits {
    ($($t:ident)*) => {$(
        impl Bits for $t {
            const NONE: Self = $t::MIN;
            const ALL: Self = !$t::NONE;
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn both(self, other: Self) -> Self {
                self & other
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn either(self, other: Self) -> Self {
                self | other
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn differ(self, other: Self) -> Self {
                self ^ other
            }
        }
    )*};
}

bits!(u8 u16 u32 u64);

macro_rules! signed_bits {
    ($($t:ident: $none:expr;)*) => {$(
        impl Bits for $t {
            const NONE: Self = $none;
            const ALL: Self = !$none;
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn both(self, other: Self) -> Self {
                self & other
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn either(self, other: Self) -> Self {
                self | other
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn differ(self, other: Self) -> Self {
                self ^ other
            }
        }
    )*};
}

signed_bits! { bool: false; i8: 0; i16: 0; i32: 0; i64: 0; }
