//! Operands at the edges of each type, and how a literal of a type is written.

use half::{bf16, f16};
use warpfold_codegen::ir::Scalar;

use crate::Rng;

/// Words of the operands worth trying on a type: 0, ±1, the ends, powers of two and their neighbours; of floats also
/// `NaN`, infinities, both zeros, subnormals, halves and the numbers where conversions to integers saturate.
pub fn edges(scalar: Scalar) -> Vec<u64> {
    let bits = scalar.bits();
    match scalar {
        Scalar::Bool => vec![0, 1],
        Scalar::F32 => reals()
            .iter()
            .map(|&x| u64::from((x as f32).to_bits()))
            .chain(F32.map(u64::from))
            .collect(),
        Scalar::F64 => reals().iter().map(|x| x.to_bits()).chain(F64).collect(),
        Scalar::F16 => reals()
            .iter()
            .map(|&x| u64::from(f16::from_f64(x).to_bits()))
            .chain(F16.map(u64::from))
            .collect(),
        Scalar::Bf16 => reals()
            .iter()
            .map(|&x| u64::from(bf16::from_f64(x).to_bits()))
            .chain(BF16.map(u64::from))
            .collect(),
        _ => {
            let mask = u64::MAX >> (64 - bits);
            let small = [
                0,
                1,
                2,
                3,
                5,
                7,
                10,
                31,
                33,
                100,
                u64::MAX,
                u64::MAX - 1,
                u64::MAX - 6,
            ];
            let powers = (3..bits).step_by(4).chain([bits - 1, bits - 2]).flat_map(|k| {
                let power = 1_u64 << k;
                [power, power - 1, power + 1, power.wrapping_neg()]
            });
            small.into_iter().chain(powers).map(|word| word & mask).collect()
        }
    }
}

/// Numbers that matter in every float type.
fn reals() -> Vec<f64> {
    let mut reals = vec![
        0.0,
        0.5,
        1.0,
        1.5,
        2.0,
        2.5,
        3.0,
        7.0,
        0.1,
        0.75,
        1e-3,
        100.25,
        f64::INFINITY,
    ];
    for k in [7, 8, 15, 16, 31, 32, 63, 64] {
        let power = 2_f64.powi(k);
        reals.extend([power, power - 1.0, power + 1.0]);
    }
    let negative: Vec<f64> = reals.iter().map(|x| -x).collect();
    reals.extend(negative);
    reals.push(f64::NAN);
    reals
}

/// The least subnormal, the greatest, the least normal, the greatest finite, the last before and after 1.
const F32: [u32; 8] = [
    1,
    0x8000_0001,
    0x007f_ffff,
    0x0080_0000,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x3f7f_ffff,
    0x3f80_0001,
];
const F64: [u64; 10] = [
    1,
    1 << 63 | 1,
    (1 << 52) - 1,
    1 << 52,
    0x7fef_ffff_ffff_ffff,
    0xffef_ffff_ffff_ffff,
    0x3fef_ffff_ffff_ffff,
    0x3ff0_0000_0000_0001,
    // One bit past the middle of two halves, and of two bf16s: rounding twice would go the wrong way.
    0x3ff0_0200_0000_0001,
    0x3ff0_1000_0000_0001,
];
const F16: [u16; 7] = [1, 0x8001, 0x03ff, 0x0400, 0x7bff, 0xfbff, 0x3c01];
const BF16: [u16; 7] = [1, 0x8001, 0x007f, 0x0080, 0x7f7f, 0xff7f, 0x3f81];

/// A word of the type: mostly an edge, else anything.
#[allow(clippy::cast_precision_loss, reason = "any float will do")]
pub fn operand(scalar: Scalar, rng: &mut Rng) -> u64 {
    let any = rng.word();
    if rng.chance(75) {
        return *rng.pick(&edges(scalar));
    }
    // Floats of random bits are mostly huge or tiny: half of them get an exponent near that of 1.
    let tame = rng.chance(50);
    match scalar {
        Scalar::Bool => any & 1,
        Scalar::F32 if tame => u64::from((any as i32 as f32 / 1e8).to_bits()),
        Scalar::F64 if tame => (any.cast_signed() as f64 / 1e18).to_bits(),
        Scalar::F16 if tame => u64::from(f16::from_f32(f32::from(any as i16) / 1e3).to_bits()),
        Scalar::Bf16 if tame => u64::from(bf16::from_f32(f32::from(any as i16) / 1e3).to_bits()),
        _ => any & (u64::MAX >> (64 - scalar.bits())),
    }
}

/// A literal of the type, with its suffix; half's types, which have none, are made from one.
pub fn literal(scalar: Scalar, rng: &mut Rng) -> String {
    match scalar {
        Scalar::Bool => (*rng.pick(&["true", "false"])).to_owned(),
        Scalar::F32 | Scalar::F64 => {
            let constants = [
                "INFINITY",
                "NEG_INFINITY",
                "NAN",
                "MAX",
                "MIN",
                "MIN_POSITIVE",
                "EPSILON",
            ];
            match rng.below(12) {
                0 => format!("{scalar}::{}", rng.pick(&constants)),
                1 => format!(
                    "core::{scalar}::consts::{}",
                    rng.pick(&["PI", "E", "LN_2", "FRAC_1_SQRT_2"])
                ),
                _ => {
                    let magnitude = rng.pick(&[
                        "0.0",
                        "0.5",
                        "1.0",
                        "1.5",
                        "2.5",
                        "3.0",
                        "0.1",
                        "1e-3",
                        "256.0",
                        "65535.0",
                        "2147483648.0",
                    ]);
                    let sign = if rng.chance(40) { "-" } else { "" };
                    format!("({sign}{magnitude}{scalar})")
                }
            }
        }
        Scalar::F16 | Scalar::Bf16 => match rng.below(5) {
            0 => format!(
                "{scalar}::{}",
                rng.pick(&["INFINITY", "MAX", "MIN_POSITIVE", "NEG_ZERO", "ONE"])
            ),
            _ => format!("{scalar}::from_f32({})", literal(Scalar::F32, rng)),
        },
        _ => integer(scalar, rng),
    }
}

/// An integer literal that fits the type.
fn integer(scalar: Scalar, rng: &mut Rng) -> String {
    match rng.below(8) {
        0 => format!("{scalar}::MAX"),
        1 => format!("{scalar}::MIN"),
        2 if scalar.is_signed_int() => format!("(-{}{scalar})", rng.pick(&[1, 2, 7, 100, 128])),
        3 => format!("({scalar}::MAX / 3{scalar})"),
        _ => format!(
            "{}{scalar}",
            rng.pick(&[0, 1, 2, 3, 5, 7, 8, 15, 31, 33, 64, 100, 127])
        ),
    }
}
