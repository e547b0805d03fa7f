//! The interpreter: typed expressions over [`Value`]s, with Rust's release meaning and the stated values where Rust
//! would panic (`x / 0` is 0, `x % 0` is x, `MIN / -1` wraps).

use std::cell::Cell;

use crate::eval_method::method;
use crate::eval_ops::{binary, cast, unary};
use crate::ir::{Binary, Expr, ExprKind, Function, Local, Module, Pattern, Place, Stmt};
use crate::literal;
use crate::value::Value;

/// The value of an expression without variables of the outside; `None` where it has some.
pub fn constant(expr: &Expr, module: &Module) -> Option<Value> {
    evaluate(expr, module, &Fuel::of_one_call())
}

fn evaluate(expr: &Expr, module: &Module, fuel: &Fuel) -> Option<Value> {
    let mut frame = Frame {
        module,
        locals: Vec::new(),
        fuel,
    };
    frame.expr(expr)
}

/// The result of a function for these arguments; `None` if it takes longer than a build should wait for, or if their
/// number or types are not the function's.
pub fn call(function: &Function, args: &[Value], module: &Module) -> Option<Value> {
    call_within(function, args, module, &Fuel::of_one_call())
}

/// As [`call`], for one of several that share what they may take.
pub fn call_within(function: &Function, args: &[Value], module: &Module, fuel: &Fuel) -> Option<Value> {
    let mut frame = Frame {
        module,
        locals: Vec::new(),
        fuel,
    };
    for (local, value) in function.params.iter().zip(args) {
        frame.set(local, value.clone());
    }
    frame.expr(&function.body)
}

/// How many expressions may still be evaluated.
#[derive(Debug)]
pub struct Fuel(Cell<u32>);

impl Fuel {
    /// For so many expressions.
    pub const fn new(expressions: u32) -> Self {
        Self(Cell::new(expressions))
    }

    /// Enough for a constant or for any operator, and some milliseconds at most.
    const fn of_one_call() -> Self {
        Self::new(20_000)
    }

    /// Takes one; `None` where there is none left.
    fn burn(&self) -> Option<()> {
        self.0.set(self.0.get().checked_sub(1)?);
        Some(())
    }
}

/// One call in progress.
struct Frame<'a> {
    module: &'a Module,
    /// Values by the variables' numbers.
    locals: Vec<Option<Value>>,
    /// Expressions that may still be evaluated.
    fuel: &'a Fuel,
}

