//! The table of methods, executed.

#![allow(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::float_cmp,
    reason = "Rust's own `as` and `==` are what is wanted"
)]

use half::{bf16, f16};

use crate::eval_hyperbolic;
use crate::ir::Scalar;
use crate::value::{Value, nearest_bf16, nearest_f16};

/// The result of a method for its receiver and arguments. `ret` tells associated functions of one name apart.
pub fn method(name: &str, args: &[Value], ret: Scalar) -> Option<Value> {
    match (name, args) {
        ("from_bits", [Value::U16(bits)]) if ret == Scalar::F16 => Some(Value::F16(f16::from_bits(*bits))),
        ("from_bits", [Value::U16(bits)]) => Some(Value::Bf16(bf16::from_bits(*bits))),
        ("from_bits", [Value::U32(bits)]) => Some(Value::F32(f32::from_bits(*bits))),
        ("from_bits", [Value::U64(bits)]) => Some(Value::F64(f64::from_bits(*bits))),
        ("from_f32", [Value::F32(v)]) if ret == Scalar::F16 => Some(Value::F16(f16::from_f32(*v))),
        ("from_f32", [Value::F32(v)]) => Some(Value::Bf16(bf16::from_f32(*v))),
        ("from_f64", [Value::F64(v)]) if ret == Scalar::F16 => Some(Value::F16(nearest_f16(*v))),
        ("from_f64", [Value::F64(v)]) => Some(Value::Bf16(nearest_bf16(*v))),
        (_, [receiver, rest @ ..]) => on(name, receiver, rest),
        _ => None,
    }
}

fn on(name: &str, receiver: &Value, rest: &[Value]) -> Option<Value> {
    macro_rules! dispatch {
        ($(($variant:ident, $function:ident)),*) => {
            match receiver {
                $(Value::$variant(x) => {
                    // Arguments of the receiver's own type; others (`powi`, `pow`) are read by name.
                    let own: Vec<_> = rest.iter().map(|v| if let Value::$variant(v) = v { Some(*v) } else { None }).collect();
                    $function::$variant(name, *x, &own, rest)
                })*
                _ => None,
            }
        };
    }
    dispatch!(
        (I8, signed),
        (I16, signed),
        (I32, signed),
        (I64, signed),
        (U8, unsigned),
        (U16, unsigned),
        (U32, unsigned),
        (U64, unsigned),
        (F32, float),
        (F64, float),
        (F16, halves),
        (Bf16, halves)
    )
}

fn amount(rest: &[Value]) -> Option<u32> {
    match rest {
        [Value::U32(n)] => Some(*n),
        _ => None,
    }
}

/// Rust's `clamp`, with the value of the table where Rust panics.
fn clamp<T: PartialOrd>(x: T, lo: T, hi: T) -> T {
    if x < lo {
        lo
    } else if x > hi {
        hi
    } else {
        x
    }
}

