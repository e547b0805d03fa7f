//! Facts about bodies that the laws need: the literals in them and how much there is to interpret.

use crate::ir::{Expr, ExprKind, Function, Stmt};
use crate::literal;
use crate::value::Value;

/// The scalar literals in some functions and in those they call.
pub fn literals(functions: &[&Function]) -> Vec<Value> {
    let mut found = Vec::new();
    for function in functions {
        let mut see = |expr: &Expr| {
            if let ExprKind::Literal(value) = &expr.kind
                && !found.contains(value)
            {
                found.push(value.clone());
            }
        };
        Walk {
            see: &mut see,
            left: MOST,
        }
        .expr(&function.body);
    }
    found
}

/// How many expressions a call of the function interprets, at most; loops count with their turns.
pub fn size(function: &Function) -> usize {
    let mut count = 0;
    let mut see = |_: &Expr| count += 1;
    Walk {
        see: &mut see,
        left: MOST,
    }
    .expr(&function.body);
    count
}

/// Expressions that are looked at: helpers that call helpers twice would double without end.
const MOST: usize = 4000;

/// A walk over every expression, into called functions and through every turn of a loop too.
struct Walk<'a> {
    see: &'a mut dyn FnMut(&Expr),
    left: usize,
}

impl Walk<'_> {
    fn all<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        (self.see)(expr);
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Local(_) | ExprKind::Constant(_) => {}
            ExprKind::Unary(_, a) | ExprKind::Cast(a) | ExprKind::Field(a, ..) => self.expr(a),
            ExprKind::Binary(_, a, b) => self.all([&**a, &**b]),
            ExprKind::Call(function, args) => {
                self.all(args);
                self.expr(&function.body);
            }
            ExprKind::Method { args, .. } | ExprKind::Tuple(args) => self.all(args),
            ExprKind::Struct(_, fields) => self.all(fields.iter().map(|(_, value)| value)),
            ExprKind::Block(stmts, value) => {
                self.stmts(stmts);
                self.all(value.as_deref());
            }
            ExprKind::If(cond, then, other) => {
                self.all([&**cond, &**then]);
                self.all(other.as_deref());
            }
            ExprKind::Match(value, arms) => {
                self.expr(value);
                for arm in arms {
                    self.all(arm.guard.as_ref());
                    self.expr(&arm.body);
                }
            }
        }
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            match stmt {
                Stmt::Let(_, value) | Stmt::Assign(_, value) | Stmt::Expr(value) => self.expr(value),
                Stmt::For(_, from, to, body) => {
                    let turns = literal::integer(to)
                        .zip(literal::integer(from))
                        .map_or(0, |(to, from)| to - from);
                    // Enough turns to weigh the loop; the interpreter gives up on a million of them anyway.
                    for _ in 0..turns.clamp(0, 16) {
                        self.stmts(body);
                    }
                }
            }
        }
    }
}
