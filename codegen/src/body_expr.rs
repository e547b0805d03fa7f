//! Expressions: which ones are of the language, and the walk over them.

use syn::spanned::Spanned;

use crate::body::Body;
use crate::draft::{Draft, Kind, Literal};
use crate::infer::Type;
use crate::methods;
use crate::print;

/// What a message says is accepted.
pub(crate) const ACCEPTED: &str = "accepted are literals, parameters, `let`, blocks, `if`, `match`, `for` with constant bounds, \
     arithmetic, comparison, logic, shifts, `as`, tuples, structs, fields, numeric methods and calls of the module's functions";

impl Body<'_> {
    /// Any expression.
    pub fn expr(&mut self, expr: &syn::Expr) -> Draft {
        if let Some(attr) = attributes(expr).first() {
            self.errors.at(
                "expression-attribute",
                attr,
                "attributes on expressions are not accepted\nhelp: remove it",
            );
        }
        match expr {
            syn::Expr::Paren(inner) => self.expr(&inner.expr),
            syn::Expr::Group(inner) => self.expr(&inner.expr),
            syn::Expr::Lit(lit) => self.literal(&lit.lit),
            syn::Expr::Path(path) => self.path(path),
            syn::Expr::Unary(unary) => self.unary(unary),
            syn::Expr::Binary(binary) => self.binary(binary),
            syn::Expr::Cast(cast) => self.cast(cast),
            syn::Expr::Call(call) => self.call(call),
            syn::Expr::MethodCall(call) => self.method(call),
            syn::Expr::Field(field) => self.field(field),
            syn::Expr::Tuple(tuple) => self.tuple(tuple),
            syn::Expr::Struct(literal) => self.struct_literal(literal),
            syn::Expr::Block(block) if block.label.is_none() => self.block(&block.block),
            syn::Expr::If(branch) => self.branch(branch),
            syn::Expr::Match(matching) => self.matching(matching),
            other => {
                let message = refusal(other);
                self.errors.at("expression", other, message);
                self.wrong(other)
            }
        }
    }

    /// Stands for what was wrong and reported.
    #[allow(
        clippy::unused_self,
        clippy::needless_pass_by_value,
        reason = "reads as the others do where it is called"
    )]
    pub fn wrong(&self, at: impl Spanned) -> Draft {
        Draft {
            kind: Kind::Wrong,
            ty: Type::Wrong,
            span: at.span(),
        }
    }

    fn tuple(&mut self, tuple: &syn::ExprTuple) -> Draft {
        if tuple.elems.len() > 4 {
            self.errors.at(
                "tuple-size",
                tuple,
                "a tuple has at most four fields here\nhelp: use a struct of a `#[warp_module]`",
            );
            return self.wrong(tuple);
        }
        let fields: Vec<Draft> = tuple.elems.iter().map(|e| self.expr(e)).collect();
        let ty = Type::Tuple(fields.iter().map(|f| f.ty.clone()).collect());
        Draft {
            kind: Kind::Tuple(fields),
            ty,
            span: tuple.span(),
        }
    }

    /// Rule: a field exists and its type is known where it is named.
    fn field(&mut self, field: &syn::ExprField) -> Draft {
        let base = self.expr(&field.base);
        let span = field.member.span();
        let shape = self.types.shallow(&base.ty);
        match self.field_of(&shape, &field.member) {
            Ok(Some((position, ty))) => {
                let name = match &field.member {
                    syn::Member::Named(name) => Some(name.clone()),
                    syn::Member::Unnamed(_) => None,
                };
                Draft {
                    kind: Kind::Field(Box::new(base), position, name),
                    ty,
                    span,
                }
            }
            Ok(None) => self.wrong(field),
            Err(message) => {
                self.errors.at("field", &field.member, message);
                self.wrong(field)
            }
        }
    }

    /// A field's position and type; `None` where the base is wrong already.
    pub(crate) fn field_of(
        &self,
        base: &Type,
        member: &syn::Member,
    ) -> Result<Option<(usize, Type)>, String> {
        let shown = self.types.show(base);
        match (base, member) {
            (Type::Wrong, _) => Ok(None),
            (Type::Tuple(fields), syn::Member::Unnamed(index)) => {
                let position = index.index as usize;
                let found = fields.get(position).map(|ty| Some((position, ty.clone())));
                found.ok_or_else(|| format!("{shown} has no field {position}{}", last_field(fields.len())))
            }
            (Type::Struct(name), syn::Member::Named(member)) => {
                let fields = self.scope.find_struct(name).map_or(&[][..], |s| &s.fields);
                let position = fields.iter().position(|(field, _)| field == member);
                position
                    .map(|p| Some((p, Type::from(&fields[p].1))))
                    .ok_or_else(|| {
                        let names: Vec<String> = fields.iter().map(|(f, _)| format!("`{f}`")).collect();
                        format!(
                            "`{name}` has no field `{member}`\nhelp: its fields are {}",
                            names.join(", ")
                        )
                    })
            }
            _ => {
                let member = print::tokens(member);
                let called = match base {
                    Type::Scalar(scalar) => methods::find(&member, *scalar, false).filter(|m| !m.associated),
                    _ => None,
                };
                let help = match (called, base) {
                    (Some(method), _) => {
                        format!(
                            "a method is called: write `.{member}({})`",
                            methods::letters(method)
                        )
                    }
                    (None, Type::Tuple(_)) => "the fields of a tuple are numbers, `.0`".to_owned(),
                    (None, Type::Struct(_)) => "the fields of a struct are names".to_owned(),
                    (None, _) => format!("remove `.{member}`"),
                };
                Err(format!("{shown} has no field `{member}`\nhelp: {help}"))
            }
        }
    }

    /// A draft that is a known value.
    pub(crate) fn known(value: crate::value::Value, ty: Type, span: proc_macro2::Span) -> Draft {
        Draft {
            kind: Kind::Literal(Literal::Value(value)),
            ty,
            span,
        }
    }
}