macro_rules! integer_methods {
    ($name:ident, $x:ident, $own:ident, $rest:ident, $variant:ident, $unsigned:ident) => {
        Some(match ($name, $own) {
            ("max", [Some(y)]) => Value::$variant($x.max(*y)),
            ("min", [Some(y)]) => Value::$variant($x.min(*y)),
            ("clamp", [Some(lo), Some(hi)]) => Value::$variant(clamp($x, *lo, *hi)),
            ("abs_diff", [Some(y)]) => Value::$unsigned($x.abs_diff(*y)),
            ("pow" | "wrapping_pow", _) => Value::$variant($x.wrapping_pow(amount($rest)?)),
            ("wrapping_add", [Some(y)]) => Value::$variant($x.wrapping_add(*y)),
            ("wrapping_sub", [Some(y)]) => Value::$variant($x.wrapping_sub(*y)),
            ("wrapping_mul", [Some(y)]) => Value::$variant($x.wrapping_mul(*y)),
            ("wrapping_div" | "div_euclid" | "div_ceil", [Some(0)]) => Value::$variant(0),
            ("wrapping_rem" | "rem_euclid", [Some(0)]) => Value::$variant($x),
            ("wrapping_div", [Some(y)]) => Value::$variant($x.wrapping_div(*y)),
            ("wrapping_rem", [Some(y)]) => Value::$variant($x.wrapping_rem(*y)),
            ("div_euclid", [Some(y)]) => Value::$variant($x.wrapping_div_euclid(*y)),
            ("rem_euclid", [Some(y)]) => Value::$variant($x.wrapping_rem_euclid(*y)),
            ("wrapping_neg", _) => Value::$variant($x.wrapping_neg()),
            ("wrapping_shl", _) => Value::$variant($x.wrapping_shl(amount($rest)?)),
            ("wrapping_shr", _) => Value::$variant($x.wrapping_shr(amount($rest)?)),
            ("saturating_add", [Some(y)]) => Value::$variant($x.saturating_add(*y)),
            ("saturating_sub", [Some(y)]) => Value::$variant($x.saturating_sub(*y)),
            ("saturating_mul", [Some(y)]) => Value::$variant($x.saturating_mul(*y)),
            ("count_ones", _) => Value::U32($x.count_ones()),
            ("count_zeros", _) => Value::U32($x.count_zeros()),
            ("leading_zeros", _) => Value::U32($x.leading_zeros()),
            ("trailing_zeros", _) => Value::U32($x.trailing_zeros()),
            ("leading_ones", _) => Value::U32($x.leading_ones()),
            ("trailing_ones", _) => Value::U32($x.trailing_ones()),
            ("rotate_left", _) => Value::$variant($x.rotate_left(amount($rest)?)),
            ("rotate_right", _) => Value::$variant($x.rotate_right(amount($rest)?)),
            ("swap_bytes", _) => Value::$variant($x.swap_bytes()),
            ("reverse_bits", _) => Value::$variant($x.reverse_bits()),
            _ => return None,
        })
    };
}

