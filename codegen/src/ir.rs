//! The typed program of one spec: what the front end (parse, check, types) hands to the laws and to both writers.
//!
//! Every expression knows its type and the span of the user's tokens it came from. After the front end has
//! accepted a spec nothing in here can be wrong: the writers cannot fail.

use std::rc::Rc;

use proc_macro2::{Ident, Span};
use warpfold_lanes::{Mask, Width};

use crate::value::Value;

/// A scalar type that a lane can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are Rust's own")]
pub enum Scalar {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    Bf16,
    F32,
    F64,
}

/// A type of the language of bodies.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// A scalar of one of Rust's primitive types or of `half`'s.
    Scalar(Scalar),
    /// A tuple of one to four types; the empty tuple is the type of statements.
    Tuple(Vec<Ty>),
    /// A struct of the surrounding `#[warp_module]`, by name.
    Struct(String),
}

/// A struct of a `#[warp_module]`.
#[derive(Clone, Debug)]
pub struct Struct {
    /// Its name, with the user's span.
    pub name: Ident,
    /// Its fields in the order they are declared, which is the order in memory (`repr(C)`).
    pub fields: Vec<(Ident, Ty)>,
}

/// What every spec of a `#[warp_module]` sees. Empty for a spec outside a module.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Structs, each after the ones it contains.
    pub structs: Vec<Struct>,
    /// Constants with their values.
    pub constants: Vec<Constant>,
    /// Helper functions, each after the ones it calls.
    pub functions: Vec<Rc<Function>>,
}

/// A `const` item of a module.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its name, with the user's span.
    pub name: Ident,
    /// Its type.
    pub ty: Ty,
    /// The expression that defines it.
    pub value: Expr,
}

/// A function of the language: the map, an operator, `finish`, `apply`, `keep` or a helper.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name the writers give it; a helper's own name, or `map`, `combine`, `finish`, `apply`, `keep`.
    pub name: Ident,
    /// Parameters in order.
    pub params: Vec<Local>,
    /// The type of the result.
    pub ret: Ty,
    /// The body.
    pub body: Expr,
}

/// A variable: a parameter or a `let`. Ids are unique within one [`Function`].
#[derive(Clone, Debug)]
pub struct Local {
    /// Its number within the function: two variables of one name differ in it.
    pub id: usize,
    /// Its name, with the user's span.
    pub name: Ident,
    /// Its type.
    pub ty: Ty,
    /// Whether it is assigned after its declaration.
    pub mutable: bool,
}

/// An expression with its type and the user's span.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type, fully known.
    pub ty: Ty,
    /// Where the user wrote it.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A literal or an associated constant (`f32::INFINITY`, `u32::MAX`), with its value.
    Literal(Value),
    /// A variable.
    Local(Local),
    /// A constant of the module, by name.
    Constant(Ident),
    /// `-a` or `!a`.
    Unary(Unary, Box<Expr>),
    /// `a + b` and its like; both sides of one type except for shifts. `&&` and `||` do not evaluate the right side needlessly.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `a as T`; the target is the expression's type.
    Cast(Box<Expr>),
    /// A call of a helper function of the module.
    Call(Rc<Function>, Vec<Expr>),
    /// A numeric method of Rust's primitives: the receiver, then the arguments. `name` stands in the table of `methods.rs`.
    Method {
        /// Rust's name of the method.
        name: &'static str,
        /// The name with the user's span.
        ident: Ident,
        /// Receiver first.
        args: Vec<Expr>,
    },
    /// `a.0`, `a.field`: the position of the field, and the name with the user's span (`None` for a tuple's number).
    Field(Box<Expr>, usize, Option<Ident>),
    /// `(a, b)`.
    Tuple(Vec<Expr>),
    /// `Name { field: a, … }`: values in the order of the declaration.
    Struct(Ident, Vec<(Ident, Expr)>),
    /// `{ statements; value }`; without a value the type is the empty tuple.
    Block(Vec<Stmt>, Option<Box<Expr>>),
    /// `if c { a } else { b }`; both branches are blocks.
    If(Box<Expr>, Box<Expr>, Option<Box<Expr>>),
    /// `match` on an integer, a bool, or a tuple of them; the last arm is irrefutable.
    Match(Box<Expr>, Vec<Arm>),
}

/// One arm of a `match`.
#[derive(Clone, Debug)]
pub struct Arm {
    /// What it accepts.
    pub pattern: Pattern,
    /// `if` guard.
    pub guard: Option<Expr>,
    /// Its value.
    pub body: Expr,
}

/// A pattern of a `match` or of a `let`.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// `_`.
    Wild,
    /// `x`: binds the whole.
    Bind(Local),
    /// A literal, possibly negative.
    Literal(Value),
    /// `a..=b` (a half-open range is stored closed).
    Range(Value, Value),
    /// `p | q`; binds nothing.
    Or(Vec<Pattern>),
    /// `(p, q)`.
    Tuple(Vec<Pattern>),
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// `let p = e;` where the pattern always matches.
    Let(Pattern, Expr),
    /// `place = e`, also `place op= e` (then the value is the binary expression).
    Assign(Place, Expr),
    /// `for i in a..b { … }` with constant bounds, half-open; `i` has an integer type.
    For(Local, Value, Value, Vec<Stmt>),
    /// An expression of the empty type: `if` without a value, a block.
    Expr(Expr),
}

