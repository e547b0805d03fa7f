//! Bodies: functions of the language as C++ functions.
//!
//! An expression stays an expression where C++ has one for it. Where Rust allows a statement inside (`let` in a block,
//! `match`, an `if` whose branches do more than give a value) it is written in front, into a variable of its own;
//! operands that were to be evaluated before it are then fixed in variables too, so that nothing changes its turn.

use std::collections::{HashMap, HashSet};

use super::names::Names;
use super::shared::Divisors;
use super::text::Text;
use super::types::Types;
use crate::ir::{Expr, ExprKind, Function, Local, Stmt, Ty};

/// What functions may refer to beside their own variables.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// Structs.
    pub(super) types: Types,
    /// Functions of `wf_spec`, by their names in Rust.
    pub(super) functions: HashMap<String, String>,
    /// Constants of `wf_spec`, by their names in Rust.
    pub(super) constants: HashMap<String, String>,
    /// The types of the fields of structs.
    pub(super) fields: HashMap<String, Vec<Ty>>,
}

impl Scope {
    /// The type of a field of a tuple or a struct.
    pub(super) fn field(&self, ty: &Ty, index: usize) -> Ty {
        match ty {
            Ty::Tuple(fields) => fields[index].clone(),
            Ty::Struct(name) => self.fields[name][index].clone(),
            Ty::Scalar(_) => unreachable!("scalars have no fields"),
        }
    }
}

/// How tightly the outermost operator of an expression binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binds {
    Ternary,
    Or,
    And,
    Bits,
    Equality,
    Relation,
    Sum,
    Product,
    Unary,
    Primary,
}

/// An expression of C++.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) text: String,
    pub(super) binds: Binds,
}

impl Code {
    pub(super) fn primary(text: impl Into<String>) -> Self {
        Code {
            text: text.into(),
            binds: Binds::Primary,
        }
    }

    /// The text, in parentheses unless it binds at least as tightly as asked.
    pub(super) fn at_least(&self, binds: Binds) -> String {
        if self.binds >= binds {
            self.text.clone()
        } else {
            format!("({})", self.text)
        }
    }
}

/// Where the value of an expression goes.
#[derive(Clone, Debug)]
pub(super) enum Target {
    /// It is what the function returns.
    Return,
    /// Into a variable that is declared here.
    Declare {
        name: String,
        constant: bool,
        used: bool,
    },
    /// Into a place that exists.
    Assign(String),
    /// Nowhere: the expression is a statement.
    Drop,
}

/// The writer of one function's body.
pub(super) struct Body<'a> {
    pub(super) scope: &'a Scope,
    pub(super) out: &'a mut Text,
    names: Names,
    /// What stands for each variable: its name, or for a variable bound by a `match` the part it is.
    locals: HashMap<usize, Code>,
    read: HashSet<usize>,
    /// The parameter that divides by these divisors.
    divide: Option<(String, &'a Divisors)>,
}

/// Writes a function into `wf_spec`.
pub(super) fn function(out: &mut Text, scope: &Scope, name: &str, function: &Function) {
    dividing(out, scope, name, function, &Divisors::default());
}

/// The same, of a function that takes what divides by `divisors` as its first parameter, where there are any.
pub(super) fn dividing(out: &mut Text, scope: &Scope, name: &str, function: &Function, divisors: &Divisors) {
    let mut names = Names::default();
    let mut locals = HashMap::new();
    let divide = (!divisors.is_empty()).then(|| (names.fresh("divide"), divisors));
    let taken = divide.iter().map(|(divide, _)| format!("const Divide& {divide}"));
    let own = function.params.iter().map(|param| {
        let name = names.fresh(&param.name.to_string());
        locals.insert(param.id, Code::primary(name.clone()));
        let ty = if param.mutable {
            scope.types.ty(&param.ty)
        } else {
            scope.types.read(&param.ty)
        };
        format!("{ty} {name}")
    });
    let params: Vec<String> = taken.chain(own).collect();
    let head = format!(
        "WF_FN {} {name}({})",
        scope.types.ty(&function.ret),
        params.join(", ")
    );
    let read = variables_read(&function.body);
    if divide.is_some() {
        out.line("template <class Divide>");
    }
    out.open(head);
    Body {
        scope,
        out: &mut *out,
        names,
        locals,
        read,
        divide,
    }
    .store(&function.body, &Target::Return);
    out.close("}");
}

