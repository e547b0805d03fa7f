//! The value of a literal once its type is known, and integers as one wide type.

#![allow(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::float_cmp,
    reason = "Rust's own `as` and `==` are what is wanted"
)]

use crate::associated::limit;
use crate::draft::Literal;
use crate::ir::Scalar;
use crate::value::{Value, nearest_bf16, nearest_f16};

/// The literal's value in a type.
///
/// # Errors
///
/// The message where the type does not have it.
pub fn value(literal: &Literal, scalar: Scalar) -> Result<Value, String> {
    match literal {
        Literal::Value(value) => Ok(value.clone()),
        Literal::Integer(negative, digits) if scalar.is_float() => {
            float(&format!("{}{digits}", if *negative { "-" } else { "" }), scalar)
        }
        Literal::Integer(negative, digits) => {
            let wide = i128::try_from(*digits)
                .ok()
                .map(|d| if *negative { -d } else { d });
            wide.and_then(|wide| from_integer(wide, scalar)).ok_or_else(|| {
                let sign = if *negative { "-" } else { "" };
                let (min, max) = (limit(scalar, "MIN"), limit(scalar, "MAX"));
                match min.zip(max) {
                    Some((min, max)) => format!(
                        "{sign}{digits} does not fit {scalar}\nhelp: {scalar} holds {} to {}",
                        integer(&min).unwrap_or(0),
                        integer(&max).unwrap_or(0)
                    ),
                    None => format!("{sign}{digits} is not a {scalar}\nhelp: write `true` or `false`"),
                }
            })
        }
        Literal::Float(text) if scalar.is_float() => float(text, scalar),
        Literal::Float(text) => Err(format!("{text} is not {scalar}\nhelp: write an integer")),
        Literal::Infinity(negative) => {
            let name = if *negative { "NEG_INFINITY" } else { "INFINITY" };
            let help = if *negative { "MIN" } else { "MAX" };
            limit(scalar, name).ok_or_else(|| format!("{scalar} has no infinity\nhelp: write `{help}`"))
        }
        Literal::Nan => {
            limit(scalar, "NAN").ok_or_else(|| format!("{scalar} has no `nan`\nhelp: write a number"))
        }
        Literal::Min if scalar.is_int() => limit(scalar, "MIN").ok_or_else(String::new),
        Literal::Max if scalar.is_int() => limit(scalar, "MAX").ok_or_else(String::new),
        Literal::Min => Err(format!(
            "`MIN` is for integers; {scalar} goes below it\nhelp: write `-inf`"
        )),
        Literal::Max => Err(format!(
            "`MAX` is for integers; {scalar} goes above it\nhelp: write `inf`"
        )),
    }
}

fn float(text: &str, scalar: Scalar) -> Result<Value, String> {
    let wrong = || format!("{text} is not a {scalar}\nhelp: write a number, `1.5`");
    let wide: f64 = text.parse().map_err(|_| wrong())?;
    Ok(match scalar {
        Scalar::F32 => Value::F32(text.parse().map_err(|_| wrong())?),
        Scalar::F16 => Value::F16(nearest_f16(wide)),
        Scalar::Bf16 => Value::Bf16(nearest_bf16(wide)),
        _ => Value::F64(wide),
    })
}

/// An integer of the given type, if it fits.
pub fn from_integer(wide: i128, scalar: Scalar) -> Option<Value> {
    Some(match scalar {
        Scalar::I8 => Value::I8(wide.try_into().ok()?),
        Scalar::I16 => Value::I16(wide.try_into().ok()?),
        Scalar::I32 => Value::I32(wide.try_into().ok()?),
        Scalar::I64 => Value::I64(wide.try_into().ok()?),
        Scalar::U8 => Value::U8(wide.try_into().ok()?),
        Scalar::U16 => Value::U16(wide.try_into().ok()?),
        Scalar::U32 => Value::U32(wide.try_into().ok()?),
        Scalar::U64 => Value::U64(wide.try_into().ok()?),
        _ => return None,
    })
}

/// An integer of the given type, wrapped into it as `as` does.
pub fn wrap(wide: i128, scalar: Scalar) -> Value {
    match scalar {
        Scalar::I8 => Value::I8(wide as i8),
        Scalar::I16 => Value::I16(wide as i16),
        Scalar::I32 => Value::I32(wide as i32),
        Scalar::I64 => Value::I64(wide as i64),
        Scalar::U8 => Value::U8(wide as u8),
        Scalar::U16 => Value::U16(wide as u16),
        Scalar::U32 => Value::U32(wide as u32),
        _ => Value::U64(wide as u64),
    }
}

/// The number an integer value is.
pub fn integer(value: &Value) -> Option<i128> {
    Some(match value {
        Value::I8(v) => i128::from(*v),
        Value::I16(v) => i128::from(*v),
        Value::I32(v) => i128::from(*v),
        Value::I64(v) => i128::from(*v),
        Value::U8(v) => i128::from(*v),
        Value::U16(v) => i128::from(*v),
        Value::U32(v) => i128::from(*v),
        Value::U64(v) => i128::from(*v),
        Value::Bool(v) => i128::from(*v),
        _ => return None,
    })
}

/// The scalar type of a value that is one.
pub fn scalar(value: &Value) -> Option<Scalar> {
    Some(match value {
        Value::Bool(_) => Scalar::Bool,
        Value::I8(_) => Scalar::I8,
        Value::I16(_) => Scalar::I16,
        Value::I32(_) => Scalar::I32,
        Value::I64(_) => Scalar::I64,
        Value::U8(_) => Scalar::U8,
        Value::U16(_) => Scalar::U16,
        Value::U32(_) => Scalar::U32,
        Value::U64(_) => Scalar::U64,
        Value::F16(_) => Scalar::F16,
        Value::Bf16(_) => Scalar::Bf16,
        Value::F32(_) => Scalar::F32,
        Value::F64(_) => Scalar::F64,
        Value::Tuple(_) | Value::Struct(..) => return None,
    })
}

/// The integer one step away, if its type has it.
pub fn step(value: &Value, by: i128) -> Option<Value> {
    from_integer(integer(value)? + by, scalar(value)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_fit_their_type_or_say_why_not() {
        assert_eq!(
            value(&Literal::Integer(true, 128), Scalar::I8),
            Ok(Value::I8(-128))
        );
        assert_eq!(
            value(&Literal::Integer(false, 300), Scalar::U8),
            Err("300 does not fit u8\nhelp: u8 holds 0 to 255".to_owned())
        );
        assert_eq!(
            value(&Literal::Infinity(true), Scalar::F32),
            Ok(Value::F32(f32::NEG_INFINITY))
        );
        assert_eq!(
            value(&Literal::Infinity(true), Scalar::I32),
            Err("i32 has no infinity\nhelp: write `MIN`".to_owned())
        );
    }
}
