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
