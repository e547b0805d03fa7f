//! The Rust writer: from a typed spec to the tokens that stand in the user's crate.
//!
//! What is written for `#[warp_reduce] fn row_max`: the function as the user wrote it; an empty type of the same
//! name with the associated functions that launch it; and, out of sight, the traits by which the runtime and the
//! CPU back end know the spec. The bodies in there are written from the typed expressions with Rust's release
//! meaning made explicit (`a.wrapping_add(b)`), and every token that the user wrote keeps its span, so that
//! rustc's errors, go to definition, hover and rename land where they should.
//!
//! Paths are absolute, names of our own begin with `__wf_`, nothing relies on a prelude, and no `unsafe` is written
//! for a spec: what is written compiles in crates that forbid unsafe code and deny every warning.

mod absent;
mod bind;
mod calls;
mod calls_common;
mod docs;
mod expr;
mod functions;
mod info;
mod reach;
mod refused;
mod structs;
mod traits;
mod value;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use std::rc::Rc;

use crate::ir::{Form, Module, Spec, Struct, Ty};

pub use refused::{Body, without_marks, write_refused};
pub use structs::write_module;

/// The tokens of a spec, given the CUDA C++ that was written for it.
pub fn write(spec: &Spec, cuda: &str) -> TokenStream {
    let writer = Writer::new(spec);
    let function = writer.function();
    let ty = writer.type_beside();
    let calls = writer.calls();
    let helpers = writer.helpers();
    let info = writer.info(cuda);
    let traits = writer.traits();
    let import = writer.import();
    let allow = allow();
    let cfgs = writer.cfgs();
    quote! {
        #function
        #ty
        #(#cfgs)*
        #allow
        const _: () = {
            #import
            #calls
            #info
            #traits
            #helpers
        };
    }
}

/// The functions of a module as the CPU back end runs them, without a spec. `None` where it has none.
pub fn write_functions(module: &Rc<Module>, krate: &syn::Path) -> Option<TokenStream> {
    let map = Rc::clone(module.functions.first()?);
    // Functions are written in the sight of a spec; they ask it only for its module and its crate.
    let spec = Spec {
        item: syn::parse_quote!(
            fn module() {}
        ),
        krate: krate.clone(),
        form: Form::Filter { keep: None },
        params: Vec::new(),
        map,
        op: None,
        state: Ty::UNIT,
        identity: None,
        init: None,
        any_order: false,
        width: None,
        mask: warpfold_lanes::Mask::FULL,
        result: Ty::UNIT,
        module: Rc::clone(module),
    };
    let writer = Writer::new(&spec);
    let functions = module
        .functions
        .iter()
        .map(|function| writer.lowered(&function.name, function));
    let import = writer.import();
    Some(quote!(#[allow(unused_imports)] #import #(#functions)*))
}

/// The short name of the hidden module of the runtime, where a span of the user's must not become its own.
fn runtime() -> Ident {
    Ident::new("__wf", Span::call_site())
}

/// Lints that say nothing about what the user wrote. Named one by one, because `warnings` does not cover what a
/// crate denies by name; none of them can be forbidden in a crate that uses macros.
fn allow() -> TokenStream {
    quote! {
        #[allow(
            unused, nonstandard_style, missing_docs, unreachable_code, unused_qualifications, unused_parens,
            trivial_casts, trivial_numeric_casts, single_use_lifetimes, elided_lifetimes_in_paths,
            clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction
        )]
    }
}

/// What the calls of a spec that is refused are written with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Refused {
    /// Their types, which are known.
    Typed,
    /// Anything they are given, and a result that is nothing.
    Untyped,
}

/// Writes the parts of one spec.
struct Writer<'a> {
    spec: &'a Spec,
    krate: &'a syn::Path,
    module: &'a Module,
    /// Where something is wrong with the spec its calls are written with bodies that never run.
    refused: Option<Refused>,
}

impl<'a> Writer<'a> {
    fn new(spec: &'a Spec) -> Self {
        Self {
            spec,
            krate: &spec.krate,
            module: &spec.module,
            refused: None,
        }
    }

    /// What gives the hidden module of the runtime its short name, by which everything that is written here goes:
    /// rustc parses and resolves each segment of each path anew for every spec.
    fn import(&self) -> TokenStream {
        let (krate, runtime) = (self.krate, runtime());
        quote!(use #krate::__private as #runtime;)
    }

    /// The body of an associated function, or one that never runs.
    fn or_never(&self, body: TokenStream) -> TokenStream {
        if self.refused.is_some() {
            quote!(::core::unreachable!())
        } else {
            body
        }
    }

    /// The spec's name, with the user's span.
    fn name(&self) -> &'a Ident {
        &self.spec.item.sig.ident
    }

    /// The annotated function as the user wrote it.
    fn function(&self) -> TokenStream {
        let item = &self.spec.item;
        // The map need not use every parameter, and nobody need call it.
        quote! {
            #[allow(dead_code, unused_variables, clippy::must_use_candidate, clippy::too_many_arguments)]
            #item
        }
    }

    /// The type of the same name.
    fn type_beside(&self) -> TokenStream {
        let (vis, name, docs) = (&self.spec.item.vis, self.name(), self.type_docs());
        let cfgs = self.cfgs();
        quote! {
            #(#cfgs)*
            #[doc = #docs]
            #[allow(non_camel_case_types, dead_code, clippy::all, clippy::pedantic)]
            #vis enum #name {}
        }
    }

    /// The `#[cfg]`s of the function, which hold for everything that is written beside it.
    fn cfgs(&self) -> Vec<&'a syn::Attribute> {
        self.spec
            .item
            .attrs
            .iter()
            .filter(|attr| attr.path().is_ident("cfg"))
            .collect()
    }

    /// A struct of the module.
    fn find_struct(&self, name: &str) -> &'a Struct {
        let found = self.module.structs.iter().find(|s| s.name == name);
        found.expect("the front end has resolved every struct")
    }
}
