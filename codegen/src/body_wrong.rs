//! What keeps one mistake in a body from being reported twice: the names that something wrong would have brought in
//! are known all the same, with a type that agrees with everything.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;

use crate::body::Body;
use crate::infer::Type;

impl Body<'_> {
    /// Declares the names of a pattern that is not of the language.
    pub(crate) fn declare_wrong(&mut self, pat: &syn::Pat) {
        let mut names = Vec::new();
        bound(pat.to_token_stream(), &mut names);
        for name in names {
            self.declare(&name, Type::Wrong, true);
        }
    }

    /// Declares the names of every `let` in a condition: `if let Some(y) = x && y > 0.0`.
    pub(crate) fn declare_conditions(&mut self, cond: &syn::Expr) {
        match cond {
            syn::Expr::Let(condition) => self.declare_wrong(&condition.pat),
            syn::Expr::Binary(both) => {
                self.declare_conditions(&both.left);
                self.declare_conditions(&both.right);
            }
            syn::Expr::Paren(inner) => self.declare_conditions(&inner.expr),
            _ => {}
        }
    }

    /// Makes the names of items inside a block known, which are refused where they stand and may be used before.
    pub(crate) fn know_inner_items(&mut self, block: &syn::Block) {
        for stmt in &block.stmts {
            let name = match stmt {
                syn::Stmt::Item(syn::Item::Const(item)) => &item.ident,
                syn::Stmt::Item(syn::Item::Static(item)) => &item.ident,
                syn::Stmt::Item(syn::Item::Fn(item)) => &item.sig.ident,
                syn::Stmt::Item(syn::Item::Struct(item)) => &item.ident,
                syn::Stmt::Item(syn::Item::Enum(item)) => &item.ident,
                syn::Stmt::Item(syn::Item::Type(item)) => &item.ident,
                _ => continue,
            };
            self.scope.to_mut().broken.push(name.to_string());
        }
    }
}

/// The names that a pattern binds, as far as its tokens tell: lower case, and neither part of a path nor the name of a
/// field that a pattern follows.
fn bound(pat: TokenStream, found: &mut Vec<Ident>) {
    let mut tokens = pat.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => bound(group.stream(), found),
            TokenTree::Ident(name) => {
                let field = matches!(tokens.peek(), Some(TokenTree::Punct(colon)) if colon.as_char() == ':');
                let text = name.to_string();
                let named = text.starts_with(|c: char| c.is_lowercase());
                if named && !field && !matches!(text.as_str(), "ref" | "mut" | "true" | "false") {
                    found.push(name);
                }
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
