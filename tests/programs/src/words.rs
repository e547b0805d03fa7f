//! Values as 64-bit words: how operands and results travel, whatever their types.

use half::{bf16, f16};
use warpfold_codegen::ir::Scalar;
use warpfold_codegen::value::Value;

/// The value whose bits are the low ones of the word.
pub fn from_word(scalar: Scalar, word: u64) -> Value {
    match scalar {
        Scalar::Bool => Value::Bool(word & 1 == 1),
        Scalar::I8 => Value::I8(word as i8),
        Scalar::I16 => Value::I16(word as i16),
        Scalar::I32 => Value::I32(word as i32),
        Scalar::I64 => Value::I64(word.cast_signed()),
        Scalar::U8 => Value::U8(word as u8),
        Scalar::U16 => Value::U16(word as u16),
        Scalar::U32 => Value::U32(word as u32),
        Scalar::U64 => Value::U64(word),
        Scalar::F16 => Value::F16(f16::from_bits(word as u16)),
        Scalar::Bf16 => Value::Bf16(bf16::from_bits(word as u16)),
        Scalar::F32 => Value::F32(f32::from_bits(word as u32)),
        Scalar::F64 => Value::F64(f64::from_bits(word)),
    }
}

/// The words of a value's scalars, from left to right; bits above a scalar's width are 0.
pub fn to_word(value: &Value, words: &mut Vec<u64>) {
    words.push(match value {
        Value::Bool(v) => u64::from(*v),
        Value::I8(v) => u64::from(v.cast_unsigned()),
        Value::I16(v) => u64::from(v.cast_unsigned()),
        Value::I32(v) => u64::from(v.cast_unsigned()),
        Value::I64(v) => v.cast_unsigned(),
        Value::U8(v) => u64::from(*v),
        Value::U16(v) => u64::from(*v),
        Value::U32(v) => u64::from(*v),
        Value::U64(v) => *v,
        Value::F16(v) => u64::from(v.to_bits()),
        Value::Bf16(v) => u64::from(v.to_bits()),
        Value::F32(v) => u64::from(v.to_bits()),
        Value::F64(v) => v.to_bits(),
        Value::Tuple(fields) | Value::Struct(_, fields) => {
            for field in fields {
                to_word(field, words);
            }
            return;
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_values_are_one_to_one() {
        for scalar in Scalar::ALL {
            for word in [0, 1, 0x7f, 0x8001_7fc1_8041_3cc1_u64] {
                let mask = match scalar {
                    Scalar::Bool => 1,
                    _ => u64::MAX >> (64 - scalar.bits()),
                };
                let mut words = Vec::new();
                to_word(&from_word(scalar, word), &mut words);
                assert_eq!(words, [word & mask], "{scalar}");
            }
        }
    }
}