impl Frame<'_> {
    fn set(&mut self, local: &Local, value: Value) {
        if self.locals.len() <= local.id {
            self.locals.resize(local.id + 1, None);
        }
        self.locals[local.id] = Some(value);
    }

    fn list<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) -> Option<Vec<Value>> {
        exprs.into_iter().map(|e| self.expr(e)).collect()
    }

    fn expr(&mut self, expr: &Expr) -> Option<Value> {
        self.fuel.burn()?;
        match &expr.kind {
            ExprKind::Literal(value) => Some(value.clone()),
            ExprKind::Local(local) => self.locals.get(local.id)?.clone(),
            ExprKind::Constant(name) => {
                let constant = self.module.constants.iter().find(|c| c.name == *name)?;
                evaluate(&constant.value, self.module, self.fuel)
            }
            ExprKind::Unary(op, a) => unary(*op, &self.expr(a)?),
            ExprKind::Binary(op @ (Binary::And | Binary::Or), a, b) => {
                let left = self.expr(a)? == Value::Bool(true);
                if left == (*op == Binary::Or) {
                    Some(Value::Bool(left))
                } else {
                    self.expr(b)
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                binary(*op, &a, &b)
            }
            ExprKind::Cast(a) => cast(&self.expr(a)?, expr.ty.scalar()?),
            ExprKind::Call(function, args) => {
                let args = self.list(args)?;
                call_within(function, &args, self.module, self.fuel)
            }
            ExprKind::Method { name, args, .. } => {
                let args = self.list(args)?;
                method(name, &args, expr.ty.scalar()?)
            }
            ExprKind::Field(base, position, _) => match self.place(expr) {
                Some(value) => Some(value.clone()),
                None => field(&self.expr(base)?, *position),
            },
            ExprKind::Tuple(fields) => self.list(fields).map(Value::Tuple),
            ExprKind::Struct(name, fields) => {
                let values = self.list(fields.iter().map(|(_, value)| value))?;
                Some(Value::Struct(name.to_string(), values))
            }
            ExprKind::Block(stmts, value) => {
                self.stmts(stmts)?;
                value
                    .as_ref()
                    .map_or_else(|| Some(Value::Tuple(Vec::new())), |v| self.expr(v))
            }
            ExprKind::If(cond, then, other) => {
                if self.expr(cond)? == Value::Bool(true) {
                    return self.expr(then);
                }
                other
                    .as_ref()
                    .map_or_else(|| Some(Value::Tuple(Vec::new())), |other| self.expr(other))
            }
            ExprKind::Match(value, arms) => {
                let value = self.expr(value)?;
                for arm in arms {
                    let taken = self.matches(&arm.pattern, &value)?;
                    if taken
                        && arm
                            .guard
                            .as_ref()
                            .map_or(Some(Value::Bool(true)), |g| self.expr(g))?
                            == Value::Bool(true)
                    {
                        return self.expr(&arm.body);
                    }
                }
                None
            }
        }
    }

    /// A variable or a field of one, without a copy of the whole.
    fn place(&self, expr: &Expr) -> Option<&Value> {
        match &expr.kind {
            ExprKind::Local(local) => self.locals.get(local.id)?.as_ref(),
            ExprKind::Field(base, position, _) => match self.place(base)? {
                Value::Tuple(fields) | Value::Struct(_, fields) => fields.get(*position),
                _ => None,
            },
            _ => None,
        }
    }

    fn matches(&mut self, pattern: &Pattern, value: &Value) -> Option<bool> {
        Some(match pattern {
            Pattern::Wild => true,
            Pattern::Bind(local) => {
                self.set(local, value.clone());
                true
            }
            Pattern::Literal(literal) => literal == value,
            Pattern::Range(from, to) => {
                let (from, to, value) = (
                    literal::integer(from)?,
                    literal::integer(to)?,
                    literal::integer(value)?,
                );
                (from..=to).contains(&value)
            }
            Pattern::Or(cases) => {
                for case in cases {
                    if self.matches(case, value)? {
                        return Some(true);
                    }
                }
                false
            }
            Pattern::Tuple(fields) => {
                for (i, pattern) in fields.iter().enumerate() {
                    if !self.matches(pattern, &field(value, i)?)? {
                        return Some(false);
                    }
                }
                true
            }
        })
    }

    fn stmts(&mut self, stmts: &[Stmt]) -> Option<()> {
        for stmt in stmts {
            match stmt {
                Stmt::Let(pattern, value) => {
                    let value = self.expr(value)?;
                    self.matches(pattern, &value)?;
                }
                Stmt::Assign(place, value) => {
                    let value = self.expr(value)?;
                    self.assign(place, value)?;
                }
                Stmt::For(local, from, to, body) => {
                    let scalar = local.ty.scalar()?;
                    for i in literal::integer(from)?..literal::integer(to)? {
                        self.fuel.burn()?;
                        self.set(local, literal::from_integer(i, scalar)?);
                        self.stmts(body)?;
                    }
                }
                Stmt::Expr(expr) => {
                    self.expr(expr)?;
                }
            }
        }
        Some(())
    }

    fn assign(&mut self, place: &Place, value: Value) -> Option<()> {
        let mut target = self.locals.get_mut(place.local.id)?.as_mut()?;
        for (position, _) in &place.path {
            target = match target {
                Value::Tuple(fields) | Value::Struct(_, fields) => fields.get_mut(*position)?,
                _ => return None,
            };
        }
        *target = value;
        Some(())
    }
}

fn field(value: &Value, position: usize) -> Option<Value> {
    match value {
        Value::Tuple(fields) | Value::Struct(_, fields) => fields.get(position).cloned(),
        _ => None,
    }
}
