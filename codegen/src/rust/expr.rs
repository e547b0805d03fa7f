//! Expressions, statements and patterns: Rust's release meaning, spelled out.
//!
//! Integers go through `wrapping_…`; what may panic, and what Rust leaves open, through `arith`. Everything else is
//! written as the user wrote it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::value::is_atomic;
use super::{Writer, runtime};
use crate::ir::{Arm, Binary, Expr, ExprKind, Local, Pattern, Place, Scalar, Stmt, Ty, Unary};
use crate::value::Value;

impl Writer<'_> {
    /// An expression.
    pub(super) fn expr(&self, expr: &Expr) -> TokenStream {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Literal(value) => self.value(value, span),
            ExprKind::Local(local) => {
                let name = at(&local.name, span);
                quote!(#name)
            }
            ExprKind::Constant(name) => quote!(#name),
            ExprKind::Unary(op, a) => self.unary(*op, a, span),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, span),
            ExprKind::Cast(a) if has_as(&a.ty, &expr.ty) => {
                let (a, ty) = (self.operand(a), self.ty(&expr.ty));
                quote_spanned!(span=> #a as #ty)
            }
            ExprKind::Cast(a) => {
                let (from, a, ty) = (self.ty(&a.ty), self.expr(a), self.ty(&expr.ty));
                quote_spanned!(span=> <#ty as ::core::convert::From<#from>>::from(#a))
            }
            ExprKind::Call(function, args) => {
                let name = at(&function.name, span);
                let args = args.iter().map(|arg| self.expr(arg));
                quote_spanned!(span=> #name(#(#args),*))
            }
            ExprKind::Method { name, ident, args } => self.method(name, ident, args, &expr.ty, span),
            ExprKind::Field(base, position, name) => {
                let (base, member) = (self.operand(base), member(*position, name.as_ref(), span));
                quote_spanned!(span=> #base.#member)
            }
            ExprKind::Tuple(fields) => {
                let fields = fields.iter().map(|field| self.expr(field));
                quote_spanned!(span=> (#(#fields,)*))
            }
            ExprKind::Struct(name, fields) => {
                let fields = fields.iter().map(|(field, value)| {
                    let value = self.expr(value);
                    quote_spanned!(span=> #field: #value)
                });
                quote_spanned!(span=> #name { #(#fields),* })
            }
            ExprKind::Block(..) => {
                let body = self.body(expr);
                quote_spanned!(span=> { #body })
            }
            ExprKind::If(condition, then, otherwise) => {
                let (condition, then) = (self.expr(condition), self.body(then));
                let otherwise = otherwise.as_ref().map(|otherwise| self.otherwise(otherwise));
                quote_spanned!(span=> if #condition { #then } #otherwise)
            }
            ExprKind::Match(scrutinee, arms) => {
                let scrutinee = self.expr(scrutinee);
                let arms = arms.iter().map(|arm| self.arm(arm, span));
                quote_spanned!(span=> match #scrutinee { #(#arms)* })
            }
        }
    }

    /// What stands between the braces of a function, a branch or a block.
    pub(super) fn body(&self, expr: &Expr) -> TokenStream {
        match &expr.kind {
            ExprKind::Block(statements, value) => {
                let statements = statements.iter().map(|statement| self.statement(statement));
                let value = value.as_ref().map(|value| self.expr(value));
                quote!(#(#statements)* #value)
            }
            _ => self.expr(expr),
        }
    }

    /// `else { … }`, or `else if …` where that is all there is.
    fn otherwise(&self, expr: &Expr) -> TokenStream {
        let inner = match &expr.kind {
            ExprKind::Block(statements, Some(value)) if statements.is_empty() => value,
            _ => expr,
        };
        if matches!(inner.kind, ExprKind::If(..)) {
            let chain = self.expr(inner);
            return quote_spanned!(expr.span=> else #chain);
        }
        let body = self.body(expr);
        quote_spanned!(expr.span=> else { #body })
    }

    fn arm(&self, arm: &Arm, span: Span) -> TokenStream {
        let (pattern, body) = (self.pattern(&arm.pattern, span), self.expr(&arm.body));
        let guard = arm.guard.as_ref().map(|guard| {
            let guard = self.expr(guard);
            quote_spanned!(span=> if #guard)
        });
        quote_spanned!(span=> #pattern #guard => #body,)
    }

    /// An expression that stands as an operand or a receiver: in parentheses unless it is one thing.
    fn operand(&self, expr: &Expr) -> TokenStream {
        let tokens = self.expr(expr);
        let one_thing = match &expr.kind {
            ExprKind::Literal(value) => is_atomic(value),
            ExprKind::Local(_)
            | ExprKind::Constant(_)
            | ExprKind::Call(..)
            | ExprKind::Method { .. }
            | ExprKind::Field(..)
            | ExprKind::Tuple(_) => true,
            // Integer arithmetic is written as calls.
            ExprKind::Binary(op, a, _) => is_integer(&a.ty) && arithmetic_call(*op).is_some(),
            ExprKind::Unary(Unary::Neg, a) => is_integer(&a.ty),
            _ => false,
        };
        if one_thing {
            tokens
        } else {
            quote_spanned!(expr.span=> (#tokens))
        }
    }

    fn unary(&self, op: Unary, a: &Expr, span: Span) -> TokenStream {
        let tokens = self.operand(a);
        match op {
            Unary::Neg if is_integer(&a.ty) => quote_spanned!(span=> #tokens.wrapping_neg()),
            Unary::Neg => quote_spanned!(span=> -#tokens),
            Unary::Not => quote_spanned!(span=> !#tokens),
        }
    }

    fn binary(&self, op: Binary, a: &Expr, b: &Expr, span: Span) -> TokenStream {
        match arithmetic_call(op) {
            Some(Call::Method(name)) if is_integer(&a.ty) => {
                let (name, left, right) = (
                    Ident::new(name, span),
                    self.operand(a),
                    self.shift_or_operand(op, b),
                );
                quote_spanned!(span=> #left.#name(#right))
            }
            Some(Call::Arith(name)) if is_integer(&a.ty) => {
                self.arith(&Ident::new(name, span), &[a, b], span)
            }
            _ => {
                let (left, right) = (self.operand(a), self.operand(b));
                let op = operator(op, span);
                quote_spanned!(span=> #left #op #right)
            }
        }
    }

    /// The right side of a wrapping call; distances of shifts are `u32`, of which only the low bits count.
    fn shift_or_operand(&self, op: Binary, b: &Expr) -> TokenStream {
        if matches!(op, Binary::Shl | Binary::Shr) && b.ty != Ty::Scalar(Scalar::U32) {
            let tokens = self.operand(b);
            return quote_spanned!(b.span=> #tokens as u32);
        }
        self.expr(b)
    }

    fn method(&self, name: &str, ident: &Ident, args: &[Expr], ret: &Ty, span: Span) -> TokenStream {
        match name {
            // `half` rounds an f64 as the machine has it.
            "from_f64" => {
                let (runtime, ty) = (runtime(), self.ty(ret));
                let args = args.iter().map(|arg| self.expr(arg));
                return quote_spanned!(span=> #runtime::arith::#ident::<#ty>(#(#args),*));
            }
            "from_bits" | "from_f32" => {
                let (ty, args) = (self.ty(ret), args.iter().map(|arg| self.expr(arg)));
                return quote_spanned!(span=> <#ty>::#ident(#(#args),*));
            }
            "max" | "min" | "clamp" | "div_euclid" | "rem_euclid" | "div_ceil" | "ilog2"
            | "next_power_of_two" | "exp" | "powi" | "asinh" | "acosh" | "atanh" => {
                return self.arith(ident, &args.iter().collect::<Vec<_>>(), span);
            }
            "wrapping_div" | "wrapping_rem" => {
                let own = Ident::new(name.trim_start_matches("wrapping_"), ident.span());
                return self.arith(&own, &args.iter().collect::<Vec<_>>(), span);
            }
            _ => {}
        }
        // Rust's `abs` and `pow` of integers panic in debug builds.
        let wraps = matches!(name, "abs" | "pow") && is_integer(&args[0].ty);
        let ident = if wraps {
            Ident::new(&format!("wrapping_{name}"), ident.span())
        } else {
            ident.clone()
        };
        let receiver = self.operand(&args[0]);
        let args = args[1..].iter().map(|arg| self.expr(arg));
        quote_spanned!(span=> #receiver.#ident(#(#args),*))
    }

    /// A call of the runtime's `arith`.
    fn arith(&self, name: &Ident, args: &[&Expr], span: Span) -> TokenStream {
        let runtime = runtime();
        let args = args.iter().map(|arg| self.expr(arg));
        quote_spanned!(span=> #runtime::arith::#name(#(#args),*))
    }

    fn statement(&self, statement: &Stmt) -> TokenStream {
        match statement {
            Stmt::Let(pattern, value) => {
                let (bound, ty) = (self.pattern(pattern, value.span), self.ty(&value.ty));
                let value = self.expr(value);
                quote!(let #bound: #ty = #value;)
            }
            Stmt::Assign(place, value) => {
                let (place, value) = (assigned(place, value.span), self.expr(value));
                quote!(#place = #value;)
            }
            Stmt::For(local, from, to, body) => {
                let name = &local.name;
                let (from, to) = (self.value(from, name.span()), self.value(to, name.span()));
                let body = body.iter().map(|statement| self.statement(statement));
                quote!(for #name in #from..#to { #(#body)* })
            }
            Stmt::Expr(expr) => {
                let tokens = self.expr(expr);
                match expr.kind {
                    ExprKind::If(..) | ExprKind::Match(..) | ExprKind::Block(..) => tokens,
                    _ => quote!(#tokens;),
                }
            }
        }
    }

    fn pattern(&self, pattern: &Pattern, span: Span) -> TokenStream {
        match pattern {
            Pattern::Wild => quote_spanned!(span=> _),
            Pattern::Bind(local) => binding(local),
            Pattern::Literal(value) => self.pattern_value(value, span),
            Pattern::Range(from, to) => {
                let (from, to) = (self.pattern_value(from, span), self.pattern_value(to, span));
                quote_spanned!(span=> #from..=#to)
            }
            Pattern::Or(alternatives) => {
                let alternatives = alternatives.iter().map(|pattern| self.pattern(pattern, span));
                quote_spanned!(span=> (#(#alternatives)|*))
            }
            Pattern::Tuple(fields) => {
                let fields = fields.iter().map(|field| self.pattern(field, span));
                quote_spanned!(span=> (#(#fields,)*))
            }
        }
    }

    /// A literal in a pattern: a range's ends may not stand in parentheses.
    fn pattern_value(&self, value: &Value, span: Span) -> TokenStream {
        let tokens = self.value(value, span);
        let mut trees = tokens.clone().into_iter();
        match (trees.next(), trees.next()) {
            (Some(proc_macro2::TokenTree::Group(group)), None) if !matches!(value, Value::Tuple(_)) => {
                group.stream()
            }
            _ => tokens,
        }
    }
}

/// `x` or `mut x`, as a declaration.
pub(super) fn binding(local: &Local) -> TokenStream {
    let name = &local.name;
    if local.mutable {
        quote!(mut #name)
    } else {
        quote!(#name)
    }
}

/// A variable, or a field of one, on the left of an assignment.
fn assigned(place: &Place, span: Span) -> TokenStream {
    let name = &place.local.name;
    let path = place
        .path
        .iter()
        .map(|(position, name)| member(*position, name.as_ref(), span));
    quote!(#name #(.#path)*)
}

/// The name with its own hygiene, at another place of the user's text.
fn at(name: &Ident, span: Span) -> Ident {
    let mut name = name.clone();
    name.set_span(name.span().located_at(span));
    name
}

fn member(position: usize, name: Option<&Ident>, span: Span) -> syn::Member {
    match name {
        Some(name) => syn::Member::Named(name.clone()),
        None => syn::Member::Unnamed(syn::Index {
            index: position as u32,
            span,
        }),
    }
}

/// Whether Rust has `as` between two types. It lacks it where a half, or a `bool` that becomes a float, is converted.
fn has_as(from: &Ty, to: &Ty) -> bool {
    let is = |ty: &Ty, class: fn(Scalar) -> bool| ty.scalar().is_some_and(class);
    let half = is(from, Scalar::is_half) || is(to, Scalar::is_half);
    let bool_to_float = from.scalar() == Some(Scalar::Bool) && is(to, Scalar::is_float);
    !half && !bool_to_float
}

/// How an arithmetic operator of integers is written.
enum Call {
    Method(&'static str),
    Arith(&'static str),
}

fn arithmetic_call(op: Binary) -> Option<Call> {
    Some(match op {
        Binary::Add => Call::Method("wrapping_add"),
        Binary::Sub => Call::Method("wrapping_sub"),
        Binary::Mul => Call::Method("wrapping_mul"),
        Binary::Shl => Call::Method("wrapping_shl"),
        Binary::Shr => Call::Method("wrapping_shr"),
        Binary::Div => Call::Arith("div"),
        Binary::Rem => Call::Arith("rem"),
        _ => return None,
    })
}

fn operator(op: Binary, span: Span) -> TokenStream {
    match op {
        Binary::Add => quote_spanned!(span=> +),
        Binary::Sub => quote_spanned!(span=> -),
        Binary::Mul => quote_spanned!(span=> *),
        Binary::Div => quote_spanned!(span=> /),
        Binary::Rem => quote_spanned!(span=> %),
        Binary::BitAnd => quote_spanned!(span=> &),
        Binary::BitOr => quote_spanned!(span=> |),
        Binary::BitXor => quote_spanned!(span=> ^),
        Binary::Shl => quote_spanned!(span=> <<),
        Binary::Shr => quote_spanned!(span=> >>),
        Binary::And => quote_spanned!(span=> &&),
        Binary::Or => quote_spanned!(span=> ||),
        Binary::Eq => quote_spanned!(span=> ==),
        Binary::Ne => quote_spanned!(span=> !=),
        Binary::Lt => quote_spanned!(span=> <),
        Binary::Le => quote_spanned!(span=> <=),
        Binary::Gt => quote_spanned!(span=> >),
        Binary::Ge => quote_spanned!(span=> >=),
    }
}

/// Whether values of the type wrap.
fn is_integer(ty: &Ty) -> bool {
    ty.scalar().is_some_and(Scalar::is_int)
}
