//! How the functions of a spec get their arguments on the CPU: arrays and uniforms are bound once a launch, elements
//! are read at a position.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::Index;

use super::Writer;
use super::functions::own;
use super::value::Type;
use crate::ir::{ParamKind, Ty};

impl Writer<'_> {
    /// The implementation of `Bind`.
    pub(super) fn bind(&self) -> TokenStream {
        let name = self.name();
        let passed = || self.spec.params.iter().filter(|param| is_passed(param.kind));
        let types = passed().map(|param| {
            let ty = self.ty(&param.local.ty);
            if param.kind == ParamKind::Uniform {
                quote!(#ty)
            } else {
                quote!(&'a [#ty])
            }
        });
        let values = passed().enumerate().map(|(i, param)| {
            let ty = self.ty(&param.local.ty);
            let method = if param.kind == ParamKind::Uniform {
                "value"
            } else {
                "slice"
            };
            let method = format_ident!("{method}");
            quote!(__wf_arguments[#i].#method::<#ty>())
        });
        let live = self
            .spec
            .params
            .iter()
            .position(|param| param.kind == ParamKind::Live)
            .map(|live| {
                let value = self.read(live);
                quote! {
                    #[inline(always)]
                    fn live(__wf_bound: &Self::Bound<'_>, __wf_at: __wf::At) -> u64 { #value as u64 }
                }
            });
        quote! {
            impl __wf::Bind for #name {
                type Bound<'a> = (#(#types,)*);
                #[inline(always)]
                fn bind<'a>(__wf_arguments: &'a [__wf::Argument<'a>]) -> Self::Bound<'a> {
                    (#(#values,)*)
                }
                #live
            }
        }
    }

    /// The value of a parameter at `__wf_at`.
    pub(super) fn read(&self, param: usize) -> TokenStream {
        let field = self.field(param);
        let ty = self.ty(&self.spec.params[param].local.ty);
        match self.spec.params[param].kind {
            ParamKind::Plain => quote!(__wf_bound.#field[__wf_at.element]),
            ParamKind::PerColumn => quote!(__wf_bound.#field[__wf_at.index as usize]),
            ParamKind::PerRow | ParamKind::Live => quote!(__wf_bound.#field[__wf_at.row as usize]),
            ParamKind::Uniform => quote!(__wf_bound.#field),
            ParamKind::Index => number("index", &ty),
            ParamKind::Row => number("row", &ty),
            ParamKind::Len => number("len", &ty),
        }
    }

    /// The values of all parameters at `__wf_at`, in the function's order.
    pub(super) fn read_all(&self) -> Vec<TokenStream> {
        (0..self.spec.params.len())
            .map(|param| self.read(param))
            .collect()
    }

    /// The statements that come before a loop over a block of elements, and the value of each of `params` inside the loop.
    pub(super) fn read_block(
        &self,
        params: impl IntoIterator<Item = usize>,
    ) -> (TokenStream, Vec<TokenStream>) {
        let mut before = TokenStream::new();
        let mut values = Vec::new();
        for i in params {
            let param = &self.spec.params[i];
            let (name, field) = (own(&format!("p{i}")), self.field(i));
            let (hoisted, value) = match param.kind {
                ParamKind::Plain => (
                    quote!(__wf::arith::window::<_, __WF_N>(__wf_bound.#field, __wf_at.element)),
                    quote!(#name[__wf_i]),
                ),
                ParamKind::PerColumn => (
                    quote!(__wf::arith::window::<_, __WF_N>(__wf_bound.#field, __wf_at.index as usize)),
                    quote!(#name[__wf_i]),
                ),
                ParamKind::Index => {
                    let ty = self.ty(&param.local.ty);
                    (
                        quote!(__wf_at.index),
                        quote!(#name.wrapping_add(__wf_i as u64) as #ty),
                    )
                }
                _ => (self.read(i), quote!(#name)),
            };
            before.extend(quote!(let #name = #hoisted;));
            values.push(value);
        }
        (before, values)
    }

    /// The field of the bound arguments that belongs to a parameter that is passed.
    fn field(&self, param: usize) -> Index {
        Index::from(
            self.spec.params[..param]
                .iter()
                .filter(|param| is_passed(param.kind))
                .count(),
        )
    }

    /// The parameters that the caller passes: name, kind and type.
    pub(super) fn passed(&self) -> impl Iterator<Item = (&Ident, ParamKind, &Ty)> {
        let passed = self.spec.params.iter().filter(|param| is_passed(param.kind));
        passed.map(|param| (&param.local.name, param.kind, &param.local.ty))
    }
}

fn number(field: &str, ty: &Type) -> TokenStream {
    let field = format_ident!("{field}");
    quote!(__wf_at.#field as #ty)
}

/// Whether the caller passes parameters of this kind.
pub(super) fn is_passed(kind: ParamKind) -> bool {
    !matches!(kind, ParamKind::Index | ParamKind::Row | ParamKind::Len)
}
