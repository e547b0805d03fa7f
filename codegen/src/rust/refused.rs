//! What stands in for what was refused: enough that no second error follows from the first, and that the editor goes on
//! completing in the body.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};

use super::{Refused, Writer};
use crate::arguments::Attribute;
use crate::check_item;
use crate::ir::Spec;
use crate::params::HELPERS;
use crate::sketch;

/// The body of a function that is refused.
#[derive(Clone, Debug)]
pub enum Body {
    /// As it was written: nothing is wrong with it.
    Kept,
    /// Something is wrong with it, which is reported. rustc would report it too, so that it is shown to the editor alone.
    Refused,
    /// Tokens that are no Rust: what is wrong with them rustc says.
    Tokens(TokenStream),
}

impl Body {
    /// A body that could be read.
    pub fn read(refused: bool) -> Self {
        if refused { Self::Refused } else { Self::Kept }
    }
}

/// What stands in for a spec that was refused: the function, so that calls of it still resolve, an empty type, and, where
/// enough of it is known, the calls of that type with bodies that never run.
pub fn write_refused(item: &syn::ItemFn, body: Body, sketch: Option<&Spec>) -> TokenStream {
    let item = distinct(check_item::plain(item));
    let function = match body {
        Body::Kept => quote!(#[allow(dead_code, unused_variables)] #item),
        Body::Refused => without_body(&item),
        Body::Tokens(tokens) => {
            let (attrs, vis, sig) = (&item.attrs, &item.vis, &item.sig);
            quote!(#(#attrs)* #[allow(dead_code, unused)] #vis #sig #tokens)
        }
    };
    // A type cannot stand beside a function of an `impl`, and must not hide one of Rust's.
    if item.sig.receiver().is_some() || check_item::hides(&item.sig.ident) {
        return function;
    }
    let (vis, name) = (&item.vis, &item.sig.ident);
    let calls = sketch.map(calls);
    quote! {
        #function
        #[allow(non_camel_case_types, dead_code, missing_docs)]
        #vis enum #name {}
        #calls
    }
}

/// The calls of a spec, with bodies that never run.
fn calls(sketch: &Spec) -> TokenStream {
    let mut sketch = sketch.clone();
    for at in 1..sketch.params.len() {
        let name = sketch.params[at].local.name.clone();
        if sketch.params[..at].iter().any(|before| before.local.name == name) {
            sketch.params[at].local.name = format_ident!("{name}_{at}");
        }
    }
    let writer = Writer {
        refused: Some(if sketch::can_be_called(&sketch) {
            Refused::Typed
        } else {
            Refused::Untyped
        }),
        ..Writer::new(&sketch)
    };
    let (allow, cfgs, import, calls) = (super::allow(), writer.cfgs(), writer.import(), writer.calls());
    quote! {
        #(#cfgs)*
        #allow
        const _: () = { #import #calls };
    }
}

/// A function whose body is refused: its signature, and the body where only rust-analyzer looks.
pub(super) fn without_body(item: &syn::ItemFn) -> TokenStream {
    let mut stub = item.clone();
    *stub.block = syn::parse_quote!({ ::core::unreachable!() });
    quote! {
        #[allow(dead_code, unused_variables, unused_mut)]
        #stub
        #[allow(unexpected_cfgs)]
        const _: () = {
            #[cfg(rust_analyzer)]
            #item
        };
    }
}

/// The function without `self`, which a function of a module cannot have: rustc would say so once more.
pub(super) fn without_self(item: &syn::ItemFn) -> syn::ItemFn {
    let mut item = item.clone();
    let inputs = item.sig.inputs.into_iter();
    item.sig.inputs = inputs
        .filter(|input| matches!(input, syn::FnArg::Typed(_)))
        .collect();
    item
}

/// The function without the attributes of parameters that rustc does not know, ours or meant to be ours, and with a
/// name for one parameter alone.
fn distinct(mut item: syn::ItemFn) -> syn::ItemFn {
    let mut names: Vec<Ident> = Vec::new();
    for input in &mut item.sig.inputs {
        let syn::FnArg::Typed(input) = input else {
            continue;
        };
        input.attrs.retain(is_of_rust);
        if let syn::Pat::Ident(name) = &*input.pat {
            if names.contains(&name.ident) {
                *input.pat = syn::parse_quote!(_);
            } else {
                names.push(name.ident.clone());
            }
        }
    }
    item
}

/// Whether rustc knows an attribute of a parameter: ours it does not, nor one that was meant to be ours.
fn is_of_rust(attr: &syn::Attribute) -> bool {
    const RUSTS: [&str; 7] = ["cfg", "cfg_attr", "allow", "expect", "warn", "deny", "forbid"];
    RUSTS.iter().any(|name| attr.path().is_ident(name))
}

/// Tokens that could not be parsed, without our attributes of functions and parameters, which nothing would take away.
pub fn without_marks(tokens: TokenStream) -> TokenStream {
    unmarked(&tokens).unwrap_or(tokens)
}

/// The tokens without our attributes, if there are any. A group without one stays the group it was: a new one would
/// have one span, and rustc's words on a closing brace would point at all of it.
fn unmarked(tokens: &TokenStream) -> Option<TokenStream> {
    let (mut kept, mut found) = (Vec::<TokenTree>::new(), false);
    for token in tokens.clone() {
        match token {
            TokenTree::Group(group) => {
                let follows = matches!(kept.last(), Some(TokenTree::Punct(sign)) if sign.as_char() == '#');
                if follows && group.delimiter() == Delimiter::Bracket && is_mark(group.stream()) {
                    kept.pop();
                    found = true;
                    continue;
                }
                let Some(inside) = unmarked(&group.stream()) else {
                    kept.push(group.into());
                    continue;
                };
                let mut inner = proc_macro2::Group::new(group.delimiter(), inside);
                inner.set_span(group.span());
                kept.push(inner.into());
                found = true;
            }
            other => kept.push(other),
        }
    }
    found.then(|| kept.into_iter().collect())
}

/// Whether an attribute is one of ours.
fn is_mark(attribute: TokenStream) -> bool {
    let Ok(meta) = syn::parse2::<syn::Meta>(attribute) else {
        return false;
    };
    let Some(name) = meta.path().segments.last().map(|last| last.ident.to_string()) else {
        return false;
    };
    let helper = matches!(meta, syn::Meta::Path(_)) && HELPERS.iter().any(|(helper, _)| *helper == name);
    helper || Attribute::from_name(&name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_taken_out_of_what_cannot_be_parsed() {
        let tokens: TokenStream = "#[warp_reduce(op = sum)] #[inline] fn f(#[uniform] x: f32) { #[row] + }"
            .parse()
            .unwrap();
        let expected: TokenStream = "#[inline] fn f(x: f32) { + }".parse().unwrap();
        assert_eq!(without_marks(tokens).to_string(), expected.to_string());
    }
}
