//! Operators and casts of the interpreter.

#![allow(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::float_cmp,
    reason = "Rust's own `as` and `==` are what is wanted"
)]

use crate::ir::{Binary, Scalar, Unary};
use crate::literal::{integer, wrap};
use crate::value::{Value, nearest_bf16, nearest_f16};

/// Rust's `-` and `!`.
pub fn unary(op: Unary, value: &Value) -> Option<Value> {
    macro_rules! ints {
        ($($variant:ident),*) => {
            Some(match (op, value) {
                $(
                    (Unary::Neg, Value::$variant(a)) => Value::$variant(a.wrapping_neg()),
                    (Unary::Not, Value::$variant(a)) => Value::$variant(!a),
                )*
                (Unary::Not, Value::Bool(a)) => Value::Bool(!a),
                (Unary::Neg, Value::F16(a)) => Value::F16(-*a),
                (Unary::Neg, Value::Bf16(a)) => Value::Bf16(-*a),
                (Unary::Neg, Value::F32(a)) => Value::F32(-a),
                (Unary::Neg, Value::F64(a)) => Value::F64(-a),
                _ => return None,
            })
        };
    }
    ints!(I8, I16, I32, I64, U8, U16, U32, U64)
}

/// Rust's binary operators, except the short-circuit of `&&` and `||`, which the caller does.
pub fn binary(op: Binary, a: &Value, b: &Value) -> Option<Value> {
    match op {
        Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => compare(op, a, b),
        Binary::Shl | Binary::Shr => shift(op, a, b),
        _ => arithmetic(op, a, b),
    }
}

fn arithmetic(op: Binary, a: &Value, b: &Value) -> Option<Value> {
    macro_rules! all {
        ($($int:ident),*; $($float:ident),*) => {
            Some(match (a, b) {
                $((Value::$int(a), Value::$int(b)) => Value::$int(match op {
                    Binary::Add => a.wrapping_add(*b),
                    Binary::Sub => a.wrapping_sub(*b),
                    Binary::Mul => a.wrapping_mul(*b),
                    Binary::Div => if *b == 0 { 0 } else { a.wrapping_div(*b) },
                    Binary::Rem => if *b == 0 { *a } else { a.wrapping_rem(*b) },
                    Binary::BitAnd => a & b,
                    Binary::BitOr => a | b,
                    Binary::BitXor => a ^ b,
                    _ => return None,
                }),)*
                $((Value::$float(a), Value::$float(b)) => Value::$float(match op {
                    Binary::Add => *a + *b,
                    Binary::Sub => *a - *b,
                    Binary::Mul => *a * *b,
                    Binary::Div => *a / *b,
                    Binary::Rem => *a % *b,
                    _ => return None,
                }),)*
                (Value::Bool(a), Value::Bool(b)) => Value::Bool(match op {
                    Binary::BitAnd | Binary::And => a & b,
                    Binary::BitOr | Binary::Or => a | b,
                    Binary::BitXor => a ^ b,
                    _ => return None,
                }),
                _ => return None,
            })
        };
    }
    all!(I8, I16, I32, I64, U8, U16, U32, U64; F16, Bf16, F32, F64)
}

fn compare(op: Binary, a: &Value, b: &Value) -> Option<Value> {
    fn by<T: PartialOrd>(op: Binary, a: &T, b: &T) -> Value {
        Value::Bool(match op {
            Binary::Eq => a == b,
            Binary::Ne => a != b,
            Binary::Lt => a < b,
            Binary::Le => a <= b,
            Binary::Gt => a > b,
            _ => a >= b,
        })
    }
    match (a, b) {
        (Value::F16(a), Value::F16(b)) => Some(by(op, a, b)),
        (Value::Bf16(a), Value::Bf16(b)) => Some(by(op, a, b)),
        (Value::F32(a), Value::F32(b)) => Some(by(op, a, b)),
        (Value::F64(a), Value::F64(b)) => Some(by(op, a, b)),
        _ => Some(by(op, &integer(a)?, &integer(b)?)),
    }
}

/// The amount is masked to the width of the left side, whatever integer type it has.
fn shift(op: Binary, a: &Value, b: &Value) -> Option<Value> {
    let by = integer(b)? as u32;
    macro_rules! ints {
        ($($variant:ident),*) => {
            Some(match a {
                $(Value::$variant(a) => Value::$variant(
                    if op == Binary::Shl { a.wrapping_shl(by) } else { a.wrapping_shr(by) }
                ),)*
                _ => return None,
            })
        };
    }
    ints!(I8, I16, I32, I64, U8, U16, U32, U64)
}

/// Rust's `as`, and the lossless `From` conversions from `half`'s types and `bool`.
pub fn cast(value: &Value, to: Scalar) -> Option<Value> {
    if let Some(wide) = integer(value) {
        return Some(match to {
            Scalar::F32 => Value::F32(wide as f32),
            Scalar::F64 => Value::F64(wide as f64),
            Scalar::F16 => Value::F16(nearest_f16(wide as f64)),
            Scalar::Bf16 => Value::Bf16(nearest_bf16(wide as f64)),
            Scalar::Bool => Value::Bool(wide != 0),
            _ => wrap(wide, to),
        });
    }
    let wide = match value {
        Value::F16(v) => v.to_f64(),
        Value::Bf16(v) => v.to_f64(),
        Value::F32(v) => f64::from(*v),
        Value::F64(v) => *v,
        _ => return None,
    };
    Some(match to {
        Scalar::F64 => Value::F64(wide),
        Scalar::F32 => Value::F32(wide as f32),
        Scalar::F16 => Value::F16(nearest_f16(wide)),
        Scalar::Bf16 => Value::Bf16(nearest_bf16(wide)),
        Scalar::I8 => Value::I8(wide as i8),
        Scalar::I16 => Value::I16(wide as i16),
        Scalar::I32 => Value::I32(wide as i32),
        Scalar::I64 => Value::I64(wide as i64),
        Scalar::U8 => Value::U8(wide as u8),
        Scalar::U16 => Value::U16(wide as u16),
        Scalar::U32 => Value::U32(wide as u32),
        Scalar::U64 => Value::U64(wide as u64),
        Scalar::Bool => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_panics_in_rust_has_a_stated_value() {
        let i = Value::I32;
        assert_eq!(binary(Binary::Div, &i(7), &i(0)), Some(i(0)));
        assert_eq!(binary(Binary::Rem, &i(7), &i(0)), Some(i(7)));
        assert_eq!(binary(Binary::Div, &i(i32::MIN), &i(-1)), Some(i(i32::MIN)));
        assert_eq!(binary(Binary::Rem, &i(i32::MIN), &i(-1)), Some(i(0)));
    }

    #[test]
    fn release_meaning_holds() {
        assert_eq!(
            binary(Binary::Add, &Value::I32(i32::MAX), &Value::I32(1)),
            Some(Value::I32(i32::MIN))
        );
        assert_eq!(
            binary(Binary::Shl, &Value::I32(1), &Value::U8(33)),
            Some(Value::I32(2))
        );
        assert_eq!(
            binary(Binary::Sub, &Value::U8(7), &Value::U8(9)),
            Some(Value::U8(254))
        );
        assert_eq!(cast(&Value::F32(-1.5), Scalar::U8), Some(Value::U8(0)));
        assert_eq!(cast(&Value::I32(300), Scalar::U8), Some(Value::U8(44)));
        assert_eq!(cast(&Value::F32(f32::NAN), Scalar::I32), Some(Value::I32(0)));
    }
}
