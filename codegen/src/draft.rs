//! Expressions while their types are being found: what `body` builds from syntax and `settle` turns into [`crate::ir`].

use std::rc::Rc;

use proc_macro2::{Ident, Span};

use crate::infer::Type;
use crate::ir::{Binary, Function, Unary};
use crate::methods::Method;
use crate::value::Value;

/// An expression with a type that may still be a variable.
#[derive(Clone, Debug)]
pub struct Draft {
    pub kind: Kind,
    pub ty: Type,
    pub span: Span,
}

/// A literal before its type is known.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `-12`: sign and magnitude.
    Integer(bool, u128),
    /// The text of a float without underscores and suffix, with its sign.
    Float(String),
    /// Known already: `true`, `f32::INFINITY`, `b'a'`.
    Value(Value),
    /// `inf` or `-inf` of an argument.
    Infinity(bool),
    /// `nan` of an argument.
    Nan,
    /// `MIN` of an argument.
    Min,
    /// `MAX` of an argument.
    Max,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum Kind {
    Literal(Literal),
    /// A variable by its number.
    Local(usize, Ident),
    Constant(Ident),
    Unary(Unary, Box<Draft>),
    Binary(Binary, Box<Draft>, Box<Draft>),
    Cast(Box<Draft>),
    Call(Rc<Function>, Vec<Draft>),
    Method(&'static Method, Ident, Vec<Draft>),
    Field(Box<Draft>, usize, Option<Ident>),
    Tuple(Vec<Draft>),
    Struct(Ident, Vec<(Ident, Draft)>),
    Block(Vec<Stmt>, Option<Box<Draft>>),
    If(Box<Draft>, Box<Draft>, Option<Box<Draft>>),
    Match(Box<Draft>, Vec<Arm>),
    /// Something wrong that was reported.
    Wrong,
}

/// One arm of a `match`.
#[derive(Clone, Debug)]
pub struct Arm {
    pub pattern: Pattern,
    pub guard: Option<Draft>,
    pub body: Draft,
}

/// A pattern.
#[derive(Clone, Debug)]
pub enum Pattern {
    Wild,
    Bind(usize, Ident),
    Literal(Literal, Type, Span),
    /// `a..=b` or, where the flag is set, `a..b`.
    Range(Literal, Literal, bool, Type, Span),
    Or(Vec<Pattern>),
    Tuple(Vec<Pattern>),
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    Let(Pattern, Draft),
    Assign(usize, Ident, Vec<(usize, Option<Ident>)>, Draft),
    /// Variable, first bound, second bound, whether the second belongs to the range.
    For(usize, Ident, Box<(Draft, Draft)>, bool, Vec<Stmt>),
    Expr(Draft),
}

/// A variable of the function.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Ident,
    pub ty: Type,
    /// Declared with `mut`.
    pub declared_mut: bool,
    /// Assigned after its declaration.
    pub assigned: bool,
}
