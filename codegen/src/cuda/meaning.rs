//! Tests that the emitted operators mean what Rust's do: every operator, cast and method on edge operands, compiled as
//! host code and compared with the interpreter. Undefined behaviour in the library's text ends the run.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use proc_macro2::{Ident, Span};

use super::body::{Scope, function};
use super::text::Text;
use super::types::scalar;
use crate::eval;
use crate::ir::{Binary, Expr, ExprKind, Function, Local, Module, Scalar, Ty, Unary};
use crate::literal;
use crate::methods::METHODS;
use crate::value::Value;

/// Methods whose last digits are the mathematical library's own affair.
const ROUNDED_FREELY: [&str; 26] = [
    "exp",
    "exp2",
    "exp_m1",
    "ln",
    "ln_1p",
    "log2",
    "log10",
    "log",
    "powf",
    "cbrt",
    "hypot",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "to_degrees",
    "to_radians",
];

#[test]
fn operators_casts_and_methods_mean_what_rusts_do() {
    if Command::new("g++").arg("--version").output().is_err() {
        eprintln!("skipped: there is no g++");
        return;
    }
    let cases = cases();
    let folder = PathBuf::from(
        std::env::var("CARGO_TARGET_TMPDIR").unwrap_or_else(|_| std::env::temp_dir().display().to_string()),
    )
    .join(format!("warpfold-meaning-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (source, program) = (folder.join("meaning.cpp"), folder.join("meaning"));
    std::fs::write(&source, self::source(&cases)).unwrap();
    let flags = [
        "-std=c++17",
        "-w",
        "-ffp-contract=off",
        "-fsanitize=undefined,float-cast-overflow",
        "-fno-sanitize-recover=all",
    ];
    let compiled = Command::new("g++")
        .args(flags)
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .output()
        .unwrap();
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let ran = Command::new(&program).output().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let out = String::from_utf8(ran.stdout).unwrap();
    let mut lines = out.lines();
    let mut wrong = Vec::new();
    for case in &cases {
        for args in case.operands() {
            let wanted = rounded_once(&case.what, &args)
                .unwrap_or_else(|| eval::call(&case.function, &args, &Module::default()).unwrap());
            let got = lines.next().expect("the program prints a line an operand");
            if !same(&wanted, got) {
                wrong.push(format!(
                    "{} of {args:?} is {wanted:?} in Rust, {got} in C++",
                    case.what
                ));
            }
        }
    }
    assert_eq!(lines.next(), None);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `half` converts an f64 by way of fewer bits, which ones depends on the machine: the right answers for the two values
/// where that shows.
fn rounded_once(what: &str, args: &[Value]) -> Option<Value> {
    match (what, args) {
        ("f16::from_f64", [Value::F64(v)]) if v.to_bits() == hair(-11).to_bits() => {
            Some(Value::F16(half::f16::from_bits(0x3c01)))
        }
        ("bf16::from_f64", [Value::F64(v)]) if v.to_bits() == hair(-8).to_bits() => {
            Some(Value::Bf16(half::bf16::from_bits(0x3f81)))
        }
        _ => None,
    }
}

/// A hair above the middle between 1.0 and the next value of a format.
fn hair(middle: i32) -> f64 {
    1.0 + f64::powi(2.0, middle) + f64::powi(2.0, -40)
}

/// One function under test.
struct Case {
    what: String,
    function: Function,
}

impl Case {
    fn new(what: String, params: &[Scalar], ret: Scalar, kind: impl FnOnce(Vec<Expr>) -> ExprKind) -> Self {
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
    fn operands(&self) -> Vec<Vec<Value>> {
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

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for method in METHODS {
        for on in method
            .receivers
            .iter()
            .filter(|_| !ROUNDED_FREELY.contains(&method.name))
        {
            let receiver = (!method.associated).then_some(on);
            let params: Vec<Scalar> = receiver
                .into_iter()
                .chain(method.args.iter().map(|arg| arg.on(on)))
                .collect();
            let ident = Ident::new(method.name, Span::call_site());
            let kind = |args| ExprKind::Method {
                name: method.name,
                ident,
                args,
            };
            cases.push(Case::new(
                format!("{}::{}", on.name(), method.name),
                &params,
                method.ret.on(on),
                kind,
            ));
        }
    }
    for ty in Scalar::ALL {
        for op in binaries(ty) {
            let compares = matches!(
                op,
                Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge
            );
            let ret = if compares { Scalar::Bool } else { ty };
            cases.push(Case::new(
                format!("{op:?} on {}", ty.name()),
                &[ty, ty],
                ret,
                |args| binary(op, args),
            ));
        }
        if ty.is_int() {
            for (op, by) in [
                (Binary::Shl, Scalar::I8),
                (Binary::Shr, Scalar::U64),
                (Binary::Shl, Scalar::U32),
                (Binary::Shr, Scalar::I32),
            ] {
                cases.push(Case::new(
                    format!("{op:?} on {}", ty.name()),
                    &[ty, by],
                    ty,
                    |args| binary(op, args),
                ));
            }
        }
        let signed = ty.is_float() || ty.is_signed_int();
        let unary = [
            (Unary::Neg, signed),
            (Unary::Not, ty.is_int() || ty == Scalar::Bool),
        ];
        for (op, _) in unary.into_iter().filter(|(_, has)| *has) {
            let kind = |mut args: Vec<Expr>| ExprKind::Unary(op, Box::new(args.remove(0)));
            cases.push(Case::new(format!("{op:?} on {}", ty.name()), &[ty], ty, kind));
        }
        let primitive = |ty: Scalar| !ty.is_half();
        for to in Scalar::ALL
            .into_iter()
            .filter(|to| primitive(*to) && primitive(ty) && *to != Scalar::Bool && *to != ty)
        {
            if ty == Scalar::Bool && to.is_float() {
                continue;
            }
            let kind = |mut args: Vec<Expr>| ExprKind::Cast(Box::new(args.remove(0)));
            cases.push(Case::new(
                format!("{} as {}", ty.name(), to.name()),
                &[ty],
                to,
                kind,
            ));
        }
    }
    cases
}

fn binary(op: Binary, mut args: Vec<Expr>) -> ExprKind {
    let right = args.remove(1);
    ExprKind::Binary(op, Box::new(args.remove(0)), Box::new(right))
}

fn binaries(ty: Scalar) -> Vec<Binary> {
    let mut ops = vec![
        Binary::Eq,
        Binary::Ne,
        Binary::Lt,
        Binary::Le,
        Binary::Gt,
        Binary::Ge,
    ];
    if ty != Scalar::Bool {
        ops.extend([Binary::Add, Binary::Sub, Binary::Mul, Binary::Div, Binary::Rem]);
    }
    if !ty.is_float() {
        ops.extend([Binary::BitAnd, Binary::BitOr, Binary::BitXor]);
    }
    ops
}

/// Operands around everything that can go wrong.
fn edges(ty: Scalar) -> Vec<Value> {
    use half::{bf16, f16};
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
        Scalar::F16 => floats.iter().map(|v| Value::F16(f16::from_f64(*v))).collect(),
        Scalar::Bf16 => floats.iter().map(|v| Value::Bf16(bf16::from_f64(*v))).collect(),
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
fn source(cases: &[Case]) -> String {
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

/// Whether the bits printed are those of the value; any NaN is any NaN.
fn same(wanted: &Value, got: &str) -> bool {
    let got = u64::from_str_radix(got, 16).unwrap();
    match wanted {
        Value::Bool(v) => u64::from(*v) == got,
        Value::F16(v) => {
            v.is_nan() && half::f16::from_bits(got as u16).is_nan() || u64::from(v.to_bits()) == got
        }
        Value::Bf16(v) => {
            v.is_nan() && half::bf16::from_bits(got as u16).is_nan() || u64::from(v.to_bits()) == got
        }
        Value::F32(v) => v.is_nan() && f32::from_bits(got as u32).is_nan() || u64::from(v.to_bits()) == got,
        Value::F64(v) => v.is_nan() && f64::from_bits(got).is_nan() || v.to_bits() == got,
        integer => {
            let bits = literal::scalar(integer).unwrap().bits();
            let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
            (literal::integer(integer).unwrap() ^ i128::from(got)) & i128::from(mask) == 0
        }
    }
}
