//! An `f64` as a half type, rounded once.
//!
//! `half` rounds on the way to an `f32` and then again, or drops the low bits, depending on the machine. Going through
//! an `f32` that is odd wherever bits were lost gives the right answer: it has at least two bits more than the half, and
//! the odd last one tells a tie from what is beside it.

use half::{bf16, f16};

/// `half`'s types.
pub trait Half: Copy {
    /// The nearest value; the even one of two that are equally near.
    fn nearest(wide: f64) -> Self;
}

impl Half for f16 {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn nearest(wide: f64) -> Self {
        Self::from_f32(to_odd(wide))
    }
}

impl Half for bf16 {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn nearest(wide: f64) -> Self {
        Self::from_f32(to_odd(wide))
    }
}

/// The half nearest to an `f64`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn from_f64<H: Half>(wide: f64) -> H {
    H::nearest(wide)
}

/// The `f64` itself where an `f32` can hold it; otherwise that one of the two beside it whose last bit is set.
#[cfg_attr(not(debug_assertions), inline(always))]
fn to_odd(wide: f64) -> f32 {
    let near = wide as f32;
    let bits = near.to_bits();
    let back = f64::from(near);
    let lost = back != wide && near.is_finite() && bits & 1 == 0;
    // The bits of a float's magnitude count upwards.
    let odd = if back.abs() > wide.abs() {
        bits.wrapping_sub(1)
    } else {
        bits | 1
    };
    f32::from_bits(if lost { odd } else { bits })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hair_beside_a_tie_decides_it() {
        let hair = 2f64.powi(-50);
        for (wide, bits) in [
            (1.0 + 2f64.powi(-11), 0x3c00),
            (1.0 + 2f64.powi(-11) + hair, 0x3c01),
            (1.0 + 3.0 * 2f64.powi(-11), 0x3c02),
            (1.0 + 3.0 * 2f64.powi(-11) - hair, 0x3c01),
            (-1.0 - 2f64.powi(-11) - hair, 0xbc01),
            (2f64.powi(-25), 0),
            (2f64.powi(-25) + 2f64.powi(-70), 1),
            (65_519.999_999_999, 0x7bff),
            (65520.0, 0x7c00),
            (1e300, 0x7c00),
            (-0.0, 0x8000),
            (f64::NEG_INFINITY, 0xfc00),
        ] {
            assert_eq!(from_f64::<f16>(wide).to_bits(), bits, "{wide}");
        }
        for (wide, bits) in [
            (1.0 + 2f64.powi(-8), 0x3f80),
            (1.0 + 2f64.powi(-8) + hair, 0x3f81),
            (1.0 + 3.0 * 2f64.powi(-8) - hair, 0x3f81),
            (2f64.powi(-134), 0),
            (2f64.powi(-134) + 2f64.powi(-180), 1),
            (f64::from(f32::MAX), 0x7f80),
            (-1e300, 0xff80),
        ] {
            assert_eq!(from_f64::<bf16>(wide).to_bits(), bits, "{wide}");
        }
        assert!(from_f64::<f16>(f64::NAN).is_nan() && from_f64::<bf16>(f64::NAN).is_nan());
    }

    #[test]
    fn every_half_comes_back() {
        for bits in 0..=u16::MAX {
            let (a, b) = (f16::from_bits(bits), bf16::from_bits(bits));
            assert!(a.is_nan() || from_f64::<f16>(a.to_f64()).to_bits() == bits);
            assert!(b.is_nan() || from_f64::<bf16>(b.to_f64()).to_bits() == bits);
        }
    }
}
