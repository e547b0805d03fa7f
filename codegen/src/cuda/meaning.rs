//! Tests that the emitted operators mean what Rust's do: every operator, cast and method on edge operands, compiled as
//! host code and compared with the interpreter. Undefined behaviour in the library's text ends the run.

use std::path::PathBuf;
use std::process::Command;

use proc_macro2::{Ident, Span};

use super::meaning_program::{self as program, Case};
use crate::eval;
use crate::ir::{Binary, Expr, ExprKind, Module, Scalar, Unary};
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
    std::fs::write(&source, program::source(&cases)).unwrap();
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
            let wanted = eval::call(&case.function, &args, &Module::default()).unwrap();
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
