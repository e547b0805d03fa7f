//! Rules for the annotated function itself and for the types it stores.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::spanned::Spanned;

use crate::arguments::Attribute;
use crate::errors::Errors;
use crate::ir::{Module, Scalar, Ty};
use crate::params::HELPERS;

/// The most bytes that a state may have: it travels through registers.
const LARGEST: usize = 64;

/// Rule: a spec is a plain function: not generic, `async`, `unsafe`, `extern` or variadic.
pub fn signature(sig: &syn::Signature, errors: &mut Errors) {
    if !sig.generics.params.is_empty() {
        errors.at(
            "fn-generic",
            &sig.generics,
            "a spec has no generic parameters\nhelp: write one spec for each type",
        );
    }
    if let Some(clause) = &sig.generics.where_clause {
        errors.at(
            "fn-generic",
            clause,
            "a spec is for one type, so it has no `where` clause\nhelp: remove it",
        );
    }
    if let Some(word) = &sig.asyncness {
        errors.at(
            "fn-plain",
            word,
            "a spec is a plain function\nhelp: remove `async`",
        );
    }
    if !matches!(sig.safety, syn::Safety::Default) {
        errors.at(
            "fn-plain",
            &sig.safety,
            format!(
                "a spec is a plain function\nhelp: remove `{}`",
                crate::print::tokens(&sig.safety)
            ),
        );
    }
    if let Some(abi) = &sig.abi {
        errors.at(
            "fn-plain",
            abi,
            "a spec is a plain function\nhelp: remove `extern`",
        );
    }
    if let Some(variadic) = &sig.variadic {
        errors.at(
            "fn-plain",
            variadic,
            "a spec takes a fixed number of parameters\nhelp: remove `...`",
        );
    }
}

/// Rule: the type of a spec hides no type that Rust has everywhere.
pub fn name(name: &Ident, errors: &mut Errors) {
    if hides(name) {
        errors.at(
            "spec-name",
            name,
            format!("beside a spec stands a type of its name, which would hide `{name}`\nhelp: give it another name, as in `sum_{name}`"),
        );
    }
}

/// Whether a type of that name would hide one of Rust's.
pub fn hides(name: &Ident) -> bool {
    let name = name.to_string();
    let scalar = Scalar::from_name(&name).is_some_and(|scalar| !scalar.is_half());
    scalar || ["i128", "u128", "isize", "usize", "char", "str"].contains(&name.as_str())
}

/// Rule: a function is one spec.
pub fn one_spec(attribute: Attribute, attrs: &[syn::Attribute], errors: &mut Errors) {
    for attr in attrs {
        if let Some(second) = Attribute::of(attr) {
            errors.at(
                "spec-once",
                attr,
                format!(
                    "this function is a `#[{}]` already\nhelp: write a second function for the `#[{}]`",
                    attribute.name(),
                    second.name()
                ),
            );
        }
    }
}

/// Rule: a filter says which elements are kept.
pub fn returns_bool(sig: &syn::Signature, mapped: Option<&Ty>, errors: &mut Errors) {
    if let Some(ty) = mapped
        && *ty != Ty::Scalar(Scalar::Bool)
    {
        errors.at(
            "filter-bool",
            &sig.output,
            format!("a filter returns bool, whether an element is kept, not {ty}\nhelp: write `-> bool`, and `keep = || …` for what is stored"),
        );
    }
}

/// Rule: a state has at most 64 bytes.
pub fn size(state: &Ty, module: &Module, at: impl ToTokens, errors: &mut Errors) {
    let (bytes, _) = state.layout(module);
    if bytes > LARGEST {
        errors.at(
            "state-size",
            at,
            format!("the state has {bytes} bytes; a lane carries at most {LARGEST}\nhelp: keep fewer or narrower fields"),
        );
    }
}

/// Rule: a result is a scalar, a struct, or a tuple of these, which comes apart into one array a field.
pub fn storable(result: &Ty, at: impl ToTokens + Spanned, errors: &mut Errors) {
    let message = match result {
        Ty::Tuple(fields) if fields.is_empty() => {
            "nothing would be stored\nhelp: give the result a value".to_owned()
        }
        Ty::Tuple(fields) if fields.iter().any(|f| matches!(f, Ty::Tuple(_))) => format!(
            "{result} does not come apart into arrays: a field is a scalar or a struct\nhelp: make it flat with `finish = |s| (…)`"
        ),
        Ty::Tuple(fields) if fields.len() > 4 => {
            format!(
                "a result comes apart into at most four arrays, not {}\nhelp: say with `keep = || …` what is stored",
                fields.len()
            )
        }
        _ => return,
    };
    errors.at("result-flat", at, message);
}

/// The function as the user wrote it, without our helper attributes.
pub fn plain(item: &syn::ItemFn) -> syn::ItemFn {
    let mut item = item.clone();
    item.attrs.retain(|attr| Attribute::of(attr).is_none());
    for input in &mut item.sig.inputs {
        if let syn::FnArg::Typed(typed) = input {
            typed
                .attrs
                .retain(|attr| !HELPERS.iter().any(|(name, _)| attr.path().is_ident(name)));
        }
    }
    item
}
