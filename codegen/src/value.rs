//! Values of the language, as the law checker computes them and the writers print them.

use half::{bf16, f16};

/// A value of a type of the language. Floats keep their bits, `NaN`s and signed zeros included.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are Rust's own")]
pub enum Value {
    Bool(bool),
    I8(i8),
    I16(i16),
    I32(i32),
    I64(i64),
    U8(u8),
    U16(u16),
    U32(u32),
    U64(u64),
    F16(f16),
    Bf16(bf16),
    F32(f32),
    F64(f64),
    /// Fields in order.
    Tuple(Vec<Value>),
    /// The struct's name and its fields in the order of the declaration.
    Struct(String, Vec<Value>),
}

/// The `f16` nearest to `wide`: rounded once, where `half` rounds as the machine has it.
pub fn nearest_f16(wide: f64) -> f16 {
    f16::from_f32(to_odd(wide))
}

/// The `bf16` nearest to `wide`.
pub fn nearest_bf16(wide: f64) -> bf16 {
    bf16::from_f32(to_odd(wide))
}

/// Where an `f32` cannot hold the value, that neighbour whose last bit is set: rounding it again rounds right.
#[allow(clippy::float_cmp, reason = "the question is whether bits were lost")]
fn to_odd(wide: f64) -> f32 {
    let near = wide as f32;
    let back = f64::from(near);
    if back == wide || !near.is_finite() || near.to_bits() & 1 == 1 {
        return near;
    }
    let bits = near.to_bits();
    f32::from_bits(if back.abs() > wide.abs() {
        bits.wrapping_sub(1)
    } else {
        bits | 1
    })
}
