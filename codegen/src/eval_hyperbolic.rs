//! The inverse hyperbolic functions of the interpreter: as the run-time library has them, not as Rust's, which lose
//! digits near 1 and overflow.

use std::f64::consts::LN_2;

/// Beyond it, adding 1 to the square changes nothing.
const LARGE: f64 = 268_435_456.0;

/// `x.asinh()`.
pub fn asinh(x: f64) -> f64 {
    let size = x.abs();
    let area = if size > LARGE {
        size.ln() + LN_2
    } else {
        (size + size * size / (1.0 + (size * size + 1.0).sqrt())).ln_1p()
    };
    area.copysign(x)
}

/// `x.acosh()`.
pub fn acosh(x: f64) -> f64 {
    let above = x - 1.0;
    if x > LARGE {
        x.ln() + LN_2
    } else if above >= 0.0 {
        (above + (above * (above + 2.0)).sqrt()).ln_1p()
    } else {
        f64::NAN
    }
}

/// `x.atanh()`.
pub fn atanh(x: f64) -> f64 {
    let size = x.abs();
    (0.5 * (2.0 * (size / (1.0 - size))).ln_1p()).copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_overflows_or_cancels() {
        assert!((acosh(f64::MAX) - 710.475_860_073_943_9).abs() < 1e-12);
        assert!((asinh(-f64::MAX) + 710.475_860_073_943_9).abs() < 1e-12);
        assert!((atanh(-0.999_999) + atanh(0.999_999)).abs() < 1e-12);
        assert!(acosh(0.5).is_nan() && atanh(2.0).is_nan());
    }
}
