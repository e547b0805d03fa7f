//! The front end from the outside: specs that are accepted, specs that are refused and what they say.

mod accepted;
mod follow_on;
mod helps;
mod laws;
mod modules;
mod rare;
mod refused;
mod survives;
mod together;

use warpfold_codegen::arguments::Attribute;
use warpfold_codegen::front;
use warpfold_codegen::ir::Spec;
use warpfold_codegen::scope::Scope;

/// The spec that one annotated function is, written as a user writes it.
fn spec(text: &str) -> syn::Result<Spec> {
    let mut item: syn::ItemFn = syn::parse_str(text).unwrap();
    let at = item
        .attrs
        .iter()
        .position(|attr| {
            Attribute::from_name(&attr.path().segments.last().unwrap().ident.to_string()).is_some()
        })
        .expect("the function has an attribute of ours");
    let attr = item.attrs.remove(at);
    let attribute = Attribute::from_name(&attr.path().segments.last().unwrap().ident.to_string()).unwrap();
    let args = match attr.meta {
        syn::Meta::List(list) => list.tokens,
        _ => proc_macro2::TokenStream::new(),
    };
    front::spec(attribute, args, &item, &Scope::default())
}

/// The spec, which is right.
fn right(text: &str) -> Spec {
    spec(text).unwrap_or_else(|error| panic!("{text}\nis refused: {}", all(error).join("\n")))
}

/// What is wrong with a spec.
fn wrong(text: &str) -> Vec<String> {
    match spec(text) {
        Ok(_) => panic!("{text}\nis accepted"),
        Err(error) => all(error),
    }
}

fn all(error: syn::Error) -> Vec<String> {
    error.into_iter().map(|e| e.to_string()).collect()
}

/// The source text that each error of a spec underlines.
fn spans(text: &str) -> Vec<String> {
    let Err(error) = spec(text) else {
        panic!("{text}\nis accepted")
    };
    let line = |at: proc_macro2::LineColumn| {
        text.split_inclusive('\n')
            .take(at.line - 1)
            .map(str::len)
            .sum::<usize>()
    };
    let place = |at: proc_macro2::LineColumn| {
        let rest = &text[line(at)..];
        line(at)
            + rest
                .char_indices()
                .nth(at.column)
                .map_or(rest.len(), |(byte, _)| byte)
    };
    error
        .into_iter()
        .map(|e| text[place(e.span().start())..place(e.span().end())].to_owned())
        .collect()
}
