//! `exp` of `f32` without a branch, so that a loop over it becomes vector instructions: libm's goes one element at a
//! time and is most of what a softmax takes. Within one unit in the last place.
//!
//! The argument is reduced by Cody and Waite's two-part ln 2 ("Software Manual for the Elementary Functions", 1980) to
//! half of ln 2 at most, where eight terms of the Taylor series are exact to the last place.

/// The power of two that is added and taken away to round to a whole number.
const ROUND: f32 = 12_582_912.0;
/// ln 2, cut so that a product with a whole number up to 152 is exact, and what was cut off.
const LN_2: (f32, f32) = (0.693_359_4, -2.121_944_4e-4);
/// Below this `e^x` is 0, above it is infinite.
const RANGE: (f32, f32) = (-105.0, 89.0);

/// Floats that have `exp`.
pub trait Exponential: Copy {
    /// e to the power of `self`.
    fn power_of_e(self) -> Self;
}

impl Exponential for f32 {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn power_of_e(self) -> Self {
        exponential(self)
    }
}

impl Exponential for f64 {
    #[inline]
    fn power_of_e(self) -> Self {
        self.exp()
    }
}

/// `x.exp()`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn exp<T: Exponential>(x: T) -> T {
    x.power_of_e()
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn exponential(x: f32) -> f32 {
    let x = if x < RANGE.0 { RANGE.0 } else { x };
    let x = if x > RANGE.1 { RANGE.1 } else { x };
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let whole = shifted - ROUND;
    let rest = (x - whole * LN_2.0) - whole * LN_2.1;
    let series = 1.0 / 5040.0;
    let series = series * rest + 1.0 / 720.0;
    let series = series * rest + 1.0 / 120.0;
    let series = series * rest + 1.0 / 24.0;
    let series = series * rest + 1.0 / 6.0;
    let series = series * rest + 0.5;
    let power = 1.0 + (rest + rest * rest * series);
    // In two steps: the scale of a subnormal result is no normal number.
    let exponent = shifted.to_bits().wrapping_sub(ROUND.to_bits()).cast_signed();
    let half = exponent >> 1;
    power * two_to(half) * two_to(exponent.wrapping_sub(half))
}

/// `2^k`, of a normal result; anything for other `k`, which only a `NaN` leads to.
#[cfg_attr(not(debug_assertions), inline(always))]
fn two_to(k: i32) -> f32 {
    f32::from_bits(k.wrapping_add(127).cast_unsigned() << 23)
}

#[cfg(test)]
#[allow(
    clippy::float_cmp,
    clippy::cast_sign_loss,
    reason = "infinities are exact, bits are cut to a type they fit"
)]
mod tests {
    use super::exp;

    #[test]
    fn within_one_unit_of_the_last_place() {
        let mut worst = 0.0_f64;
        // Every 101st number from -110 to 95, both signs.
        for bits in (0..95.0_f32.to_bits())
            .step_by(101)
            .chain((0x8000_0000..(-110.0_f32).to_bits()).step_by(101))
        {
            let x = f32::from_bits(bits);
            let exact = f64::from(x).exp();
            let got = exp(x);
            if exact > f64::from(f32::MAX) {
                assert!(got == f32::INFINITY || got == f32::MAX, "e^{x} = {got}");
                continue;
            }
            let place = f64::from((exact as f32).max(f32::MIN_POSITIVE).to_bits() & 0x7f80_0000);
            let place = f64::from(f32::from_bits(place as u32)) * f64::from(f32::EPSILON);
            worst = worst.max((f64::from(got) - exact).abs() / place);
        }
        assert!(worst < 1.0, "off by {worst} units");
        assert!(worst > 0.4, "nothing was compared: {worst}");
    }

    #[test]
    fn ends_and_special_values() {
        assert_eq!(exp(0.0_f32).to_bits(), 1.0_f32.to_bits());
        assert_eq!(exp(-0.0_f32).to_bits(), 1.0_f32.to_bits());
        assert_eq!(exp(f32::NEG_INFINITY).to_bits(), 0);
        assert_eq!(exp(f32::MIN).to_bits(), 0);
        assert_eq!(exp(f32::INFINITY), f32::INFINITY);
        assert_eq!(exp(89.0), f32::INFINITY);
        assert!(exp(f32::NAN).is_nan() && exp(-f32::NAN).is_nan());
        assert_eq!(exp(-103.0), f32::from_bits(1), "the smallest subnormal");
    }
}