/// What can be assigned to: a variable, or a field of one, by positions from the outside in.
#[derive(Clone, Debug)]
pub struct Place {
    /// The variable.
    pub local: Local,
    /// Field positions, with the names of struct fields.
    pub path: Vec<(usize, Option<Ident>)>,
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// Wraps on integers.
    Neg,
    /// Bitwise on integers, logical on `bool`.
    Not,
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of std::ops and std::cmp")]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    And,
    Or,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// How a parameter of the annotated function is fed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// One element per (row, column).
    Plain,
    /// One element per column.
    PerColumn,
    /// One element per row.
    PerRow,
    /// One value for the launch.
    Uniform,
    /// The element's position in its row, segment or array. Not passed.
    Index,
    /// The row's or segment's number. Not passed.
    Row,
    /// How many elements the row, segment or array has. Not passed.
    Len,
    /// One per row: columns at or past it carry the identity.
    Live,
}

/// A parameter of the annotated function.
#[derive(Clone, Debug)]
pub struct Param {
    /// How it is fed.
    pub kind: ParamKind,
    /// The variable of the map that holds it.
    pub local: Local,
}

/// A name of the table of operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(
    missing_docs,
    reason = "the names are those of the table in the documentation of the attributes"
)]
pub enum Named {
    Sum,
    Product,
    Min,
    Max,
    Minimum,
    Maximum,
    And,
    Or,
    Xor,
    Any,
    All,
    Count,
    Ballot,
    Argmin,
    Argmax,
    First,
    Last,
    Softmax,
    Welford,
    Affine,
}

/// What combines two states.
#[derive(Clone, Debug)]
pub enum Operator {
    /// An operator of the table: the library has it, in CUDA and in Rust.
    Named(Named),
    /// The user's closure or function of two states.
    Custom(Rc<Function>),
}

/// Which lanes must hold the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Land {
    /// Every lane of the group.
    All,
    /// One lane of the group.
    Lane(u32),
}

/// What a spec is.
#[derive(Clone, Debug)]
pub enum Form {
    /// `#[warp_reduce]`.
    Reduce {
        /// Where the result must land.
        land: Land,
        /// `finish(state, named parameters…)`: its first parameter is the state, further ones are [`Param`]s by id in `captures`.
        finish: Option<Closure>,
        /// `apply(total, parameters…)`.
        apply: Option<Closure>,
    },
    /// `#[warp_scan]`.
    Scan {
        /// Whether position i leaves element i out.
        exclusive: bool,
        /// Whether the scan runs from the last element to the first.
        reverse: bool,
        /// `finish` at every position.
        finish: Option<Closure>,
    },
    /// `#[warp_filter]`: the map returns `bool`.
    Filter {
        /// What is stored of a kept element; without it every plain parameter is, one array each.
        keep: Option<Closure>,
    },
    /// `#[warp_shuffle]`: the map's value moves between lanes.
    Shuffle {
        /// Where each lane takes its value from.
        from: warpfold_lanes::Shuffle,
    },
}

/// `finish`, `apply` or `keep`: a function of a state (not for `keep`) and of some of the spec's parameters.
#[derive(Clone, Debug)]
pub struct Closure {
    /// The function; its parameters are the state first (unless `keep`), then one for each of `captures`.
    pub function: Rc<Function>,
    /// Indices into [`Spec::params`], in the order of the function's further parameters.
    pub captures: Vec<usize>,
}

/// A whole spec, accepted by every check.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The annotated function as the user wrote it, without the parameters' helper attributes.
    pub item: syn::ItemFn,
    /// The path of the runtime crate: `::warpfold` unless `crate = path` says otherwise.
    pub krate: syn::Path,
    /// What it is, with what only that form has.
    pub form: Form,
    /// Parameters in the function's own order.
    pub params: Vec<Param>,
    /// The map: the body of the annotated function. Its parameters are those of `params`, in order.
    pub map: Rc<Function>,
    /// The operator; `None` for filters and shuffles.
    pub op: Option<Operator>,
    /// What the operator combines.
    pub state: Ty,
    /// The neutral state as a constant: the user's for a custom operator, the table's own for a named one. `None` where there is no operator.
    pub identity: Option<Value>,
    /// A state folded in once, on the left.
    pub init: Option<Value>,
    /// Whether states may be combined in any order: table operators that commute, and `commutative = true`.
    pub any_order: bool,
    /// The width the user fixed.
    pub width: Option<Width>,
    /// The lanes of the emitted warp function that take part.
    pub mask: Mask,
    /// What is stored: the state, unless the table of operators takes the result out of it (`first` and `last` store
    /// the value alone); what `finish` returns; of a reduction with `apply`, what apply returns; of a filter without `keep`, a tuple of the plain parameters (or the one).
    pub result: Ty,
    /// Structs, constants and helpers it sees.
    pub module: Rc<Module>,
}