impl Body<'_> {
    /// Makes a variable known and gives its name.
    pub(super) fn declare(&mut self, local: &Local) -> String {
        let name = self.names.fresh(&local.name.to_string());
        self.locals.insert(local.id, Code::primary(name.clone()));
        name
    }

    /// Lets an expression stand for a variable that is never assigned.
    pub(super) fn alias(&mut self, local: &Local, code: Code) {
        self.locals.insert(local.id, code);
    }

    /// What divides by this, where it is not `/`.
    pub(super) fn divides_by(&self, divisor: &Expr) -> Option<&str> {
        let (divide, divisors) = self.divide.as_ref()?;
        divisors.contains(divisor).then_some(divide)
    }

    /// What stands for a variable.
    pub(super) fn local(&self, local: &Local) -> Code {
        self.locals
            .get(&local.id)
            .cloned()
            .expect("variables are declared before they are used")
    }

    /// A name for a value of the writer's own.
    pub(super) fn temporary(&mut self, hint: &str) -> String {
        self.names.fresh(hint)
    }

    /// Whether anything reads the variable: the compiler warns about those that nothing reads.
    pub(super) fn is_read(&self, local: &Local) -> bool {
        self.read.contains(&local.id)
    }

    /// Writes an expression so that its value ends in `target`.
    pub(super) fn store(&mut self, expr: &Expr, target: &Target) {
        match &expr.kind {
            ExprKind::Block(stmts, value) => {
                for stmt in stmts {
                    self.statement(stmt);
                }
                if let Some(value) = value {
                    self.store(value, target);
                }
            }
            ExprKind::If(condition, then, otherwise) if needs_statements(expr) => {
                let target = self.declared(target, &expr.ty);
                let condition = self.value(condition).text;
                self.out.open(format!("if ({condition})"));
                self.store(then, &target);
                if let Some(otherwise) = otherwise {
                    let branch = self.out.begin_else();
                    self.store(otherwise, &target);
                    self.out.end_else(branch);
                } else {
                    self.out.close("}");
                }
            }
            ExprKind::Match(subject, arms) => {
                let target = self.declared(target, &expr.ty);
                self.matching(subject, arms, &target);
            }
            _ => {
                let value = self.value(expr).text;
                self.deliver(&value, &expr.ty, target);
            }
        }
    }

    /// A value in a variable of its own.
    pub(super) fn fixed(&mut self, expr: &Expr, hint: &str) -> Code {
        let name = self.temporary(hint);
        self.store(
            expr,
            &Target::Declare {
                name: name.clone(),
                constant: true,
                used: true,
            },
        );
        Code::primary(name)
    }

    /// Operands from left to right: one that a later one's statements would overtake is fixed first.
    pub(super) fn operands<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) -> Vec<Code> {
        let exprs: Vec<&Expr> = exprs.into_iter().collect();
        let last = exprs.iter().rposition(|expr| needs_statements(expr)).unwrap_or(0);
        let mut codes = Vec::with_capacity(exprs.len());
        for (i, expr) in exprs.into_iter().enumerate() {
            let steady = i >= last || matches!(expr.kind, ExprKind::Literal(_) | ExprKind::Constant(_));
            codes.push(if steady {
                self.value(expr)
            } else {
                self.fixed(expr, "operand")
            });
        }
        codes
    }

    /// For branches that all deliver to one place: a declared variable is declared in front of them.
    fn declared(&mut self, target: &Target, ty: &Ty) -> Target {
        match target {
            Target::Declare { name, used, .. } => {
                let unused = if *used { "" } else { "[[maybe_unused]] " };
                self.out
                    .line(format!("{unused}{} {name};", self.scope.types.ty(ty)));
                Target::Assign(name.clone())
            }
            other => other.clone(),
        }
    }

    /// Writes the line that puts a value where it goes.
    pub(super) fn deliver(&mut self, value: &str, ty: &Ty, target: &Target) {
        match target {
            Target::Return => self.out.line(format!("return {value};")),
            Target::Assign(place) => self.out.line(format!("{place} = {value};")),
            Target::Drop => {}
            Target::Declare { name, constant, used } => {
                let unused = if *used { "" } else { "[[maybe_unused]] " };
                let constant = if *constant { "const " } else { "" };
                self.out.line(format!(
                    "{unused}{constant}{} {name} = {value};",
                    self.scope.types.ty(ty)
                ));
            }
        }
    }
}

