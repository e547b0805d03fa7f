//! Functions under test, their operands, and the program that prints what they give.

use std::fmt::Write as _;
use std::path::Path;

use proc_macro2::{Ident, Span};

use super::body::{Scope, function};
use super::text::Text;
use super::types::scalar;
use crate::ir::{Expr, ExprKind, Function, Local, Scalar, Ty};
use crate::literal;
use crate::value::{Value, nearest_bf16, nearest_f16};

/// One function under test.
pub(super) struct Case {
    /// Which it is, for messages.
    pub(super) what: String,
    /// The function itself.
    pub(super) function: Function,
}

impl Case {
    pub(super) fn new(
        what: String,
        params: &[Scalar],
        ret: Scalar,
        kind: impl FnOnce(Vec<Expr>) -> ExprKind,
    ) -> Self {
        let name = |name: &str| Ident::new(name, Span::call_site());
        let locals: Vec<Local> = params
            .iter()
            .zip(["a", "b", "c"])
            .enumerate()
            .map(|(id, (ty, text))| Local {
                id,
                name: name(text),
                ty: Ty::Scalar(*ty),
                mutable: false,
            })
            .collect();
        let expr = |kind, ty| Expr {
            kind,
            ty,
            span: Span::call_site(),
        };
        let args = locals
            .iter()
            .map(|local| expr(ExprKind::Local(local.clone()), local.ty.clone()))
            .collect();
        let body = expr(kind(args), Ty::Scalar(ret));
        Case {
            what,
            function: Function {
                name: name("f"),
                params: locals,
                ret: Ty::Scalar(ret),
                body,
            },
        }
    }

    fn params(&self) -> impl Iterator<Item = Scalar> {
        self.function
            .params
            .iter()
            .map(|param| param.ty.scalar().unwrap())
    }

    /// Every combination of edge operands, the last one fastest.
    pub(super) fn operands(&self) -> Vec<Vec<Value>> {
        self.params().fold(vec![Vec::new()], |rows, ty| {
            let longer = |row: &Vec<Value>| {
                edges(ty)
                    .into_iter()
                    .map(|edge| [row.clone(), vec![edge]].concat())
                    .collect::<Vec<_>>()
            };
            rows.iter().flat_map(longer).collect()
        })
    }
}

/// A hair above the middle between 1.0 and the next value of a format.
fn hair(middle: i32) -> f64 {
    1.0 + f64::powi(2.0, middle) + f64::powi(2.0, -40)
}

/// Operands around everything that can go wrong.
fn edges(ty: Scalar) -> Vec<Value> {
    let floats = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -2.5,
        3.5,
        7.0,
        300.0,
        -1.5e9,
        3e9,
        1e19,
        -1e19,
        1e-40,
        6e-8,
        65504.0,
        65520.0,
        2049.0,
        3e38,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    match ty {
        Scalar::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Scalar::F16 => floats.iter().map(|v| Value::F16(nearest_f16(*v))).collect(),
        Scalar::Bf16 => floats.iter().map(|v| Value::Bf16(nearest_bf16(*v))).collect(),
        Scalar::F32 => floats.iter().map(|v| Value::F32(*v as f32)).collect(),
        Scalar::F64 => floats
            .iter()
            .copied()
            .chain([hair(-11), hair(-8)])
            .map(Value::F64)
            .collect(),
        integer => {
            let bits = integer.bits();
            let (low, high) = if integer.is_signed_int() {
                (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1)
            } else {
                (0, (1_i128 << bits) - 1)
            };
            let mut values = vec![
                0,
                1,
                2,
                3,
                7,
                13,
                31,
                33,
                100,
                high,
                high - 1,
                high / 2 + 1,
                low,
                low + 1,
            ];
            values.extend([-1, -2, -7].into_iter().filter(|v| *v >= low));
            values.into_iter().map(|v| literal::wrap(v, integer)).collect()
        }
    }
}

/// A program that prints the bits of each case's results.
pub(super) fn source(cases: &[Case]) -> String {
    let kernels = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/kernels");
    let mut source = String::from(
        "#include <cmath>\n#include <cstdio>\n#include <cstring>\n#define WARPFOLD_EMULATE\n#define __device__\n#define __forceinline__ inline\n",
    );
    for part in ["scalar.cuh", "half.cuh", "math.cuh"] {
        source += &std::fs::read_to_string(kernels.join(part))
            .unwrap()
            .replace("#pragma once", "");
    }
    source += "template <class T> void put(T x) {\n  unsigned long long b = 0;\n  memcpy(&b, &x, sizeof x);\n  printf(\"%llx\\n\", b);\n}\n";
    let scope = Scope::default();
    for ty in Scalar::ALL {
        let values: Vec<String> = edges(ty)
            .iter()
            .map(|v| scope.types.value(v, &Ty::Scalar(ty)))
            .collect();
        writeln!(
            source,
            "static const {} edges_{}[] = {{{}}};",
            scalar(ty),
            ty.name(),
            values.join(", ")
        )
        .unwrap();
    }
    source += "namespace wf_spec {\n";
    let mut text = Text::default();
    for (i, case) in cases.iter().enumerate() {
        function(&mut text, &scope, &format!("f{i}"), &case.function);
    }
    source += &text.finish();
    source += "}\nint main() {\n";
    for (i, case) in cases.iter().enumerate() {
        let names = ["a", "b", "c"];
        for (ty, name) in case.params().zip(names) {
            write!(source, "for (auto {name} : edges_{}) ", ty.name()).unwrap();
        }
        let args = names[..case.function.params.len()].join(", ");
        writeln!(source, "put(wf_spec::f{i}({args}));").unwrap();
    }
    source + "}\n"
}