macro_rules! modules {
    (signed: $(($svar:ident, $sty:ty, $suns:ident)),*; unsigned: $(($uvar:ident, $uty:ty)),*; float: $(($fvar:ident, $fty:ty, $fbits:ident)),*; half: $(($hvar:ident, $hty:ty)),*) => {
        #[allow(non_snake_case, reason = "one function a variant, under the variant's name")]
        mod signed {
            use super::*;
            $(pub fn $svar(name: &str, x: $sty, own: &[Option<$sty>], rest: &[Value]) -> Option<Value> {
                Some(match name {
                    "abs" | "wrapping_abs" => Value::$svar(x.wrapping_abs()),
                    "signum" => Value::$svar(x.signum()),
                    "is_positive" => Value::Bool(x.is_positive()),
                    "is_negative" => Value::Bool(x.is_negative()),
                    "unsigned_abs" => Value::$suns(x.unsigned_abs()),
                    _ => return integer_methods!(name, x, own, rest, $svar, $suns),
                })
            })*
        }
        #[allow(non_snake_case, reason = "one function a variant, under the variant's name")]
        mod unsigned {
            use super::*;
            $(pub fn $uvar(name: &str, x: $uty, own: &[Option<$uty>], rest: &[Value]) -> Option<Value> {
                Some(match (name, own) {
                    ("is_power_of_two", _) => Value::Bool(x.is_power_of_two()),
                    ("next_power_of_two", _) => Value::$uvar(x.checked_next_power_of_two().unwrap_or(0)),
                    ("ilog2", _) => Value::U32(x.checked_ilog2().unwrap_or(0)),
                    ("div_ceil", [Some(y)]) if *y != 0 => Value::$uvar(x.div_ceil(*y)),
                    _ => return integer_methods!(name, x, own, rest, $uvar, $uvar),
                })
            })*
        }
        #[allow(non_snake_case, reason = "one function a variant, under the variant's name")]
        mod float {
            use super::*;
            $(pub fn $fvar(name: &str, x: $fty, own: &[Option<$fty>], rest: &[Value]) -> Option<Value> {
                Some(match (name, own) {
                    ("powi", _) => match rest {
                        [Value::I32(n)] => Value::$fvar(x.powi(*n)),
                        _ => return None,
                    },
                    ("is_nan", _) => Value::Bool(x.is_nan()),
                    ("is_infinite", _) => Value::Bool(x.is_infinite()),
                    ("is_finite", _) => Value::Bool(x.is_finite()),
                    ("is_normal", _) => Value::Bool(x.is_normal()),
                    ("is_sign_positive", _) => Value::Bool(x.is_sign_positive()),
                    ("is_sign_negative", _) => Value::Bool(x.is_sign_negative()),
                    ("to_bits", _) => Value::$fbits(x.to_bits()),
                    _ => return number(name, x, own).map(Value::$fvar),
                })
            })*
            $(fn_number!($fvar, $fty);)*
        }
        #[allow(non_snake_case, reason = "one function a variant, under the variant's name")]
        mod halves {
            use super::*;
            $(pub fn $hvar(name: &str, x: $hty, own: &[Option<$hty>], _rest: &[Value]) -> Option<Value> {
                Some(match (name, own) {
                    // Zeros are equal; the negative one is the smaller.
                    ("max", [Some(y)]) if x == *y => Value::$hvar(if x.is_sign_negative() { *y } else { x }),
                    ("min", [Some(y)]) if x == *y => Value::$hvar(if x.is_sign_negative() { x } else { *y }),
                    ("max", [Some(y)]) => Value::$hvar(x.max(*y)),
                    ("min", [Some(y)]) => Value::$hvar(x.min(*y)),
                    ("clamp", [Some(lo), Some(hi)]) => Value::$hvar(clamp(x, *lo, *hi)),
                    ("copysign", [Some(y)]) => Value::$hvar(x.copysign(*y)),
                    ("signum", _) => Value::$hvar(x.signum()),
                    ("is_nan", _) => Value::Bool(x.is_nan()),
                    ("is_infinite", _) => Value::Bool(x.is_infinite()),
                    ("is_finite", _) => Value::Bool(x.is_finite()),
                    ("is_normal", _) => Value::Bool(x.is_normal()),
                    ("is_sign_positive", _) => Value::Bool(x.is_sign_positive()),
                    ("is_sign_negative", _) => Value::Bool(x.is_sign_negative()),
                    ("to_bits", _) => Value::U16(x.to_bits()),
                    ("to_f32", _) => Value::F32(x.to_f32()),
                    ("to_f64", _) => Value::F64(x.to_f64()),
                    _ => return None,
                })
            })*
        }
    };
}

/// Methods of floats that give a float.
trait Number: Sized {
    fn number(name: &str, x: Self, own: &[Option<Self>]) -> Option<Self>;
}

fn number<T: Number>(name: &str, x: T, own: &[Option<T>]) -> Option<T> {
    T::number(name, x, own)
}

