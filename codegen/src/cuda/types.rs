//! Types and values of the language in C++.

use std::collections::HashMap;

use crate::ir::{Scalar, Ty};
use crate::value::Value;

/// What the emitted text calls the user's structs and their fields.
#[derive(Clone, Debug, Default)]
pub(super) struct Types {
    structs: HashMap<String, StructNames>,
}

/// The C++ names of one struct.
#[derive(Clone, Debug)]
pub(super) struct StructNames {
    /// The struct's own name in `wf_spec`.
    pub(super) name: String,
    /// Its fields, in order.
    pub(super) fields: Vec<String>,
}

impl Types {
    /// Makes a struct known under its Rust name.
    pub(super) fn declare(&mut self, rust: String, names: StructNames) {
        self.structs.insert(rust, names);
    }

    /// The names of a struct; the front end accepts no type that is not declared.
    pub(super) fn names(&self, rust: &str) -> &StructNames {
        self.structs
            .get(rust)
            .expect("structs are declared before they are used")
    }

    /// The type as C++ spells it.
    pub(super) fn ty(&self, ty: &Ty) -> String {
        match ty {
            Ty::Scalar(scalar) => self::scalar(*scalar).to_owned(),
            Ty::Tuple(fields) if fields.is_empty() => "void".to_owned(),
            Ty::Tuple(fields) => format!("wf::Tuple<{}>", self.list(fields, Types::ty)),
            Ty::Struct(name) => format!("wf_spec::{}", self.names(name).name),
        }
    }

    /// The type of a parameter that is only read: scalars by value, the rest by reference.
    pub(super) fn read(&self, ty: &Ty) -> String {
        match ty {
            Ty::Scalar(_) => self.ty(ty),
            _ => format!("const {}&", self.ty(ty)),
        }
    }

    /// The member that holds field `index` of a value of type `ty`.
    pub(super) fn member(&self, ty: &Ty, index: usize) -> String {
        match ty {
            Ty::Struct(name) => self.names(name).fields[index].clone(),
            _ => format!("f{index}"),
        }
    }

    /// A value as a C++ expression of exactly its type.
    pub(super) fn value(&self, value: &Value, ty: &Ty) -> String {
        match (value, ty) {
            (Value::Tuple(values), Ty::Tuple(fields)) => self.aggregate(values, fields, ty),
            (Value::Struct(_, values), _) => {
                format!("{}{{{}}}", self.ty(ty), self.list(values, Types::untyped))
            }
            _ => scalar_value(value),
        }
    }

    fn aggregate(&self, values: &[Value], fields: &[Ty], ty: &Ty) -> String {
        let fields: Vec<String> = values
            .iter()
            .zip(fields)
            .map(|(value, ty)| self.value(value, ty))
            .collect();
        format!("{}{{{}}}", self.ty(ty), fields.join(", "))
    }

    /// A value inside an aggregate, where C++ knows the type of nested ones.
    fn untyped(&self, value: &Value) -> String {
        match value {
            Value::Tuple(values) | Value::Struct(_, values) => {
                format!("{{{}}}", self.list(values, Types::untyped))
            }
            _ => scalar_value(value),
        }
    }

    fn list<T>(&self, items: &[T], text: impl Fn(&Self, &T) -> String) -> String {
        items
            .iter()
            .map(|item| text(self, item))
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// A scalar type as C++ spells it.
pub(super) const fn scalar(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::I8 => "wf::i8",
        Scalar::I16 => "wf::i16",
        Scalar::I32 => "wf::i32",
        Scalar::I64 => "wf::i64",
        Scalar::U8 => "wf::u8",
        Scalar::U16 => "wf::u16",
        Scalar::U32 => "wf::u32",
        Scalar::U64 => "wf::u64",
        Scalar::F16 => "wf::f16",
        Scalar::Bf16 => "wf::bf16",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
    }
}

/// A scalar literal of exactly its type: C++ would deduce `int` for a bare number.
fn scalar_value(value: &Value) -> String {
    match value {
        Value::Bool(v) => v.to_string(),
        Value::I8(v) => format!("wf::i8({v})"),
        Value::I16(v) => format!("wf::i16({v})"),
        Value::I32(i32::MIN) => "wf::min_value<wf::i32>()".to_owned(),
        Value::I32(v) => v.to_string(),
        Value::I64(i64::MIN) => "wf::min_value<wf::i64>()".to_owned(),
        Value::I64(v) => format!("{v}ll"),
        Value::U8(v) => format!("wf::u8({v})"),
        Value::U16(v) => format!("wf::u16({v})"),
        Value::U32(v) => format!("{v}u"),
        Value::U64(v) => format!("{v}ull"),
        Value::F16(v) => format!("wf::f16{{{:#06x}}}", v.to_bits()),
        Value::Bf16(v) => format!("wf::bf16{{{:#06x}}}", v.to_bits()),
        Value::F32(v) => real(
            f64::from(*v),
            &format!("{v:?}f"),
            "float",
            &format!("{:#010x}u", v.to_bits()),
        ),
        Value::F64(v) => real(
            *v,
            &format!("{v:?}"),
            "double",
            &format!("{:#018x}ull", v.to_bits()),
        ),
        Value::Tuple(_) | Value::Struct(..) => unreachable!("aggregates are written by `Types::value`"),
    }
}

/// A float: digits where there are some, else what it is called.
fn real(value: f64, digits: &str, ty: &str, bits: &str) -> String {
    if value.is_nan() {
        let quiet = value.to_bits() == f64::NAN.to_bits();
        if quiet {
            format!("wf::nan<{ty}>()")
        } else {
            format!("wf::from_bits<{ty}>({bits})")
        }
    } else if value.is_infinite() {
        format!("{}wf::infinity<{ty}>()", if value < 0.0 { "-" } else { "" })
    } else {
        digits.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use half::{bf16, f16};

    use super::{Types, scalar_value};
    use crate::ir::{Scalar, Ty};
    use crate::value::Value;

    #[test]
    fn literals_have_exactly_their_type() {
        let values = [
            (Value::F32(0.5), "0.5f"),
            (Value::F32(-0.0), "-0.0f"),
            (Value::F32(1e-6), "1e-6f"),
            (Value::F32(f32::NEG_INFINITY), "-wf::infinity<float>()"),
            (Value::F64(f64::NAN), "wf::nan<double>()"),
            (
                Value::F32(f32::from_bits(0x7fc0_0001)),
                "wf::from_bits<float>(0x7fc00001u)",
            ),
            (Value::I32(i32::MIN), "wf::min_value<wf::i32>()"),
            (Value::I32(-7), "-7"),
            (Value::U64(u64::MAX), "18446744073709551615ull"),
            (Value::U8(200), "wf::u8(200)"),
            (Value::F16(f16::ONE), "wf::f16{0x3c00}"),
            (Value::Bf16(bf16::ONE), "wf::bf16{0x3f80}"),
        ];
        for (value, wanted) in values {
            assert_eq!(scalar_value(&value), wanted);
        }
    }

    #[test]
    fn tuples_are_the_librarys() {
        let pair = Ty::Tuple(vec![Ty::Scalar(Scalar::F32), Ty::Scalar(Scalar::U64)]);
        let value = Value::Tuple(vec![Value::F32(1.0), Value::U64(2)]);
        assert_eq!(
            Types::default().value(&value, &pair),
            "wf::Tuple<float, wf::u64>{1.0f, 2ull}"
        );
        assert_eq!(Types::default().read(&pair), "const wf::Tuple<float, wf::u64>&");
    }
}
