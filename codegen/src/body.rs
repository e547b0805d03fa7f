//! From the syntax of one function or closure to a typed [`Function`].
//!
//! [`function`] is the whole of it: declare the parameters, walk the body (`body_expr`, `body_ops`, `body_path`,
//! `body_stmt`), unify its type with the result's, and settle every type.

use std::borrow::Cow;
use std::rc::Rc;

use proc_macro2::{Ident, Span};
use quote::ToTokens;

use crate::draft::{self, Draft, Kind, Variable};
use crate::errors::Errors;
use crate::expected::Expected;
use crate::infer::{Type, Types};
use crate::ir::{Function, Local, Scalar, Ty};
use crate::scope::Scope;
use crate::settle;

/// A name of the annotated function's parameters that a closure can see.
#[derive(Clone, Debug)]
pub struct Outer {
    /// The parameter's name.
    pub name: Ident,
    /// Its type.
    pub ty: Ty,
    /// Why this closure may not use it, if it may not.
    pub refused: Option<String>,
}

/// What is to be understood.
#[derive(Debug)]
pub struct Source<'a> {
    /// The name the function gets.
    pub name: Ident,
    /// Parameters: the pattern and the type.
    pub params: Vec<(syn::Pat, Ty)>,
    /// Names it may capture.
    pub outer: Vec<Outer>,
    /// The type it must have; `None`: whatever the body has.
    pub ret: Option<Ty>,
    /// The body.
    pub body: Syntax<'a>,
    /// A constant of an attribute: `inf`, `nan`, `MIN` and `MAX` are numbers, and literals take any numeric type.
    pub constant: Option<Expected>,
}

/// A body as it was written.
#[derive(Clone, Copy, Debug)]
pub enum Syntax<'a> {
    /// `fn f() { … }`.
    Block(&'a syn::Block),
    /// `|| …`.
    Expr(&'a syn::Expr),
}

/// A check that waits until types are known.
#[derive(Clone, Debug)]
pub(crate) enum Claim {
    /// An operator takes these types.
    Operand(&'static str, Accepts, Type, Span),
    /// `from as to`.
    Cast(Type, Type, Span),
}

/// Which types an operator takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Accepts {
    /// Integers and floats.
    Numbers,
    /// Signed integers and floats.
    Signed,
    /// Integers and `bool`.
    Bits,
    /// Integers.
    Integers,
    /// Any scalar.
    Scalars,
}

impl Accepts {
    pub(crate) fn contains(self, scalar: Scalar) -> bool {
        match self {
            Accepts::Numbers => scalar.is_int() || scalar.is_float(),
            Accepts::Signed => scalar.is_signed_int() || scalar.is_float(),
            Accepts::Bits => scalar.is_int() || scalar == Scalar::Bool,
            Accepts::Integers => scalar.is_int(),
            Accepts::Scalars => true,
        }
    }

    pub(crate) const fn words(self) -> &'static str {
        match self {
            Accepts::Numbers => "integers and floats",
            Accepts::Signed => "signed integers and floats",
            Accepts::Bits => "integers and bool",
            Accepts::Integers => "integers",
            Accepts::Scalars => "scalars",
        }
    }
}

/// The walk over one body.
pub(crate) struct Body<'a> {
    /// What the module offers, and what is wrong with the items inside the body.
    pub scope: Cow<'a, Scope>,
    pub errors: &'a mut Errors,
    pub types: Types,
    pub vars: Vec<Variable>,
    /// Names in sight and their variables, the innermost last.
    pub names: Vec<(String, usize)>,
    pub outer: &'a [Outer],
    /// Variables of captured names, by position in `outer`.
    pub captured: Vec<(usize, usize)>,
    pub claims: Vec<Claim>,
    pub argument: bool,
}