fn last_field(fields: usize) -> String {
    match fields {
        0 => "\nhelp: nothing can be taken out of it".to_owned(),
        n => format!("\nhelp: its last field is `.{}`", n - 1),
    }
}

fn attributes(expr: &syn::Expr) -> &[syn::Attribute] {
    match expr {
        syn::Expr::Block(e) => &e.attrs,
        syn::Expr::If(e) => &e.attrs,
        syn::Expr::Match(e) => &e.attrs,
        syn::Expr::ForLoop(e) => &e.attrs,
        syn::Expr::Call(e) => &e.attrs,
        syn::Expr::MethodCall(e) => &e.attrs,
        syn::Expr::Binary(e) => &e.attrs,
        syn::Expr::Unary(e) => &e.attrs,
        syn::Expr::Lit(e) => &e.attrs,
        syn::Expr::Path(e) => &e.attrs,
        syn::Expr::Tuple(e) => &e.attrs,
        syn::Expr::Struct(e) => &e.attrs,
        _ => &[],
    }
}

/// Rule: an expression is one of the language. The message says what to write in the place of the common others.
fn refusal(expr: &syn::Expr) -> String {
    let (what, help) = match expr {
        syn::Expr::While(_) | syn::Expr::Loop(_) => (
            "a loop without constant bounds is not of the language",
            "write `for i in 0..8 { … }` with bounds that are literals or constants",
        ),
        syn::Expr::ForLoop(_) => (
            "a `for` is a statement here",
            "give it a line of its own, inside a block",
        ),
        syn::Expr::Return(_) => (
            "`return` is not of the language",
            "make the value the last expression, with `if … { … } else { … }` around it",
        ),
        syn::Expr::Break(_) | syn::Expr::Continue(_) => (
            "`break` and `continue` are not of the language",
            "put the rest of the loop's body under an `if`",
        ),
        syn::Expr::Closure(_) => (
            "a closure inside a body is not of the language",
            "make it a function of the `#[warp_module]`",
        ),
        syn::Expr::Macro(_) => (
            "a macro call is not of the language",
            "write the expression that it stands for",
        ),
        syn::Expr::Reference(_) | syn::Expr::RawAddr(_) => (
            "a reference is not of the language; values are copied",
            "remove the `&`",
        ),
        syn::Expr::Index(_) | syn::Expr::Array(_) | syn::Expr::Repeat(_) => (
            "arrays are not of the language",
            "use a tuple of up to four fields, or a struct of a `#[warp_module]`",
        ),
        syn::Expr::Try(_) => (
            "`?` is not of the language",
            "give the value for the failing case with `if`",
        ),
        syn::Expr::Let(_) => (
            "`if let` is not of the language",
            "use `match`, or `if` with a comparison",
        ),
        syn::Expr::Unsafe(_) => (
            "`unsafe` is not of the language",
            "remove it; every operation here is safe",
        ),
        syn::Expr::Range(_) => (
            "a range stands only in `for` and in patterns",
            "write the comparison out: `a <= x && x < b`",
        ),
        syn::Expr::Assign(_) => ("an assignment is a statement here", "give it a line of its own"),
        _ => return format!("this expression is not of the language\nhelp: {ACCEPTED}"),
    };
    format!("{what}\nhelp: {help}")
}
