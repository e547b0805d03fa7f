//! From drafts to [`crate::ir`]: every type is known from here on, literals have their values.

use proc_macro2::{Ident, Span};

use crate::body::{Accepts, Claim};
use crate::draft::{self, Draft, Kind, Literal, Variable};
use crate::errors::Errors;
use crate::eval;
use crate::infer::{Type, Types};
use crate::ir::{Arm, Expr, ExprKind, Local, Module, Pattern, Place, Scalar, Stmt, Ty};
use crate::literal;
use crate::value::Value;

/// Rule: operators and casts stand between types that have them.
pub(crate) fn claims(claims: &[Claim], types: &Types, errors: &mut Errors) {
    for claim in claims {
        match claim {
            Claim::Operand(text, accepts, ty, span) => {
                let Some(ty) = types.settle(ty) else { continue };
                if !ty.scalar().is_some_and(|s| accepts.contains(s)) {
                    let words = accepts.words();
                    errors.span(
                        "operand",
                        *span,
                        format!("`{text}` takes {words}, not {ty}{}", instead(*accepts, text, &ty)),
                    );
                }
            }
            Claim::Cast(from, to, span) => {
                let (Some(from), Some(to)) = (types.settle(from), types.settle(to)) else {
                    continue;
                };
                if let Some(message) = cast(&from, &to) {
                    errors.span("cast", *span, message);
                }
            }
        }
    }
}

fn instead(accepts: Accepts, text: &str, ty: &Ty) -> String {
    match (accepts, ty.scalar()) {
        (_, None) => "\nhelp: apply it to the fields".to_owned(),
        (Accepts::Signed, Some(Scalar::Bool)) => "\nhelp: convert with `as i32`".to_owned(),
        (_, Some(Scalar::Bool)) => "\nhelp: convert with `as u32`".to_owned(),
        (Accepts::Signed, Some(_)) if text == "-" => {
            "\nhelp: write `0 - x`, or use `wrapping_neg`".to_owned()
        }
        (Accepts::Bits | Accepts::Integers, Some(s)) if s.is_float() => "\nhelp: use `to_bits()`".to_owned(),
        _ => "\nhelp: convert with `as`".to_owned(),
    }
}

/// Why `from as to` is not a cast of Rust's, if it is not.
fn cast(from: &Ty, to: &Ty) -> Option<String> {
    let (Some(from), Some(to)) = (from.scalar(), to.scalar()) else {
        return Some(format!(
            "`as` converts scalars, not {from} to {to}\nhelp: convert the fields"
        ));
    };
    if from.is_half() && from != to {
        return Some(format!(
            "{from} does not convert with `as`\nhelp: write `.to_f32()`"
        ));
    }
    if to.is_half() && from != to {
        return Some(format!(
            "`as` does not make a {to}\nhelp: write `{to}::from_f32(…)`"
        ));
    }
    match (from, to) {
        (Scalar::Bool, _) if to.is_float() => Some(format!(
            "bool does not convert to {to} with `as`\nhelp: write `as u8 as {to}`"
        )),
        (_, Scalar::Bool) if from != Scalar::Bool => Some(format!(
            "{from} does not convert to bool with `as`\nhelp: write `!= {}`",
            if from.is_float() { "0.0" } else { "0" }
        )),
        _ => None,
    }
}

/// What settling needs to know.
pub(crate) struct Settle<'a> {
    pub types: &'a Types,
    pub vars: &'a [Variable],
    pub module: &'a Module,
    pub errors: &'a mut Errors,
}