/// Understands one function. Gives it with the positions in `outer` of the names it captured, in the order of its
/// further parameters; `None` where something was wrong and reported.
pub fn function(
    source: &Source<'_>,
    scope: &Scope,
    errors: &mut Errors,
) -> Option<(Rc<Function>, Vec<usize>)> {
    let before = errors.len();
    let mut body = Body {
        scope: Cow::Borrowed(scope),
        errors,
        types: Types::default(),
        vars: Vec::new(),
        names: Vec::new(),
        outer: &source.outer,
        captured: Vec::new(),
        claims: Vec::new(),
        argument: source.constant.is_some(),
    };
    let mut opening = Vec::new();
    let params: Vec<usize> = source
        .params
        .iter()
        .map(|(pat, ty)| body.param(pat, ty, &mut opening))
        .collect();
    let mut value = match source.body {
        Syntax::Block(block) => body.block(block),
        Syntax::Expr(expr) => body.expr(expr),
    };
    if !opening.is_empty() {
        let (ty, span) = (value.ty.clone(), value.span);
        value = Draft {
            kind: Kind::Block(opening, Some(Box::new(value))),
            ty,
            span,
        };
    }
    let ret = source.ret.as_ref().map_or_else(|| value.ty.clone(), Type::from);
    body.result(source, &value, &ret);
    let captured = body.captured.clone();
    let Body {
        types,
        vars,
        claims,
        errors,
        ..
    } = body;
    settle::claims(&claims, &types, errors);
    let mut settle = settle::Settle {
        types: &types,
        vars: &vars,
        module: &scope.module,
        errors,
    };
    let expr = settle.expr(&value);
    let local = |var: usize, settle: &settle::Settle<'_>| settle.local(var, &vars[var].name);
    let locals: Option<Vec<Local>> = params
        .iter()
        .copied()
        .chain(captured.iter().map(|&(var, _)| var))
        .map(|var| local(var, &settle))
        .collect();
    let (ret, expr, params) = (types.settle(&ret), expr, locals?);
    if errors.len() > before {
        return None;
    }
    let function = Function {
        name: source.name.clone(),
        params,
        ret: ret?,
        body: expr?,
    };
    Some((
        Rc::new(function),
        captured.into_iter().map(|(_, outer)| outer).collect(),
    ))
}

impl Body<'_> {
    /// Declares a parameter. A tuple pattern becomes a parameter of our own that a `let` takes apart.
    fn param(&mut self, pat: &syn::Pat, ty: &Ty, opening: &mut Vec<draft::Stmt>) -> usize {
        let ty = Type::from(ty);
        match pat {
            syn::Pat::Ident(ident) if ident.subpat.is_none() && ident.by_ref.is_none() => {
                self.declare(&ident.ident, ty, ident.mutability.is_some())
            }
            syn::Pat::Type(typed) => {
                let written = self.scope.ty(&typed.ty, self.errors);
                self.expect_type(&ty, &written, &typed.ty, "the state");
                let Some(ty) = self.types.settle(&ty) else {
                    return self.declare_unnamed(Type::Wrong);
                };
                self.param(&typed.pat, &ty, opening)
            }
            _ => {
                let var = self.declare_unnamed(ty.clone());
                let pattern = self.binding(pat, &ty);
                let name = self.vars[var].name.clone();
                let value = Draft {
                    kind: Kind::Local(var, name),
                    ty,
                    span: Span::call_site(),
                };
                opening.push(draft::Stmt::Let(pattern, value));
                var
            }
        }
    }

    /// A new variable in sight from here on.
    pub fn declare(&mut self, name: &Ident, ty: Type, declared_mut: bool) -> usize {
        self.vars.push(Variable {
            name: name.clone(),
            ty,
            declared_mut,
            assigned: false,
        });
        self.names.push((name.to_string(), self.vars.len() - 1));
        self.vars.len() - 1
    }

    fn declare_unnamed(&mut self, ty: Type) -> usize {
        let name = Ident::new(&format!("wf_{}", self.vars.len()), Span::mixed_site());
        self.vars.push(Variable {
            name,
            ty,
            declared_mut: false,
            assigned: false,
        });
        self.vars.len() - 1
    }

    /// The variable of a name: the body's own, or one captured from the annotated function.
    pub fn lookup(&mut self, ident: &Ident) -> Option<usize> {
        let name = ident.to_string();
        if let Some((_, var)) = self.names.iter().rev().find(|(n, _)| *n == name) {
            return Some(*var);
        }
        let outer = self.outer.iter().position(|o| o.name == name)?;
        if let Some((var, _)) = self.captured.iter().find(|(_, o)| *o == outer) {
            return Some(*var);
        }
        let Outer { name, ty, refused } = &self.outer[outer];
        if let Some(why) = refused {
            self.errors.at("capture", ident, why);
        }
        self.vars.push(Variable {
            name: name.clone(),
            ty: Type::from(ty),
            declared_mut: false,
            assigned: false,
        });
        self.captured.push((self.vars.len() - 1, outer));
        Some(self.vars.len() - 1)
    }

    /// Rule: two types that must agree do. Reported at `at`.
    pub fn expect_type(&mut self, wanted: &Type, found: &Type, at: impl ToTokens, what: &str) -> bool {
        let shown = (self.types.show(wanted), self.types.show(found));
        let agree = self.agree(wanted, found);
        if !agree {
            let (wanted, found) = shown;
            let help = conversion(&wanted, &found);
            self.errors.at(
                "mismatch",
                at,
                format!("{what} must be {wanted}, but this is {found}{help}"),
            );
        }
        agree
    }

    /// [`Types::unify`]; where the two cannot be one, literals among them are no longer asked what they are.
    fn agree(&mut self, wanted: &Type, found: &Type) -> bool {
        let agree = self.types.unify(wanted, found);
        if !agree {
            self.types.spoil(wanted);
            self.types.spoil(found);
        }
        agree
    }

    /// Rule: the body has the type of the result.
    fn result(&mut self, source: &Source<'_>, value: &Draft, ret: &Type) {
        match (&source.body, &source.constant) {
            (Syntax::Expr(expr), Some(expected)) => {
                let found = self.types.show(&value.ty);
                if !self.agree(ret, &value.ty) {
                    let Expected { must, help } = expected;
                    self.errors.at(
                        "mismatch",
                        expr,
                        format!("{must}, but this is {found}\nhelp: {help}"),
                    );
                }
            }
            (Syntax::Expr(expr), None) => {
                self.expect_type(ret, &value.ty, tail(expr), "the result");
            }
            (Syntax::Block(block), _) => match block.stmts.last() {
                Some(syn::Stmt::Expr(expr, None)) => {
                    self.expect_type(ret, &value.ty, tail(expr), "the result");
                }
                last => self.ends_with_value(block, last, value, ret),
            },
        }
    }

    /// Rule: a body whose result is used ends with it.
    fn ends_with_value(&mut self, block: &syn::Block, last: Option<&syn::Stmt>, value: &Draft, ret: &Type) {
        let shown = self.types.show(ret);
        if self.agree(ret, &value.ty) {
            return;
        }
        let message = format!(
            "the body ends without its result, which must be {shown}\nhelp: write the value last, without a `;`"
        );
        match last {
            Some(last) => self.errors.at("mismatch", last, message),
            None => self.errors.at("mismatch", block, message),
        }
    }
}

