//! How far the structs of a module are seen: at least as far as the specs whose state, element or result they are.
//!
//! The types of a spec stand in implementations of public traits, where rustc takes no type that fewer people see than
//! the spec (E0446); of a plain function it would only warn. Nothing of the struct's fields changes.

use std::collections::HashMap;

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::{Module, Spec, Ty};

/// By the name of a struct, the visibility of the spec that is seen furthest of those that need it.
#[derive(Default)]
pub(super) struct Reach<'a>(HashMap<String, &'a syn::Visibility>);

impl<'a> Reach<'a> {
    /// Every struct that the types of these specs name, or hold.
    pub(super) fn of(specs: impl Iterator<Item = &'a Spec>, module: &Module) -> Self {
        let mut reach = Self::default();
        for spec in specs {
            let params = spec.params.iter().map(|param| &param.local.ty);
            let types = [&spec.state, &spec.result, &spec.map.ret];
            for ty in params.chain(types) {
                reach.raise(ty, &spec.item.vis, module);
            }
        }
        reach
    }

    fn raise(&mut self, ty: &Ty, vis: &'a syn::Visibility, module: &Module) {
        if let Ty::Struct(name) = ty {
            let known = self.0.get(name).map_or(0, |known| distance(known));
            if known >= distance(vis) {
                return;
            }
            self.0.insert(name.clone(), vis);
        }
        for field in ty.fields(module) {
            self.raise(field, vis, module);
        }
    }

    /// The struct, made visible as far as a spec needs it.
    pub(super) fn raised(&self, item: &syn::ItemStruct) -> TokenStream {
        let vis = self.0.get(&item.ident.to_string());
        match vis.filter(|vis| distance(vis) > distance(&item.vis)) {
            None => quote!(#item),
            Some(vis) => {
                let mut item = item.clone();
                item.vis = (**vis).clone();
                // What the user did not make public the user need not document.
                quote!(#[allow(missing_docs, unreachable_pub)] #item)
            }
        }
    }
}

/// Visibilities in their order: an inherited one is 0.
fn distance(vis: &syn::Visibility) -> u8 {
    match vis {
        syn::Visibility::Inherited => 0,
        syn::Visibility::Restricted(to) if to.path.is_ident("self") => 0,
        syn::Visibility::Restricted(to) if to.path.is_ident("super") => 1,
        syn::Visibility::Restricted(to) if to.path.is_ident("crate") => 3,
        syn::Visibility::Restricted(_) => 2,
        syn::Visibility::Public(_) => 4,
    }
}
