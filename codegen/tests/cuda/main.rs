//! The CUDA C++ of specs as users write them: as committed, and through real compilers.
//!
//! `WARPFOLD_BLESS=1` writes the committed files anew.

mod condition;
mod goldens;
mod nvrtc;
mod reread;

use std::path::{Path, PathBuf};

use warpfold_codegen::arguments::Attribute;
use warpfold_codegen::ir::Spec;
use warpfold_codegen::scope::Scope;
use warpfold_codegen::{cuda, front, module};

/// A golden: a spec as a user writes it, and what the writer makes of it.
struct Golden {
    name: String,
    path: PathBuf,
    text: String,
    spec: Spec,
}

/// Every `goldens/NAME.rs`, in the order of their names.
fn all() -> Vec<Golden> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/goldens");
    let mut sources: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    sources.sort();
    sources.iter().map(|source| golden(source)).collect()
}

fn golden(source: &Path) -> Golden {
    let name = source.file_stem().unwrap().to_str().unwrap().to_owned();
    let rust = std::fs::read_to_string(source).unwrap();
    let spec = match syn::parse_str(&rust).unwrap() {
        syn::Item::Fn(function) => alone(function),
        syn::Item::Mod(module) => in_module(module),
        _ => panic!("{name} is a function or a module"),
    };
    let spec = spec.unwrap_or_else(|error| {
        let errors: Vec<String> = error.into_iter().map(|error| error.to_string()).collect();
        panic!("{name} is refused: {}", errors.join("\n"))
    });
    Golden {
        path: source.with_extension("cu"),
        text: cuda::write(&spec),
        spec,
        name,
    }
}

/// A spec outside of a module.
fn alone(mut function: syn::ItemFn) -> syn::Result<Spec> {
    let (kind, args) = attribute(&function.attrs.remove(0));
    front::spec(kind, args, &function, &Scope::default())
}

/// The one spec of a module.
fn in_module(mut module: syn::ItemMod) -> syn::Result<Spec> {
    let (_, args) = attribute(&module.attrs.remove(0));
    let understood = module::read(args, module);
    match understood.error {
        Some(error) => Err(error),
        None => Ok(understood
            .specs
            .into_iter()
            .find_map(|member| member.spec)
            .unwrap()),
    }
}

fn attribute(attribute: &syn::Attribute) -> (Attribute, proc_macro2::TokenStream) {
    let kind = Attribute::from_name(&attribute.path().get_ident().unwrap().to_string()).unwrap();
    let args = match &attribute.meta {
        syn::Meta::List(list) => list.tokens.clone(),
        _ => proc_macro2::TokenStream::new(),
    };
    (kind, args)
}
