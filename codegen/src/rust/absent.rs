//! The launches that a form does not have: a call of one is one error, which says what there is instead.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::Writer;
use super::calls_common::Call;
use crate::ir::Form;

/// What people look for in every form, with the first half of the name of the trait whose message answers, and whether it
/// has an argument in front of the annotated function's.
const LOOKED_FOR: [(&str, &str, bool); 4] = [
    ("rows", "Rows", true),
    ("columns", "Columns", true),
    ("segments", "Segments", true),
    ("array", "Array", false),
];

impl Writer<'_> {
    /// A function for each that is not `there`, which no argument fits. Nothing is compiled for it, and rust-analyzer, which
    /// would offer it while one types, does not see it.
    pub(super) fn absent(&self, there: &[Call]) -> TokenStream {
        let absent = LOOKED_FOR.into_iter();
        let mut absent = absent
            .filter(|(name, ..)| there.iter().all(|call| call.name != *name))
            .peekable();
        if absent.peek().is_none() {
            return TokenStream::new();
        }
        let form = match &self.spec.form {
            Form::Reduce { apply: Some(_), .. } => "Apply",
            Form::Reduce { .. } => "Reduce",
            Form::Scan { .. } => "Scan",
            Form::Filter { .. } => "Filter",
            Form::Shuffle { .. } => "Shuffle",
        };
        let name = self.name();
        let functions = absent.map(|(launch, rule, leads)| {
            let (launch, rule) = (format_ident!("{launch}"), format_ident!("{rule}Of{form}"));
            let others = (1..self.passed().count() + usize::from(leads)).map(|_| quote!(impl __wf::Sized));
            // What it gives is free, so that nothing about its result is a second error.
            quote! {
                #[cfg(not(rust_analyzer))]
                #[doc(hidden)]
                pub fn #launch<__Wf>(
                    _: impl __wf::#rule<Self> #(, _: #others)*
                ) -> __wf::Result<__Wf, __wf::Error> {
                    loop {}
                }
            }
        });
        quote! {
            #[allow(unexpected_cfgs)]
            impl #name {
                #(#functions)*
            }
        }
    }
}
