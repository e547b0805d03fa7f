//! The inverse hyperbolic functions, to a few units in the last place wherever they are defined.
//!
//! Rust's own go wrong where a square overflows (`f64::MAX.acosh()` is infinite) and where 1 is subtracted from a
//! number near 1 (`(-0.999).atanh()` keeps half of its digits); CUDA's do not, and the two back ends must agree. The
//! formulas are those of Kahan's "Branch Cuts for Complex Elementary Functions" on the real line: everything that
//! cancels goes through `ln_1p`. An f32 is computed as an f64, which leaves the error of one rounding.

use std::f64::consts::LN_2;

/// Floats that have the inverse hyperbolic functions.
pub trait Hyperbolic: Copy {
    /// The number of which `self` is the hyperbolic sine.
    fn area_sine(self) -> Self;
    /// The number of which `self` is the hyperbolic cosine; `NaN` below 1.
    fn area_cosine(self) -> Self;
    /// The number of which `self` is the hyperbolic tangent; `NaN` outside of -1..=1.
    fn area_tangent(self) -> Self;
}

/// Beyond it, adding 1 to the square changes nothing.
const LARGE: f64 = 268_435_456.0;

impl Hyperbolic for f64 {
    fn area_sine(self) -> Self {
        let x = self.abs();
        let area = if x > LARGE {
            x.ln() + LN_2
        } else {
            (x + x * x / (1.0 + (x * x + 1.0).sqrt())).ln_1p()
        };
        area.copysign(self)
    }

    fn area_cosine(self) -> Self {
        let above = self - 1.0;
        if self > LARGE {
            self.ln() + LN_2
        } else if above >= 0.0 {
            (above + (above * (above + 2.0)).sqrt()).ln_1p()
        } else {
            f64::NAN
        }
    }

    fn area_tangent(self) -> Self {
        let x = self.abs();
        (0.5 * (2.0 * (x / (1.0 - x))).ln_1p()).copysign(self)
    }
}

impl Hyperbolic for f32 {
    fn area_sine(self) -> Self {
        f64::from(self).area_sine() as f32
    }

    fn area_cosine(self) -> Self {
        f64::from(self).area_cosine() as f32
    }

    fn area_tangent(self) -> Self {
        f64::from(self).area_tangent() as f32
    }
}

/// `x.asinh()`.
#[inline]
pub fn asinh<T: Hyperbolic>(x: T) -> T {
    x.area_sine()
}

/// `x.acosh()`.
#[inline]
pub fn acosh<T: Hyperbolic>(x: T) -> T {
    x.area_cosine()
}

/// `x.atanh()`.
#[inline]
pub fn atanh<T: Hyperbolic>(x: T) -> T {
    x.area_tangent()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many neighbours apart.
    fn ulps(a: f64, b: f64) -> u64 {
        a.to_bits().abs_diff(b.to_bits())
    }

    #[test]
    fn large_numbers_do_not_overflow() {
        // ln(2 x) of the greatest numbers.
        assert!(ulps(asinh(f64::MAX), 710.475_860_073_943_9) <= 1);
        assert!(ulps(acosh(f64::MAX), 710.475_860_073_943_9) <= 1);
        assert_eq!(asinh(f32::MAX), 89.415_985);
        assert_eq!(asinh(f64::NEG_INFINITY), f64::NEG_INFINITY);
        assert_eq!(acosh(f32::INFINITY), f32::INFINITY);
    }

    #[test]
    fn nothing_cancels() {
        for k in 1..40 {
            let small = 0.5_f64.powi(k);
            // atanh is odd, and near 1 it is ln((1 + x) / (1 - x)) / 2, where 1 - x is exact.
            let near = 1.0 - small;
            let wanted = 0.5 * ((2.0 - small) / small).ln();
            assert!(ulps(atanh(near), wanted) <= 4, "{near}");
            assert_eq!(atanh(-near), -atanh(near));
            // cosh(y) - 1 is 2 sinh²(y / 2).
            let above = 1.0 + small;
            let wanted = 2.0 * (small / 2.0).sqrt().asinh();
            assert!(ulps(acosh(above), wanted) <= 8, "{above}");
        }
    }

    #[test]
    fn what_is_not_defined_is_nan() {
        assert!(acosh(0.5_f64).is_nan() && acosh(-5.0_f32).is_nan() && acosh(f64::NEG_INFINITY).is_nan());
        assert!(atanh(1.5_f64).is_nan() && atanh(f32::INFINITY).is_nan() && atanh(f64::NAN).is_nan());
        assert_eq!(atanh(1.0_f64), f64::INFINITY);
        assert_eq!(
            (atanh(-0.0_f64).to_bits(), asinh(-0.0_f64).to_bits()),
            ((-0.0_f64).to_bits(), (-0.0_f64).to_bits())
        );
        assert_eq!(asinh(f64::from_bits(1)), f64::from_bits(1));
    }
}