/// Whether an expression cannot be an expression of C++.
pub(super) fn needs_statements(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Match(..) => true,
        ExprKind::Block(stmts, value) => {
            !stmts.is_empty() || value.as_ref().is_none_or(|value| needs_statements(value))
        }
        ExprKind::If(condition, then, otherwise) => {
            let parts = [Some(condition), Some(then), otherwise.as_ref()];
            otherwise.is_none() || parts.into_iter().flatten().any(|part| needs_statements(part))
        }
        _ => children(expr).into_iter().any(needs_statements),
    }
}

/// The operands of an expression that is neither a block nor a branch.
fn children(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Unary(_, a) | ExprKind::Cast(a) | ExprKind::Field(a, ..) => vec![a],
        ExprKind::Binary(_, a, b) => vec![a, b],
        ExprKind::Call(_, args) | ExprKind::Method { args, .. } | ExprKind::Tuple(args) => {
            args.iter().collect()
        }
        ExprKind::Struct(_, fields) => fields.iter().map(|(_, value)| value).collect(),
        ExprKind::Literal(_)
        | ExprKind::Local(_)
        | ExprKind::Constant(_)
        | ExprKind::Block(..)
        | ExprKind::If(..)
        | ExprKind::Match(..) => Vec::new(),
    }
}

/// Calls `visit` on the expression and on everything inside it.
pub(super) fn walk<'e>(expr: &'e Expr, visit: &mut impl FnMut(&'e Expr)) {
    visit(expr);
    match &expr.kind {
        ExprKind::Block(stmts, value) => {
            walk_all(stmts, visit);
            if let Some(value) = value {
                walk(value, visit);
            }
        }
        ExprKind::If(condition, then, otherwise) => {
            walk(condition, visit);
            walk(then, visit);
            if let Some(otherwise) = otherwise {
                walk(otherwise, visit);
            }
        }
        ExprKind::Match(subject, arms) => {
            walk(subject, visit);
            for arm in arms {
                if let Some(guard) = &arm.guard {
                    walk(guard, visit);
                }
                walk(&arm.body, visit);
            }
        }
        _ => children(expr).into_iter().for_each(|child| walk(child, visit)),
    }
}

fn walk_all<'e>(stmts: &'e [Stmt], visit: &mut impl FnMut(&'e Expr)) {
    for stmt in stmts {
        match stmt {
            Stmt::Let(_, value) | Stmt::Assign(_, value) | Stmt::Expr(value) => walk(value, visit),
            Stmt::For(_, _, _, body) => walk_all(body, visit),
        }
    }
}

fn variables_read(body: &Expr) -> HashSet<usize> {
    let mut read = HashSet::new();
    walk(body, &mut |expr| {
        if let ExprKind::Local(local) = &expr.kind {
            read.insert(local.id);
        }
    });
    read
}