macro_rules! fn_number {
    ($variant:ident, $ty:ty) => {
        impl Number for $ty {
            fn number(name: &str, x: $ty, own: &[Option<$ty>]) -> Option<$ty> {
                Some(match (name, own) {
                    // Zeros are equal; the negative one is the smaller.
                    ("max", [Some(y)]) if x == *y => {
                        if x.is_sign_negative() {
                            *y
                        } else {
                            x
                        }
                    }
                    ("min", [Some(y)]) if x == *y => {
                        if x.is_sign_negative() {
                            x
                        } else {
                            *y
                        }
                    }
                    ("max", [Some(y)]) => x.max(*y),
                    ("min", [Some(y)]) => x.min(*y),
                    ("clamp", [Some(lo), Some(hi)]) => clamp(x, *lo, *hi),
                    ("copysign", [Some(y)]) => x.copysign(*y),
                    ("mul_add", [Some(y), Some(z)]) => x.mul_add(*y, *z),
                    ("log", [Some(y)]) => x.log(*y),
                    ("powf", [Some(y)]) => x.powf(*y),
                    ("hypot", [Some(y)]) => x.hypot(*y),
                    ("atan2", [Some(y)]) => x.atan2(*y),
                    ("div_euclid", [Some(y)]) => x.div_euclid(*y),
                    ("rem_euclid", [Some(y)]) => x.rem_euclid(*y),
                    ("abs", _) => x.abs(),
                    ("signum", _) => x.signum(),
                    ("floor", _) => x.floor(),
                    ("ceil", _) => x.ceil(),
                    ("round", _) => x.round(),
                    ("round_ties_even", _) => x.round_ties_even(),
                    ("trunc", _) => x.trunc(),
                    ("fract", _) => x.fract(),
                    ("sqrt", _) => x.sqrt(),
                    ("recip", _) => x.recip(),
                    ("to_degrees", _) => x.to_degrees(),
                    ("to_radians", _) => x.to_radians(),
                    ("exp", _) => x.exp(),
                    ("exp2", _) => x.exp2(),
                    ("exp_m1", _) => x.exp_m1(),
                    ("ln", _) => x.ln(),
                    ("ln_1p", _) => x.ln_1p(),
                    ("log2", _) => x.log2(),
                    ("log10", _) => x.log10(),
                    ("cbrt", _) => x.cbrt(),
                    ("sin", _) => x.sin(),
                    ("cos", _) => x.cos(),
                    ("tan", _) => x.tan(),
                    ("asin", _) => x.asin(),
                    ("acos", _) => x.acos(),
                    ("atan", _) => x.atan(),
                    ("sinh", _) => x.sinh(),
                    ("cosh", _) => x.cosh(),
                    ("tanh", _) => x.tanh(),
                    ("asinh", _) => eval_hyperbolic::asinh(x.into()) as $ty,
                    ("acosh", _) => eval_hyperbolic::acosh(x.into()) as $ty,
                    ("atanh", _) => eval_hyperbolic::atanh(x.into()) as $ty,
                    _ => return None,
                })
            }
        }
    };
}

modules!(
    signed: (I8, i8, U8), (I16, i16, U16), (I32, i32, U32), (I64, i64, U64);
    unsigned: (U8, u8), (U16, u16), (U32, u32), (U64, u64);
    float: (F32, f32, U32), (F64, f64, U64);
    half: (F16, f16), (Bf16, bf16)
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::{METHODS, Shape};

    fn one(scalar: Scalar) -> Value {
        crate::eval_ops::cast(&Value::I32(1), scalar).unwrap()
    }

    #[test]
    fn every_row_of_the_table_is_executed_with_the_type_it_promises() {
        for row in METHODS {
            for receiver in row.receivers.iter() {
                let shapes = if row.associated { None } else { Some(Shape::Own) };
                let args: Vec<Value> = shapes
                    .into_iter()
                    .chain(row.args.iter().copied())
                    .map(|s| one(s.on(receiver)))
                    .collect();
                let ret = row.ret.on(receiver);
                let value = method(row.name, &args, ret);
                let value = value.unwrap_or_else(|| panic!("`{}` of {receiver} is not executed", row.name));
                assert_eq!(
                    crate::literal::scalar(&value),
                    Some(ret),
                    "`{}` of {receiver}",
                    row.name
                );
            }
        }
    }

    #[test]
    fn what_panics_in_rust_has_the_value_of_the_table() {
        let i = Value::I8;
        assert_eq!(method("div_euclid", &[i(-128), i(-1)], Scalar::I8), Some(i(-128)));
        assert_eq!(method("rem_euclid", &[i(5), i(0)], Scalar::I8), Some(i(5)));
        assert_eq!(method("abs", &[i(-128)], Scalar::I8), Some(i(-128)));
        assert_eq!(method("clamp", &[i(5), i(3), i(1)], Scalar::I8), Some(i(1)));
        assert_eq!(
            method("ilog2", &[Value::U32(0)], Scalar::U32),
            Some(Value::U32(0))
        );
    }
}
