//! What a module adds to bodies: constants, structs and functions of the user's own.

use warpfold_codegen::ir::Scalar;

use crate::expr::Writer;

/// What stands in every module of programs. A constant and a function are used before they are written.
pub const PRELUDE: &str = "
const STEP: i32 = 3 - 10;
const SCALE: f32 = HALVED * 3.0;
const HALVED: f32 = 1.0 / 2.0;
const WIDE: u64 = 0xffff_ffff_ffff_fff0;
const NARROW: i8 = -128;
const LOUD: bool = 3u8 > 2;

#[derive(Clone, Copy)]
struct Small {
    byte: u8,
    loud: bool,
    half: f16,
}

#[derive(Clone, Copy)]
struct Large {
    small: Small,
    real: f64,
    whole: i64,
}

fn least(a: Large, b: Large) -> Large {
    if b.real < a.real { mixed(b, a.small) } else { a }
}

fn mixed(large: Large, small: Small) -> Large {
    let mut result = large;
    result.small.byte = small.byte ^ large.small.byte;
    result.whole -= STEP as i64;
    if small.loud {
        result.small = small;
    }
    result
}

fn turned(x: u32, by: u8) -> u32 {
    x.rotate_left(by as u32) ^ WIDE as u32
}

fn near(x: f32, y: f32) -> f32 {
    if x > y { x - SCALE } else { y * HALVED }
}

fn sign_of(x: i64) -> i32 {
    match x {
        0 => 0,
        n if n < NARROW as i64 => STEP,
        -128..=-1 => -1,
        _ => 1,
    }
}

fn either(a: bool, b: bool) -> bool {
    (a != b) == LOUD
}
";

const CONSTANTS: &[(&str, Scalar)] = &[
    ("STEP", Scalar::I32),
    ("SCALE", Scalar::F32),
    ("HALVED", Scalar::F32),
    ("WIDE", Scalar::U64),
    ("NARROW", Scalar::I8),
    ("LOUD", Scalar::Bool),
];

const FUNCTIONS: &[(&str, &[Scalar], Scalar)] = &[
    ("turned", &[Scalar::U32, Scalar::U8], Scalar::U32),
    ("near", &[Scalar::F32, Scalar::F32], Scalar::F32),
    ("sign_of", &[Scalar::I64], Scalar::I32),
    ("either", &[Scalar::Bool, Scalar::Bool], Scalar::Bool),
];

/// The scalars in a `Large`, as they are read.
const FIELDS: &[(&str, Scalar)] = &[
    ("small.byte", Scalar::U8),
    ("small.loud", Scalar::Bool),
    ("small.half", Scalar::F16),
    ("real", Scalar::F64),
    ("whole", Scalar::I64),
];

/// Whether a function of a module is the prelude's, and no program.
pub fn is_helper(name: &str) -> bool {
    ["least", "mixed"].contains(&name) || FUNCTIONS.iter().any(|(known, ..)| *known == name)
}

impl Writer<'_> {
    /// A value of the type that comes from a constant, a function or a struct of the module, if one gives it. On the
    /// spine the depth is left to an operand.
    pub fn of_module(&mut self, ty: Scalar, depth: usize, spine: bool) -> Option<String> {
        let constants: Vec<_> = CONSTANTS.iter().filter(|constant| constant.1 == ty).collect();
        let functions: Vec<_> = FUNCTIONS.iter().filter(|function| function.2 == ty).collect();
        let fields: Vec<_> = FIELDS.iter().filter(|field| field.1 == ty).collect();
        match self.rng.below(4) {
            0 if !constants.is_empty() && !spine => Some(self.rng.pick(&constants).0.to_owned()),
            0 | 1 if !functions.is_empty() => {
                let (name, params, _) = **self.rng.pick(&functions);
                let along = self.rng.below(params.len());
                let args: Vec<String> = (0..params.len())
                    .map(|i| self.operand(params[i], depth, spine && i == along))
                    .collect();
                Some(format!("{name}({})", args.join(", ")))
            }
            2 | 3 if !fields.is_empty() => {
                let field = self.rng.pick(&fields).0;
                let large = self.large(depth, spine.then_some(field));
                Some(match self.rng.below(3) {
                    0 => format!("({large}).{field}"),
                    1 => {
                        let other = self.large(1, None);
                        format!("least({large}, {other}).{field}")
                    }
                    _ => {
                        let other = self.large(1, None);
                        format!("mixed({large}, ({other}).small).{field}")
                    }
                })
            }
            _ => None,
        }
    }

    /// `let mut x = Large { … };`
    pub fn structure(&mut self, depth: usize) -> String {
        let value = self.large(depth, None);
        let (name, mutable) = (self.fresh(), self.rng.chance(70));
        for (field, ty) in FIELDS {
            self.see(&name, &format!("{name}.{field}"), *ty, mutable);
        }
        self.declared += 1;
        format!("let {}{name} = {value};", if mutable { "mut " } else { "" })
    }

    /// A `Large` whose fields are operands; the spine goes on in the one that is named.
    fn large(&mut self, depth: usize, spine: Option<&str>) -> String {
        let values: Vec<String> = FIELDS
            .iter()
            .map(|(name, ty)| self.operand(*ty, depth, spine == Some(*name)))
            .collect();
        let [byte, loud, half, real, whole] = values.as_slice() else {
            unreachable!("a value for each field");
        };
        format!(
            "Large {{ small: Small {{ byte: {byte}, loud: {loud}, half: {half} }}, real: {real}, whole: {whole} }}"
        )
    }

    fn operand(&mut self, ty: Scalar, depth: usize, spine: bool) -> String {
        if spine {
            self.expr(ty, depth, true)
        } else {
            self.expr(ty, depth.min(2) - usize::from(depth > 0), false)
        }
    }
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;
    use warpfold_codegen::module;

    use super::*;
    use crate::{OF_MODULE, all};

    #[test]
    fn the_compiler_takes_the_prelude_and_the_programs_that_use_it() {
        let programs = all();
        let last = &programs[programs.len() - OF_MODULE..];
        let source: String = last.iter().map(|program| program.source.as_str()).collect();
        let item =
            syn::parse_str(&format!("mod programs {{ {PRELUDE} {source} }}")).expect("programs are Rust");
        let understood = module::read(TokenStream::new(), item);
        if let Some(error) = understood.error {
            let all: Vec<String> = error.into_iter().map(|error| error.to_string()).collect();
            panic!("{}", all.join("\n"));
        }
        for word in [
            "STEP", "SCALE", "WIDE", "NARROW", "LOUD", "Large {", "least(", "mixed(", "turned(", "near(",
        ] {
            assert!(source.matches(word).count() > 5, "{word} is too rare");
        }
        let helpers = understood
            .module
            .functions
            .iter()
            .filter(|f| is_helper(&f.name.to_string()));
        assert_eq!(helpers.count(), FUNCTIONS.len() + 2);
    }
}
