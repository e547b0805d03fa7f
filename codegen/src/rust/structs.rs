//! A `#[warp_module]`: its items as they were written, its structs laid out as in C, so that the device sees the bytes
//! the host has, and each of its specs in full.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

use super::reach::Reach;
use crate::ir::{Scalar, Spec, Struct, Ty};
use crate::module::Understood;
use crate::module_order::mentions;

/// The tokens of a module, given what writes the CUDA C++ of a spec.
pub fn write_module(understood: &Understood, cuda: impl Fn(&Spec) -> String) -> TokenStream {
    let Understood {
        item,
        specs,
        bodies_refused,
        constants_refused,
        endless,
        module,
        krate,
        error,
    } = understood;
    let error = error.as_ref().map(syn::Error::to_compile_error);
    let Some((_, items)) = &item.content else {
        return quote!(#error #item);
    };
    let known = specs
        .iter()
        .filter_map(|member| member.spec.as_ref().or(member.sketch.as_ref()));
    let reach = Reach::of(known, module);
    let items = items.iter().map(|item| match item {
        syn::Item::Struct(item) if endless.contains(&item.ident) => finite(item, endless),
        syn::Item::Struct(item) => {
            let known = module.find_struct(&item.ident.to_string());
            known.map_or_else(
                || quote!(#item),
                |known| write_struct(item, &reach.raised(item), known, &module.structs, krate),
            )
        }
        syn::Item::Fn(item) if bodies_refused.contains(&item.sig.ident) || mentions(item, endless) => {
            super::refused::without_body(&super::refused::without_self(item))
        }
        syn::Item::Const(item) if constants_refused.contains(&item.ident) => stand_in(item),
        // Specs call these in lowered form, so that rustc need not find a use of what the user wrote.
        syn::Item::Fn(_) | syn::Item::Const(_) | syn::Item::Use(_) => {
            quote!(#[allow(dead_code, unused_imports)] #item)
        }
        _ => quote!(#item),
    });
    let specs = specs.iter().map(|member| {
        let written = member.spec.as_ref().map(|spec| super::write(spec, &cuda(spec)));
        let body = super::Body::read(member.body_refused || mentions(&member.function, endless));
        written.unwrap_or_else(|| {
            let function = super::refused::without_self(&member.function);
            super::write_refused(&function, body, member.sketch.as_ref())
        })
    });
    let (outer, inner): (Vec<_>, Vec<_>) = item
        .attrs
        .iter()
        .partition(|attr| matches!(attr.style, syn::AttrStyle::Outer));
    let (vis, name) = (&item.vis, &item.ident);
    quote! {
        #error
        #(#outer)*
        #vis mod #name {
            #(#inner)*
            #(#items)*
            #(#specs)*
        }
    }
}

/// A struct as the user wrote it, or `raised` so that its specs may show it, made `repr(C)`, and what lets it stand in arrays.
///
/// A struct that holds a tuple is a state and no element: Rust does not say how a tuple is laid out.
fn write_struct(
    item: &syn::ItemStruct,
    raised: &TokenStream,
    known: &Struct,
    all: &[Struct],
    krate: &syn::Path,
) -> TokenStream {
    let name = &item.ident;
    let repr = (!is_repr_c(item)).then(|| quote!(#[repr(C)]));
    if holds_tuple(known, all) {
        return quote!(#repr #raised);
    }
    let fields = item.fields.iter().map(|field| {
        let (name, ty) = (&field.ident, &field.ty);
        quote!(#name: <#ty as #krate::Element>::ZERO)
    });
    let types: Vec<_> = item.fields.iter().map(|field| &field.ty).collect();
    let cfgs = item.attrs.iter().filter(|attr| attr.path().is_ident("cfg"));
    let cfgs: Vec<_> = cfgs.collect();
    // The user's name with the span of the expansion: a missing `Copy` is reported at the struct, and lints on
    // `unsafe` do not apply to what a macro writes.
    let span = Span::mixed_site().located_at(name.span());
    let element = quote_spanned! {span=>
        #(#cfgs)*
        #[automatically_derived]
        impl #krate::Element for #name {
            const ZERO: Self = Self { #(#fields),* };
            const PADDED: bool =
                #(<#types as #krate::Element>::PADDED ||)*
                ::core::mem::size_of::<Self>() != 0 #(+ ::core::mem::size_of::<#types>())*;
        }
    };
    quote! {
        #repr
        #raised
        #(#cfgs)*
        #[doc = " SAFETY: the struct is `repr(C)`, and every field is an `Element`, as its `ZERO` shows: plain bytes that"]
        #[doc = " mean the same on the host and on the device."]
        #[automatically_derived]
        unsafe impl #krate::__private::DeviceRepr for #name {}
        #element
    }
}

/// A struct that holds itself, with references in the place of what makes it endless: rustc would say so once more, and
/// advise a `Box`. Its fields can be named all the same, but not given: the bodies of functions that mention it are left out.
fn finite(item: &syn::ItemStruct, endless: &[syn::Ident]) -> TokenStream {
    let mut item = item.clone();
    for field in item
        .fields
        .iter_mut()
        .filter(|field| mentions(&field.ty, endless))
    {
        let ty = &field.ty;
        field.ty = syn::parse_quote!(&'static #ty);
    }
    quote!(#[allow(dead_code)] #item)
}

/// A constant whose value is refused: rustc would refuse it too, so that another of its type stands there. Of a type
/// that has no literals it stays as it is.
fn stand_in(item: &syn::ItemConst) -> TokenStream {
    let scalar = match &*item.ty {
        syn::Type::Path(path) => path.path.get_ident().map(ToString::to_string),
        _ => None,
    };
    let scalar = scalar.and_then(|name| Scalar::from_name(&name));
    let value = match scalar {
        Some(Scalar::Bool) => quote!(false),
        Some(scalar) if scalar.is_int() => quote!(0),
        Some(scalar) if !scalar.is_half() => quote!(0.0),
        _ => return quote!(#item),
    };
    let mut item = item.clone();
    *item.expr = syn::Expr::Verbatim(value);
    quote!(#[allow(dead_code)] #item)
}

fn is_repr_c(item: &syn::ItemStruct) -> bool {
    item.attrs.iter().any(|attr| {
        let mut found = false;
        if attr.path().is_ident("repr") {
            // What rustc refuses in a `repr` it refuses by itself.
            let _ = attr.parse_nested_meta(|meta| {
                found |= meta.path.is_ident("C");
                Ok(())
            });
        }
        found
    })
}

fn holds_tuple(item: &Struct, all: &[Struct]) -> bool {
    item.fields.iter().any(|(_, ty)| match ty {
        Ty::Scalar(_) => false,
        Ty::Tuple(_) => true,
        Ty::Struct(name) => all
            .iter()
            .find(|s| s.name == name)
            .is_some_and(|inner| holds_tuple(inner, all)),
    })
}
