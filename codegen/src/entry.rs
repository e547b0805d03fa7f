//! What each attribute does, from its tokens to the tokens that take its place.

#![allow(clippy::needless_pass_by_value, reason = "attributes are given their tokens")]

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{Parse, ParseStream};

use crate::arguments::Attribute;
use crate::scope::Scope;
use crate::{cuda, front, module, rust};

/// `#[warp_reduce]`.
pub fn warp_reduce(args: TokenStream, item: TokenStream) -> TokenStream {
    function(Attribute::Reduce, args, item)
}

/// `#[warp_scan]`.
pub fn warp_scan(args: TokenStream, item: TokenStream) -> TokenStream {
    function(Attribute::Scan, args, item)
}

/// `#[warp_filter]`.
pub fn warp_filter(args: TokenStream, item: TokenStream) -> TokenStream {
    function(Attribute::Filter, args, item)
}

/// `#[warp_shuffle]`.
pub fn warp_shuffle(args: TokenStream, item: TokenStream) -> TokenStream {
    function(Attribute::Shuffle, args, item)
}

/// `#[warp_module]`.
pub fn warp_module(args: TokenStream, item: TokenStream) -> TokenStream {
    match syn::parse2::<syn::ItemMod>(item.clone()) {
        Ok(module) => rust::write_module(&module::read(args, module), cuda::write),
        Err(error) => {
            // The specs in it would be read one by one, without what they share.
            let (error, item) = (error.to_compile_error(), rust::without_marks(item));
            quote!(#error #item)
        }
    }
}

/// An attribute of a function outside of a module.
fn function(attribute: Attribute, args: TokenStream, item: TokenStream) -> TokenStream {
    match syn::parse2::<syn::ItemFn>(item.clone()) {
        Ok(function) => expand(attribute, args, &function, &Scope::default()),
        Err(error) => unread(attribute, args, item, &error),
    }
}

/// A function that is no Rust.
///
/// rustc parses what an attribute stands on before the attribute is asked, so that what is wrong in a body was reported;
/// the body is given back as it is, and rustc says it once. Should rustc read what syn cannot, the calls do not compile.
fn unread(attribute: Attribute, args: TokenStream, item: TokenStream, error: &syn::Error) -> TokenStream {
    let Ok(Signature { function, body }) = syn::parse2(item.clone()) else {
        let (error, item) = (error.to_compile_error(), rust::without_marks(item));
        return quote!(#error #item);
    };
    let Some(body) = body else {
        let error = syn::Error::new_spanned(
            &function.sig,
            "a spec has a body, which says what each element becomes\nhelp: write `{ … }` in the place of the `;`",
        );
        let (error, sketch) = (
            error.to_compile_error(),
            front::without_body(attribute, args, &function, &Scope::default()).1,
        );
        let item = rust::write_refused(&function, rust::Body::Refused, sketch.as_ref());
        return quote!(#error #item);
    };
    let (error, sketch) = front::without_body(attribute, args, &function, &Scope::default());
    let error = error.as_ref().map(syn::Error::to_compile_error);
    let body = rust::Body::Tokens(rust::without_marks(body));
    let item = rust::write_refused(&function, body, sketch.as_ref());
    quote!(#error #item)
}

/// A function whose body is a group of any tokens.
struct Signature {
    /// The function with an empty body.
    function: syn::ItemFn,
    /// The body with its braces; `None` where a `;` stands in its place.
    body: Option<TokenStream>,
}

impl Parse for Signature {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(syn::Attribute::parse_outer)?;
        let vis = input.parse()?;
        let sig = input.parse()?;
        let body: TokenTree = input.parse()?;
        let body = match body {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace && input.is_empty() => {
                Some(TokenTree::Group(group).into())
            }
            TokenTree::Punct(end) if end.as_char() == ';' && input.is_empty() => None,
            _ => {
                return Err(
                    input.error("a body stands in braces\nhelp: write `{ … }` after the result's type")
                );
            }
        };
        let mut function: syn::ItemFn = syn::parse_quote!(
            fn unread() {}
        );
        (function.attrs, function.vis, function.sig) = (attrs, vis, sig);
        Ok(Self { function, body })
    }
}

/// One spec: understood, written as CUDA C++, written as Rust. What is refused still leaves its item behind, so that
/// no second error follows from the first.
fn expand(attribute: Attribute, args: TokenStream, item: &syn::ItemFn, scope: &Scope) -> TokenStream {
    match front::spec_or_refusal(attribute, args, item, scope) {
        Ok(spec) => rust::write(&spec, &cuda::write(&spec)),
        Err(refusal) => {
            let error = refusal.error.to_compile_error();
            let body = rust::Body::read(refusal.of_body);
            let item = rust::write_refused(item, body, refusal.sketch.as_deref());
            quote!(#error #item)
        }
    }
}
