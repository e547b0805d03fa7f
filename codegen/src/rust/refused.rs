//! What stands in for what was refused: enough that no second error follows from the first, and that the editor goes on
//! completing in the body.

use proc_macro2::TokenStream;
use quote::quote;

/// What stands in for a spec that was refused: the function, so that calls of it still resolve, and an empty type.
///
/// Where the mistake is in the body, rustc would report it too: it is then shown to the editor alone.
pub fn write_refused(item: &syn::ItemFn, body_refused: bool) -> TokenStream {
    let mut item = item.clone();
    for input in &mut item.sig.inputs {
        if let syn::FnArg::Typed(input) = input {
            input.attrs.retain(is_of_rust);
        }
    }
    let (vis, name) = (&item.vis, &item.sig.ident);
    let function = if body_refused {
        without_body(&item)
    } else {
        quote!(#[allow(dead_code, unused_variables)] #item)
    };
    quote! {
        #function
        #[allow(non_camel_case_types, dead_code, missing_docs)]
        #vis enum #name {}
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

/// Whether rustc knows an attribute of a parameter: ours it does not, nor one that was meant to be ours.
fn is_of_rust(attr: &syn::Attribute) -> bool {
    const RUSTS: [&str; 7] = ["cfg", "cfg_attr", "allow", "expect", "warn", "deny", "forbid"];
    RUSTS.iter().any(|name| attr.path().is_ident(name))
}
