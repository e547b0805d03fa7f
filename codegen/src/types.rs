//! Facts about the types of the language: names, sizes, classes, and how they are written in messages.

use std::fmt;

use crate::ir::{Module, Scalar, Ty};

impl Scalar {
    /// Every scalar type, in the order of the enum.
    pub const ALL: [Scalar; 13] = [
        Scalar::Bool,
        Scalar::I8,
        Scalar::I16,
        Scalar::I32,
        Scalar::I64,
        Scalar::U8,
        Scalar::U16,
        Scalar::U32,
        Scalar::U64,
        Scalar::F16,
        Scalar::Bf16,
        Scalar::F32,
        Scalar::F64,
    ];

    /// Its name in Rust.
    pub const fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::U8 => "u8",
            Scalar::U16 => "u16",
            Scalar::U32 => "u32",
            Scalar::U64 => "u64",
            Scalar::F16 => "f16",
            Scalar::Bf16 => "bf16",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    /// The scalar of that name.
    pub fn from_name(name: &str) -> Option<Scalar> {
        Scalar::ALL.into_iter().find(|scalar| scalar.name() == name)
    }

    /// Its width in memory.
    pub const fn bits(self) -> u32 {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => 8,
            Scalar::I16 | Scalar::U16 | Scalar::F16 | Scalar::Bf16 => 16,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 32,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 64,
        }
    }

    /// Bytes in memory, which is also its alignment.
    pub const fn size(self) -> usize {
        self.bits() as usize / 8
    }

    /// Signed or unsigned, any width.
    pub const fn is_int(self) -> bool {
        self.is_signed_int() || matches!(self, Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64)
    }

    /// `i8` to `i64`.
    pub const fn is_signed_int(self) -> bool {
        matches!(self, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64)
    }

    /// `f32`, `f64` and `half`'s types.
    pub const fn is_float(self) -> bool {
        self.is_half() || matches!(self, Scalar::F32 | Scalar::F64)
    }

    /// `half`'s types, which are structs to Rust: no literals, no `as`.
    pub const fn is_half(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::Bf16)
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Ty {
    /// The type of statements.
    pub const UNIT: Ty = Ty::Tuple(Vec::new());

    /// Whether it is the type of statements.
    pub fn is_unit(&self) -> bool {
        matches!(self, Ty::Tuple(fields) if fields.is_empty())
    }

    /// The scalar it is, if it is one.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Ty::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }

    /// The types of its fields; a scalar has none.
    pub fn fields<'a>(&'a self, module: &'a Module) -> Vec<&'a Ty> {
        match self {
            Ty::Scalar(_) => Vec::new(),
            Ty::Tuple(fields) => fields.iter().collect(),
            Ty::Struct(name) => module
                .find_struct(name)
                .map_or_else(Vec::new, |s| s.fields.iter().map(|(_, ty)| ty).collect()),
        }
    }

    /// Bytes and alignment by the rules of C.
    pub fn layout(&self, module: &Module) -> (usize, usize) {
        if let Ty::Scalar(scalar) = self {
            return (scalar.size(), scalar.size());
        }
        let (mut end, mut align) = (0_usize, 1);
        for field in self.fields(module) {
            let (size, field_align) = field.layout(module);
            end = end.next_multiple_of(field_align) + size;
            align = align.max(field_align);
        }
        (end.next_multiple_of(align), align)
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Scalar(scalar) => scalar.fmt(f),
            Ty::Struct(name) => f.write_str(name),
            Ty::Tuple(fields) => {
                f.write_str("(")?;
                for (i, field) in fields.iter().enumerate() {
                    write!(f, "{}{field}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str(if fields.len() == 1 { ",)" } else { ")" })
            }
        }
    }
}

impl Module {
    /// The struct of that name.
    pub fn find_struct(&self, name: &str) -> Option<&crate::ir::Struct> {
        self.structs.iter().find(|s| s.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_scalars_are_one_to_one() {
        for scalar in Scalar::ALL {
            assert_eq!(Scalar::from_name(scalar.name()), Some(scalar));
        }
        assert_eq!(Scalar::from_name("usize"), None);
    }

    #[test]
    fn layout_is_that_of_c() {
        let ty = Ty::Tuple(vec![
            Ty::Scalar(Scalar::I16),
            Ty::Scalar(Scalar::F64),
            Ty::Scalar(Scalar::Bool),
        ]);
        assert_eq!(ty.layout(&Module::default()), (24, 8));
        assert_eq!(Ty::UNIT.layout(&Module::default()), (0, 1));
    }
}