/// The expression that a block ends with, so that what is wrong with its type stands at the value itself.
pub(crate) fn tail(expr: &syn::Expr) -> &syn::Expr {
    match expr {
        syn::Expr::Block(block) if block.label.is_none() => match block.block.stmts.last() {
            Some(syn::Stmt::Expr(last, None)) => tail(last),
            _ => expr,
        },
        syn::Expr::Paren(inner) => tail(&inner.expr),
        _ => expr,
    }
}

/// A help line where a cast would do.
fn conversion(wanted: &str, found: &str) -> String {
    let primitive = |name: &str| Scalar::from_name(name).is_some_and(|s| !s.is_half() && s != Scalar::Bool);
    let number = |name: &str| primitive(name) || matches!(name, "an integer" | "a float" | "f16" | "bf16");
    match (wanted, found) {
        ("f32" | "f64" | "a float", "an integer") => {
            "\nhelp: write the literal with a point, as in `1.0`".to_owned()
        }
        ("f32", "f16" | "bf16") => "\nhelp: convert with `.to_f32()`".to_owned(),
        ("f64", "f16" | "bf16") => "\nhelp: convert with `.to_f64()`".to_owned(),
        ("f16" | "bf16", "f32" | "a float") => format!("\nhelp: convert with `{wanted}::from_f32(…)`"),
        ("an integer", "a float") => "\nhelp: write the literal without the point".to_owned(),
        (_, "a float") if primitive(wanted) => {
            "\nhelp: write the literal without the point, or convert the other value, as in `x as f32`"
                .to_owned()
        }
        _ if primitive(wanted) && primitive(found) => format!("\nhelp: convert with `as {wanted}`"),
        ("bool", _) if number(found) => "\nhelp: compare it, as in `x != y`".to_owned(),
        (_, "bool") if number(wanted) => {
            "\nhelp: choose a number for each, as in `if … { a } else { b }`".to_owned()
        }
        _ => String::new(),
    }
}
