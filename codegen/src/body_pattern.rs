//! Patterns of `let`, `match` and closure parameters.

use syn::spanned::Spanned;

use crate::body::Body;
use crate::draft::{Kind, Literal, Pattern};
use crate::eval;
use crate::infer::Type;
use crate::literal;

impl Body<'_> {
    /// Rule: a `let` or a parameter takes a name, `_`, or a tuple of them.
    pub(crate) fn binding(&mut self, pat: &syn::Pat, ty: &Type) -> Pattern {
        match pat {
            syn::Pat::Ident(_) | syn::Pat::Wild(_) | syn::Pat::Paren(_) => self.pattern(pat, ty),
            syn::Pat::Tuple(tuple) => {
                let fields = self.fields(tuple, ty);
                Pattern::Tuple(
                    tuple
                        .elems
                        .iter()
                        .zip(&fields)
                        .map(|(p, ty)| self.binding(p, ty))
                        .collect(),
                )
            }
            _ => {
                self.errors.at("pattern", pat, "accepted here are a name, `_`, and tuples of them\nhelp: take a struct apart with `.field`");
                self.declare_wrong(pat);
                Pattern::Wild
            }
        }
    }

    /// Rule: a `match` takes literals, ranges of them, names, `_`, alternatives and tuples of these.
    pub(crate) fn pattern(&mut self, pat: &syn::Pat, ty: &Type) -> Pattern {
        match pat {
            syn::Pat::Wild(_) => Pattern::Wild,
            syn::Pat::Paren(inner) => self.pattern(&inner.pat, ty),
            // As in Rust, the name of a constant is that constant, not a new variable.
            syn::Pat::Ident(ident) if self.scope.find_constant(&ident.ident.to_string()).is_some() => {
                let path = syn::Path::from(ident.ident.clone());
                let attrs = Vec::new();
                self.constant_pattern(
                    &syn::Expr::Path(syn::ExprPath {
                        attrs,
                        qself: None,
                        path,
                    }),
                    ty,
                )
            }
            syn::Pat::Path(path) => self.constant_pattern(&syn::Expr::Path(path.clone()), ty),
            syn::Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => {
                let var = self.declare(&ident.ident, ty.clone(), ident.mutability.is_some());
                Pattern::Bind(var, ident.ident.clone())
            }
            syn::Pat::Lit(lit) => self.literal_pattern(&syn::Expr::Lit(lit.clone()), ty),
            syn::Pat::Range(syn::PatRange {
                start: Some(start),
                end: Some(end),
                limits,
                ..
            }) => {
                let from = self.literal_pattern(start, ty);
                let to = self.literal_pattern(end, ty);
                let open = matches!(limits, syn::RangeLimits::HalfOpen(_));
                match (from, to) {
                    (Pattern::Literal(a, ..), Pattern::Literal(b, ..)) => {
                        Pattern::Range(a, b, open, ty.clone(), pat.span())
                    }
                    _ => Pattern::Wild,
                }
            }
            syn::Pat::Or(or) => {
                let before = self.names.len();
                let cases: Vec<Pattern> = or.cases.iter().map(|case| self.pattern(case, ty)).collect();
                if self.names.len() > before {
                    self.errors.at("pattern", pat, "alternatives bind no names here\nhelp: use `_`, or give each alternative an arm of its own");
                }
                Pattern::Or(cases)
            }
            syn::Pat::Tuple(tuple) => {
                let fields = self.fields(tuple, ty);
                Pattern::Tuple(
                    tuple
                        .elems
                        .iter()
                        .zip(&fields)
                        .map(|(p, ty)| self.pattern(p, ty))
                        .collect(),
                )
            }
            _ => {
                self.errors.at("pattern", pat, "accepted are integer and `bool` literals, `a..=b`, names, `_`, `a | b` and tuples of these\nhelp: compare with `if`");
                self.declare_wrong(pat);
                Pattern::Wild
            }
        }
    }

    /// Rule: a tuple pattern has as many fields as the tuple.
    fn fields(&mut self, tuple: &syn::PatTuple, ty: &Type) -> Vec<Type> {
        match self.types.shallow(ty) {
            Type::Tuple(fields) if fields.len() == tuple.elems.len() => return fields,
            Type::Wrong => {}
            other => {
                let shown = self.types.show(&other);
                let n = tuple.elems.len();
                let help = match &other {
                    Type::Tuple(_) => "write a name or `_` for each of its fields",
                    _ => "give it one name, without parentheses",
                };
                self.errors.at(
                    "pattern-fields",
                    tuple,
                    format!("this pattern has {n} fields, but the value is {shown}\nhelp: {help}"),
                );
            }
        }
        vec![Type::Wrong; tuple.elems.len()]
    }

    /// A constant of the module or of a type (`u32::MAX`), whose value is known here.
    fn constant_pattern(&mut self, expr: &syn::Expr, ty: &Type) -> Pattern {
        let draft = self.expr(expr);
        self.expect_type(ty, &draft.ty, expr, "the pattern");
        let value = match &draft.kind {
            Kind::Literal(Literal::Value(value)) => Some(value.clone()),
            Kind::Constant(name) => {
                let constant = self.scope.find_constant(&name.to_string());
                constant.and_then(|c| eval::constant(&c.value, &self.scope.module))
            }
            _ => return Pattern::Wild,
        };
        if let Some(value) = value.filter(|value| literal::integer(value).is_some()) {
            return Pattern::Literal(Literal::Value(value), draft.ty, expr.span());
        }
        self.errors.at(
            "pattern",
            expr,
            "a pattern is an integer or `bool`\nhelp: compare with `if`",
        );
        Pattern::Wild
    }

    /// A literal with an optional minus, of the type of the value that is matched.
    fn literal_pattern(&mut self, expr: &syn::Expr, ty: &Type) -> Pattern {
        let draft = self.expr(expr);
        self.expect_type(ty, &draft.ty, expr, "the pattern");
        match draft.kind {
            Kind::Literal(literal @ (Literal::Integer(..) | Literal::Value(_))) => {
                Pattern::Literal(literal, draft.ty, expr.span())
            }
            Kind::Wrong => Pattern::Wild,
            _ => {
                self.errors.at(
                    "pattern",
                    expr,
                    "a pattern is an integer or `bool` literal\nhelp: compare with `if`",
                );
                Pattern::Wild
            }
        }
    }
}
