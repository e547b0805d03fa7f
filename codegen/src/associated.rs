//! Associated constants of the numeric types, and the lossless conversions of `From`.

use half::{bf16, f16};

use crate::ir::Scalar;
use crate::value::{Value, nearest_bf16, nearest_f16};

/// `f32::INFINITY`, `u32::MAX`, `core::f32::consts::PI`: the value and its type.
pub fn constant(segments: &[String]) -> Option<(Value, Scalar)> {
    let names: Vec<&str> = segments.iter().map(String::as_str).collect();
    match *names {
        [.., ty @ ("f32" | "f64" | "f16" | "bf16"), "consts", name] => {
            let scalar = Scalar::from_name(ty)?;
            Some((float(scalar, mathematical(name)?), scalar))
        }
        [ty, name] | ["core" | "std", ty, name] | [.., ty @ ("f16" | "bf16"), name] => {
            let scalar = Scalar::from_name(ty)?;
            if name == "BITS" && scalar.is_int() {
                return Some((Value::U32(scalar.bits()), Scalar::U32));
            }
            limit(scalar, name).map(|value| (value, scalar))
        }
        _ => None,
    }
}

/// A float of the given type, rounded once.
fn float(scalar: Scalar, value: f64) -> Value {
    match scalar {
        Scalar::F32 => Value::F32(value as f32),
        Scalar::F16 => Value::F16(nearest_f16(value)),
        Scalar::Bf16 => Value::Bf16(nearest_bf16(value)),
        _ => Value::F64(value),
    }
}

fn mathematical(name: &str) -> Option<f64> {
    use std::f64::consts as c;
    Some(match name {
        "PI" => c::PI,
        "TAU" => c::TAU,
        "E" => c::E,
        "SQRT_2" => c::SQRT_2,
        "FRAC_1_SQRT_2" => c::FRAC_1_SQRT_2,
        "LN_2" => c::LN_2,
        "LN_10" => c::LN_10,
        "LOG2_E" => c::LOG2_E,
        "LOG2_10" => c::LOG2_10,
        "LOG10_E" => c::LOG10_E,
        "LOG10_2" => c::LOG10_2,
        "FRAC_1_PI" => c::FRAC_1_PI,
        "FRAC_2_PI" => c::FRAC_2_PI,
        "FRAC_2_SQRT_PI" => c::FRAC_2_SQRT_PI,
        "FRAC_PI_2" => c::FRAC_PI_2,
        "FRAC_PI_3" => c::FRAC_PI_3,
        "FRAC_PI_4" => c::FRAC_PI_4,
        "FRAC_PI_6" => c::FRAC_PI_6,
        "FRAC_PI_8" => c::FRAC_PI_8,
        _ => return None,
    })
}

/// Limits and special values of one type.
pub fn limit(scalar: Scalar, name: &str) -> Option<Value> {
    macro_rules! ints {
        ($($variant:ident $ty:ty),*) => {
            match scalar {
                $(Scalar::$variant => match name {
                    "MIN" => Some(Value::$variant(<$ty>::MIN)),
                    "MAX" => Some(Value::$variant(<$ty>::MAX)),
                    _ => None,
                },)*
                Scalar::F32 | Scalar::F64 | Scalar::F16 | Scalar::Bf16 => float_limit(scalar, name),
                Scalar::Bool => None,
            }
        };
    }
    ints!(I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64)
}

fn float_limit(scalar: Scalar, name: &str) -> Option<Value> {
    macro_rules! floats {
        ($($variant:ident $ty:ty),*) => {
            match (scalar, name) {
                $(
                    (Scalar::$variant, "MIN") => Value::$variant(<$ty>::MIN),
                    (Scalar::$variant, "MAX") => Value::$variant(<$ty>::MAX),
                    (Scalar::$variant, "INFINITY") => Value::$variant(<$ty>::INFINITY),
                    (Scalar::$variant, "NEG_INFINITY") => Value::$variant(<$ty>::NEG_INFINITY),
                    (Scalar::$variant, "NAN") => Value::$variant(<$ty>::NAN),
                    (Scalar::$variant, "EPSILON") => Value::$variant(<$ty>::EPSILON),
                    (Scalar::$variant, "MIN_POSITIVE") => Value::$variant(<$ty>::MIN_POSITIVE),
                )*
                (Scalar::F16 | Scalar::Bf16, "ZERO") => float(scalar, 0.0),
                (Scalar::F16 | Scalar::Bf16, "NEG_ZERO") => float(scalar, -0.0),
                (Scalar::F16 | Scalar::Bf16, "ONE") => float(scalar, 1.0),
                (Scalar::F16 | Scalar::Bf16, "NEG_ONE") => float(scalar, -1.0),
                _ => return None,
            }
        };
    }
    Some(floats!(F16 f16, Bf16 bf16, F32 f32, F64 f64))
}

/// Whether Rust has `To::from(from)`.
pub fn lossless(from: Scalar, to: Scalar) -> bool {
    let mantissa = |scalar| match scalar {
        Scalar::F16 => 11,
        Scalar::Bf16 => 8,
        Scalar::F32 => 24,
        Scalar::F64 => 53,
        _ => 0,
    };
    match (from, to) {
        _ if from == to => true,
        (Scalar::Bool, _) => to.is_int() || matches!(to, Scalar::F32 | Scalar::F64),
        (Scalar::F16 | Scalar::Bf16, _) => matches!(to, Scalar::F32 | Scalar::F64),
        (Scalar::F32, _) => to == Scalar::F64,
        _ if from.is_int() && to.is_float() => {
            from.bits() - u32::from(from.is_signed_int()) < mantissa(to) + 1
        }
        _ if from.is_int() && to.is_int() => match (from.is_signed_int(), to.is_signed_int()) {
            (true, false) => false,
            (false, true) => from.bits() < to.bits(),
            _ => from.bits() <= to.bits(),
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Vec<String> {
        text.split("::").map(str::to_owned).collect()
    }

    #[test]
    fn constants_are_those_of_rust() {
        assert_eq!(
            constant(&path("f32::INFINITY")),
            Some((Value::F32(f32::INFINITY), Scalar::F32))
        );
        assert_eq!(constant(&path("u8::MAX")), Some((Value::U8(255), Scalar::U8)));
        assert_eq!(
            constant(&path("std::f64::consts::PI")),
            Some((Value::F64(std::f64::consts::PI), Scalar::F64))
        );
        assert_eq!(
            constant(&path("core::f32::consts::PI")),
            Some((Value::F32(std::f32::consts::PI), Scalar::F32))
        );
        assert_eq!(constant(&path("i32::BITS")), Some((Value::U32(32), Scalar::U32)));
        assert_eq!(constant(&path("f32::NOTHING")), None);
    }

    #[test]
    fn conversions_are_those_of_from() {
        assert!(lossless(Scalar::U16, Scalar::I32) && lossless(Scalar::Bool, Scalar::U8));
        assert!(lossless(Scalar::I16, Scalar::F32) && lossless(Scalar::I32, Scalar::F64));
        assert!(!lossless(Scalar::I32, Scalar::F32) && !lossless(Scalar::I8, Scalar::U16));
        assert!(!lossless(Scalar::F64, Scalar::F32) && !lossless(Scalar::U32, Scalar::I32));
    }
}
