//! The random programs of `warpfold-programs`, compiled by rustc from the Rust that warpfold emits for them.
//!
//! A program takes one 64-bit word a parameter and gives one a result, whatever their types: the low bits are the value's.

use half::{bf16, f16};

/// A program: operands to results.
pub type Run = fn(&[u64], &mut [u64]);

/// A scalar as the low bits of a word.
trait Word {
    /// The value of the low bits.
    fn from_word(word: u64) -> Self;
    /// The value's bits, and zeros above them.
    fn to_word(self) -> u64;
}

macro_rules! words {
    ($($ty:ty, $word:ident => $from:expr, $value:ident => $to:expr;)*) => {$(
        impl Word for $ty {
            fn from_word($word: u64) -> Self {
                $from
            }
            fn to_word(self) -> u64 {
                let $value = self;
                $to
            }
        }
    )*};
}

words! {
    bool, word => word & 1 == 1, value => u64::from(value);
    i8, word => word as i8, value => u64::from(value.cast_unsigned());
    i16, word => word as i16, value => u64::from(value.cast_unsigned());
    i32, word => word as i32, value => u64::from(value.cast_unsigned());
    i64, word => word.cast_signed(), value => value.cast_unsigned();
    u8, word => word as u8, value => u64::from(value);
    u16, word => word as u16, value => u64::from(value);
    u32, word => word as u32, value => u64::from(value);
    u64, word => word, value => value;
    f16, word => f16::from_bits(word as u16), value => u64::from(value.to_bits());
    bf16, word => bf16::from_bits(word as u16), value => u64::from(value.to_bits());
    f32, word => f32::from_bits(word as u32), value => u64::from(value.to_bits());
    f64, word => f64::from_bits(word), value => value.to_bits();
}

#[allow(
    unused,
    unused_comparisons,
    unused_qualifications,
    overlapping_range_endpoints,
    nonstandard_style,
    unreachable_patterns,
    unpredictable_function_pointer_comparisons,
    clippy::all,
    clippy::pedantic,
    reason = "the programs are random: what they do makes no sense"
)]
mod programs {
    use super::{Run, Word};

    include!(concat!(env!("OUT_DIR"), "/programs.rs"));
}

pub use programs::PROGRAMS;
