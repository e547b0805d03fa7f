//! The programs are enough: counted in what the compiler understood, not in what the generator says of itself.

use std::collections::HashMap;

use warpfold_codegen::ir::{Expr, ExprKind, Stmt};
use warpfold_codegen::methods::METHODS;
use warpfold_programs::{DEPTH, PROGRAMS, TIMES, all};

use crate::interpreted::{programs_of, understood};

/// What programs use of their module.
const OF_MODULE: &[&str] = &[
    "call least",
    "call mixed",
    "call turned",
    "call near",
    "call sign_of",
    "call either",
    "const STEP",
    "const SCALE",
    "const HALVED",
    "const WIDE",
    "const NARROW",
    "const LOUD",
    "struct Large",
    "struct Small",
];

/// In how many places each stands, at least.
const TIMES_OF_MODULE: usize = 5;

/// The expressions directly inside one.
fn inside<'a>(expr: &'a Expr, found: &mut Vec<&'a Expr>) {
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Local(_) | ExprKind::Constant(_) => {}
        ExprKind::Unary(_, a) | ExprKind::Cast(a) | ExprKind::Field(a, ..) => found.push(a),
        ExprKind::Binary(_, a, b) => found.extend([&**a, &**b]),
        ExprKind::Call(_, args) | ExprKind::Method { args, .. } | ExprKind::Tuple(args) => found.extend(args),
        ExprKind::Struct(_, fields) => found.extend(fields.iter().map(|(_, value)| value)),
        ExprKind::Block(stmts, value) => {
            statements(stmts, found);
            found.extend(value.as_deref());
        }
        ExprKind::If(condition, then, otherwise) => {
            found.extend([&**condition, &**then]);
            found.extend(otherwise.as_deref());
        }
        ExprKind::Match(subject, arms) => {
            found.push(subject);
            for arm in arms {
                found.extend(&arm.guard);
                found.push(&arm.body);
            }
        }
    }
}

fn statements<'a>(stmts: &'a [Stmt], found: &mut Vec<&'a Expr>) {
    for stmt in stmts {
        match stmt {
            Stmt::Let(_, value) | Stmt::Assign(_, value) | Stmt::Expr(value) => found.push(value),
            Stmt::For(_, _, _, body) => statements(body, found),
        }
    }
}

/// Counts what stands in an expression; gives how many operations deep it is.
fn count(expr: &Expr, counts: &mut HashMap<String, usize>) -> usize {
    let mut parts = Vec::new();
    inside(expr, &mut parts);
    let deepest = parts.iter().map(|part| count(part, counts)).max().unwrap_or(0);
    let key = match &expr.kind {
        ExprKind::Unary(op, a) => format!("{op:?} {}", a.ty),
        ExprKind::Binary(op, a, _) => format!("{op:?} {}", a.ty),
        ExprKind::Cast(a) => format!("{} to {}", a.ty, expr.ty),
        ExprKind::Method {
            name: name @ ("from_bits" | "from_f32" | "from_f64"),
            ..
        } => format!("{name} {}", expr.ty),
        ExprKind::Method { name, args, .. } => format!("{name} {}", args[0].ty),
        ExprKind::Call(function, _) => {
            *counts.entry(format!("call {}", function.name)).or_default() += 1;
            return deepest;
        }
        ExprKind::Constant(name) => {
            *counts.entry(format!("const {name}")).or_default() += 1;
            return deepest;
        }
        ExprKind::Struct(..) => {
            *counts.entry(format!("struct {}", expr.ty)).or_default() += 1;
            return deepest;
        }
        _ => return deepest,
    };
    *counts.entry(key).or_default() += 1;
    deepest + 1
}

#[test]
fn every_operation_stands_often_enough_on_every_type() {
    let programs: Vec<_> = all().into_iter().filter(|program| !program.single).collect();
    assert!(programs.len() >= PROGRAMS);
    let mut counts = HashMap::new();
    for chunk in programs.chunks(100) {
        for function in programs_of(&understood(chunk)) {
            let deep = count(&function.body, &mut counts);
            assert!(deep >= DEPTH, "{} is {deep} deep", function.name);
        }
    }
    let mut few = Vec::new();
    for method in METHODS {
        for receiver in method.receivers.iter() {
            let key = format!("{} {receiver}", method.name);
            let found = counts.get(&key).copied().unwrap_or(0);
            if found < TIMES {
                few.push(format!("{key}: {found}"));
            }
        }
    }
    for (key, &found) in &counts {
        let of_module = OF_MODULE.iter().any(|item| item == key);
        if found < TIMES && !of_module {
            few.push(format!("{key}: {found}"));
        }
    }
    for key in OF_MODULE {
        let found = counts.get(*key).copied().unwrap_or(0);
        if found < TIMES_OF_MODULE {
            few.push(format!("{key}: {found}"));
        }
    }
    assert!(few.is_empty(), "{few:?}");
    assert!(counts.len() > 700, "{} operations on types", counts.len());
}
