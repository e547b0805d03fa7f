//! What each attribute does, from its tokens to the tokens that take its place.

#![allow(clippy::needless_pass_by_value, reason = "attributes are given their tokens")]

use proc_macro2::TokenStream;
use quote::quote;

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
            let error = error.to_compile_error();
            quote!(#error #item)
        }
    }
}

/// An attribute of a function outside of a module.
fn function(attribute: Attribute, args: TokenStream, item: TokenStream) -> TokenStream {
    match syn::parse2::<syn::ItemFn>(item.clone()) {
        Ok(function) => expand(attribute, args, &function, &Scope::default()),
        Err(error) => {
            let error = error.to_compile_error();
            quote!(#error #item)
        }
    }
}

/// One spec: understood, written as CUDA C++, written as Rust. What is refused still leaves its item behind, so that
/// no second error follows from the first.
fn expand(attribute: Attribute, args: TokenStream, item: &syn::ItemFn, scope: &Scope) -> TokenStream {
    match front::spec_or_refusal(attribute, args, item, scope) {
        Ok(spec) => rust::write(&spec, &cuda::write(&spec)),
        Err(refusal) => {
            let error = refusal.error.to_compile_error();
            let item = rust::write_refused(item, refusal.of_body);
            quote!(#error #item)
        }
    }
}