impl Settle<'_> {
    pub fn local(&self, var: usize, name: &Ident) -> Option<Local> {
        let Variable { ty, assigned, .. } = &self.vars[var];
        Some(Local {
            id: var,
            name: name.clone(),
            ty: self.types.settle(ty)?,
            mutable: *assigned,
        })
    }

    fn boxed(&mut self, draft: &Draft) -> Option<Box<Expr>> {
        self.expr(draft).map(Box::new)
    }

    fn list(&mut self, drafts: &[Draft]) -> Option<Vec<Expr>> {
        // Not short-circuiting: every expression is settled, so that every error is met.
        let settled: Vec<Option<Expr>> = drafts.iter().map(|d| self.expr(d)).collect();
        settled.into_iter().collect()
    }

    /// The expression with its types; `None` where something was wrong and reported.
    pub fn expr(&mut self, draft: &Draft) -> Option<Expr> {
        let kind = self.kind(draft);
        let ty = self.types.settle(&draft.ty);
        Some(Expr {
            kind: kind?,
            ty: ty?,
            span: draft.span,
        })
    }

    fn kind(&mut self, draft: &Draft) -> Option<ExprKind> {
        Some(match &draft.kind {
            Kind::Wrong => return None,
            Kind::Literal(literal) => ExprKind::Literal(self.literal(literal, &draft.ty, draft.span)?),
            Kind::Local(var, name) => ExprKind::Local(self.local(*var, name)?),
            Kind::Constant(name) => ExprKind::Constant(name.clone()),
            Kind::Unary(op, a) => ExprKind::Unary(*op, self.boxed(a)?),
            Kind::Binary(op, a, b) => {
                let (a, b) = (self.boxed(a), self.boxed(b));
                ExprKind::Binary(*op, a?, b?)
            }
            Kind::Cast(a) => ExprKind::Cast(self.boxed(a)?),
            Kind::Call(function, args) => ExprKind::Call(function.clone(), self.list(args)?),
            Kind::Method(method, ident, args) => ExprKind::Method {
                name: method.name,
                ident: ident.clone(),
                args: self.list(args)?,
            },
            Kind::Field(a, position, name) => ExprKind::Field(self.boxed(a)?, *position, name.clone()),
            Kind::Tuple(fields) => ExprKind::Tuple(self.list(fields)?),
            Kind::Struct(name, fields) => {
                let values: Vec<Draft> = fields.iter().map(|(_, v)| v.clone()).collect();
                let values = self.list(&values)?;
                ExprKind::Struct(
                    name.clone(),
                    fields.iter().map(|(n, _)| n.clone()).zip(values).collect(),
                )
            }
            Kind::Block(stmts, value) => {
                let stmts = self.stmts(stmts);
                let value = value.as_ref().map(|v| self.boxed(v));
                ExprKind::Block(
                    stmts?,
                    match value {
                        None => None,
                        Some(value) => Some(value?),
                    },
                )
            }
            Kind::If(cond, then, other) => {
                let (cond, then) = (self.boxed(cond), self.boxed(then));
                let other = other.as_ref().map(|v| self.boxed(v));
                ExprKind::If(
                    cond?,
                    then?,
                    match other {
                        None => None,
                        Some(other) => Some(other?),
                    },
                )
            }
            Kind::Match(value, arms) => {
                let value = self.boxed(value);
                let arms: Vec<Option<Arm>> = arms.iter().map(|arm| self.arm(arm)).collect();
                ExprKind::Match(value?, arms.into_iter().collect::<Option<_>>()?)
            }
        })
    }

    fn arm(&mut self, arm: &draft::Arm) -> Option<Arm> {
        let pattern = self.pattern(&arm.pattern);
        let guard = arm.guard.as_ref().map(|g| self.expr(g));
        let body = self.expr(&arm.body);
        let guard = match guard {
            None => None,
            Some(guard) => Some(guard?),
        };
        Some(Arm {
            pattern: pattern?,
            guard,
            body: body?,
        })
    }

    fn pattern(&mut self, pattern: &draft::Pattern) -> Option<Pattern> {
        Some(match pattern {
            draft::Pattern::Wild => Pattern::Wild,
            draft::Pattern::Bind(var, name) => Pattern::Bind(self.local(*var, name)?),
            draft::Pattern::Literal(literal, ty, span) => Pattern::Literal(self.literal(literal, ty, *span)?),
            draft::Pattern::Range(from, to, open, ty, span) => {
                let (from, to) = (self.literal(from, ty, *span), self.literal(to, ty, *span));
                self.range(from?, to?, *open, *span)?
            }
            draft::Pattern::Or(cases) => {
                Pattern::Or(cases.iter().map(|p| self.pattern(p)).collect::<Option<_>>()?)
            }
            draft::Pattern::Tuple(fields) => {
                Pattern::Tuple(fields.iter().map(|p| self.pattern(p)).collect::<Option<_>>()?)
            }
        })
    }

    /// Rule: the range of a pattern is not empty.
    fn range(&mut self, from: Value, to: Value, open: bool, span: Span) -> Option<Pattern> {
        let to = if open { literal::step(&to, -1) } else { Some(to) };
        match to {
            Some(to) if literal::integer(&from) <= literal::integer(&to) => Some(Pattern::Range(from, to)),
            _ => {
                self.errors.span(
                    "pattern-range",
                    span,
                    "this range is empty\nhelp: write the lower end first",
                );
                None
            }
        }
    }

    fn stmts(&mut self, stmts: &[draft::Stmt]) -> Option<Vec<Stmt>> {
        let settled: Vec<Option<Stmt>> = stmts.iter().map(|s| self.stmt(s)).collect();
        settled.into_iter().collect()
    }

    fn stmt(&mut self, stmt: &draft::Stmt) -> Option<Stmt> {
        Some(match stmt {
            draft::Stmt::Let(pattern, value) => {
                let (pattern, value) = (self.pattern(pattern), self.expr(value));
                Stmt::Let(pattern?, value?)
            }
            draft::Stmt::Assign(var, name, path, value) => {
                let (local, value) = (self.local(*var, name), self.expr(value));
                Stmt::Assign(
                    Place {
                        local: local?,
                        path: path.clone(),
                    },
                    value?,
                )
            }
            draft::Stmt::For(var, name, bounds, closed, stmts) => {
                let (from, to) = (self.constant(&bounds.0), self.constant(&bounds.1));
                let stmts = self.stmts(stmts);
                let to = to.and_then(|to| {
                    if *closed {
                        self.past(&to, bounds.1.span)
                    } else {
                        Some(to)
                    }
                });
                Stmt::For(self.local(*var, name)?, from?, to?, stmts?)
            }
            draft::Stmt::Expr(expr) => Stmt::Expr(self.expr(expr)?),
        })
    }

    /// Rule: the bounds of a `for` are constant.
    fn constant(&mut self, draft: &Draft) -> Option<Value> {
        let expr = self.expr(draft)?;
        let value = eval::constant(&expr, self.module);
        if value.is_none() {
            self.errors.span(
                "for-constant",
                draft.span,
                "the bounds of a `for` are literals or constants of the module\nhelp: write `for i in 0..8`, with an `if` inside for what varies",
            );
        }
        value
    }

    fn past(&mut self, to: &Value, span: Span) -> Option<Value> {
        let past = literal::step(to, 1);
        if past.is_none() {
            self.errors.span(
                "for-constant",
                span,
                "this range ends at the last value of its type\nhelp: use a wider type",
            );
        }
        past
    }

    /// Rule: a literal fits its type.
    fn literal(&mut self, literal: &Literal, ty: &Type, span: Span) -> Option<Value> {
        let ty = self.types.settle(ty)?;
        let Some(scalar) = ty.scalar() else {
            self.errors.span(
                "literal-range",
                span,
                format!("this literal is not {ty}\nhelp: write a literal for each of its fields"),
            );
            return None;
        };
        literal::value(literal, scalar)
            .map_err(|message| self.errors.span("literal-range", span, message))
            .ok()
    }
}
