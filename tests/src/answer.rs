//! Answers of calls, brought to the host and compared to the bit.
//!
//! Any NaN equals any NaN; everything else must have the same bits, unless a test states how far apart two values may
//! be.

use std::fmt::Debug;

use half::{bf16, f16};
use warpfold::{Buffer, Element, Error};

use crate::specs::structs::stats;
use crate::specs::whole::full;

/// How equal two answers must be.
#[derive(Clone, Copy, Debug)]
pub enum Equal {
    /// Bit for bit, but for the payload of a NaN.
    Bits,
    /// Floats at most so many representable values apart; all else bit for bit.
    Ulps(u64),
    /// Floats within this share of the larger magnitude, or within it absolutely below 1; all else bit for bit.
    Within(f64),
}

/// A value that can be compared.
pub trait Value: Copy + Debug {
    /// Whether both are the same, as `how` says.
    fn equals(self, other: Self, how: Equal) -> bool;
    /// The value and its bits, for people.
    fn show(self) -> String {
        format!("{self:?}")
    }
}

macro_rules! exact {
    ($($ty:ty)*) => { $(impl Value for $ty {
        fn equals(self, other: Self, _how: Equal) -> bool {
            self == other
        }
    })* };
}
exact! { bool i8 i16 i32 i64 u8 u16 u32 u64 usize }
// Structs compare field by field: padding has no value.
exact! { stats::Mixed stats::Nested full::Whole }

macro_rules! floats {
    ($($ty:ty, $bits:ty, $signed:ty, $wide:expr;)*) => { $(impl Value for $ty {
        fn equals(self, other: Self, how: Equal) -> bool {
            let wide: fn($ty) -> f64 = $wide;
            if self.to_bits() == other.to_bits() || (self.is_nan() && other.is_nan()) {
                return true;
            }
            // Neighbouring floats have neighbouring ranks; both zeros have rank 0.
            let rank = |x: $ty| {
                let magnitude = i128::from(x.to_bits() & <$signed>::MAX as $bits);
                if x.to_bits() >> (<$bits>::BITS - 1) == 1 { -magnitude } else { magnitude }
            };
            match how {
                Equal::Bits => false,
                _ if self.is_nan() || other.is_nan() => false,
                Equal::Ulps(most) => (rank(self) - rank(other)).unsigned_abs() <= u128::from(most),
                Equal::Within(share) => {
                    let (a, b) = (wide(self), wide(other));
                    // An infinity is near nothing but itself, and that is equal to the bit.
                    let finite = a.is_finite() && b.is_finite();
                    finite && (a - b).abs() <= share * a.abs().max(b.abs()).max(1.0)
                }
            }
        }
        fn show(self) -> String {
            format!("{:?} ({:#x})", self, self.to_bits())
        }
    })* };
}
floats! {
    f16, u16, i16, f16::to_f64;
    bf16, u16, i16, bf16::to_f64;
    f32, u32, i32, f64::from;
    f64, u64, i64, |x| x;
}

/// What a call answered, on the host.
pub trait Answer {
    /// Where the two differ, in one line; `None` where they do not.
    fn difference(&self, other: &Self, how: Equal) -> Option<String>;
}

impl<T: Value> Answer for T {
    fn difference(&self, other: &Self, how: Equal) -> Option<String> {
        (!self.equals(*other, how)).then(|| format!("{} and {}", self.show(), other.show()))
    }
}

impl<T: Value> Answer for Vec<T> {
    fn difference(&self, other: &Self, how: Equal) -> Option<String> {
        if self.len() != other.len() {
            return Some(format!("lengths {} and {}", self.len(), other.len()));
        }
        let wrong: Vec<usize> = (0..self.len())
            .filter(|&i| !self[i].equals(other[i], how))
            .collect();
        let first = *wrong.first()?;
        Some(format!(
            "[{first}] {} and {}; {} of {} differ, the last at {}",
            self[first].show(),
            other[first].show(),
            wrong.len(),
            self.len(),
            wrong[wrong.len() - 1],
        ))
    }
}

macro_rules! tuples {
    ($(($($name:ident $number:tt),+))*) => { $(
        impl<$($name: Answer),+> Answer for ($($name,)+) {
            fn difference(&self, other: &Self, how: Equal) -> Option<String> {
                $(if let Some(what) = self.$number.difference(&other.$number, how) {
                    return Some(format!("field {}: {what}", $number));
                })+
                None
            }
        }
        impl<$($name: Fetch),+> Fetch for ($($name,)+) {
            type Host = ($($name::Host,)+);
            fn fetch(&self) -> Result<Self::Host, Error> {
                Ok(($(self.$number.fetch()?,)+))
            }
        }
    )* };
}
tuples! { (A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3) (A 0, B 1, C 2, D 3, E 4) }

/// Results of a call, wherever they are.
pub trait Fetch {
    /// The same on the host.
    type Host;
    /// Brings them to the host.
    ///
    /// # Errors
    /// What the driver says of the copy, or of the work before it.
    fn fetch(&self) -> Result<Self::Host, Error>;
}

impl<T: Element> Fetch for Buffer<T> {
    type Host = Vec<T>;
    fn fetch(&self) -> Result<Vec<T>, Error> {
        self.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_tell_zeros_apart_and_nans_not() {
        assert!(vec![f32::NAN].difference(&vec![-f32::NAN], Equal::Bits).is_none());
        let what = vec![1.0, 0.0_f32].difference(&vec![1.0, -0.0], Equal::Bits);
        assert_eq!(
            what.as_deref(),
            Some("[1] 0.0 (0x0) and -0.0 (0x80000000); 1 of 2 differ, the last at 1")
        );
        assert!(vec![1_u8].difference(&vec![1, 2], Equal::Bits).is_some());
    }

    #[test]
    fn ulps_count_representable_values_across_zero() {
        let tiny = f32::from_bits(2);
        assert!(tiny.equals(-tiny, Equal::Ulps(4)) && !tiny.equals(-tiny, Equal::Ulps(3)));
        assert!(!1.0_f32.equals(f32::NAN, Equal::Ulps(u64::MAX)));
        assert!(!f64::INFINITY.equals(1.0, Equal::Within(0.5)));
        assert!(100.0_f32.equals(101.0, Equal::Within(0.01)));
        assert!((1.0_f32, 2_u64).difference(&(1.0, 3), Equal::Ulps(9)).is_some());
    }
}
