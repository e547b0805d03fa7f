//! Facts about bodies that the laws need: the literals in them and how much there is to interpret.

use crate::ir::{Expr, ExprKind, Function, Stmt};
use crate::value::Value;

/// The scalar literals in some functions and in those they call.
pub fn literals(functions: &[&Function]) -> Vec<Value> {
    let mut found = Vec::new();
    for function in functions {
        visit(&function.body, &mut |expr| {
            if let ExprKind::Literal(value) = &expr.kind
                && !found.contains(value)
            {
                found.push(value.clone());
            }
        });
    }
    found
}

/// How many expressions a call of the function interprets, at most; loops count with their turns.
pub fn size(function: &Function) -> usize {
    let mut count = 0;
    visit(&function.body, &mut |_| count += 1);
    count
}

/// Calls `see` on every expression, in called functions and in every turn of a loop too.
fn visit(expr: &Expr, see: &mut impl FnMut(&Expr)) {
    see(expr);
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Local(_) | ExprKind::Constant(_) => {}
        ExprKind::Unary(_, a) | ExprKind::Cast(a) | ExprKind::Field(a, ..) => visit(a, see),
        ExprKind::Binary(_, a, b) => {
            visit(a, see);
            visit(b, see);
        }
        ExprKind::Call(function, args) => {
            args.iter().for_each(|a| visit(a, see));
            visit(&function.body, see);
        }
        ExprKind::Method { args, .. } | ExprKind::Tuple(args) => args.iter().for_each(|a| visit(a, see)),
        ExprKind::Struct(_, fields) => fields.iter().for_each(|(_, a)| visit(a, see)),
        ExprKind::Block(stmts, value) => {
            statements(stmts, see);
            value.iter().for_each(|v| visit(v, see));
        }
        ExprKind::If(cond, then, other) => {
            visit(cond, see);
            visit(then, see);
            other.iter().for_each(|o| visit(o, see));
        }
        ExprKind::Match(value, arms) => {
            visit(value, see);
            for arm in arms {
                arm.guard.iter().for_each(|g| visit(g, see));
                visit(&arm.body, see);
            }
        }
    }
}

fn statements(stmts: &[Stmt], see: &mut impl FnMut(&Expr)) {
    for stmt in stmts {
        match stmt {
            Stmt::Let(_, value) | Stmt::Assign(_, value) | Stmt::Expr(value) => visit(value, see),
            Stmt::For(_, from, to, body) => {
                let turns = crate::literal::integer(to)
                    .zip(crate::literal::integer(from))
                    .map_or(0, |(to, from)| to - from);
                // Enough turns to weigh the loop; no need to walk a million of them.
                for _ in 0..turns.clamp(0, 64) {
                    statements(body, see);
                }
            }
        }
    }
}
