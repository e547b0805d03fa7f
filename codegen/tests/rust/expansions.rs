//! What stands in the user's crate, as committed in `tests/expansions`, for every spec and module of `tests/goldens`.
//!
//! `WARPFOLD_BLESS=1` writes the committed files anew.

use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use warpfold_codegen::arguments::Attribute;
use warpfold_codegen::scope::Scope;
use warpfold_codegen::{front, module, rust};

/// Stands for the CUDA C++, which has files of its own.
const CUDA: &str = "the CUDA C++ of the spec";

fn tests() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// Compares with the committed file, or writes it.
fn check(name: &str, tokens: TokenStream) -> Option<String> {
    let file = syn::parse2(tokens).expect("what is written is Rust");
    let text = prettyplease::unparse(&file);
    let path = tests().join("expansions").join(name).with_extension("rs");
    if std::env::var_os("WARPFOLD_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let committed = std::fs::read_to_string(&path)
        .unwrap_or_default()
        .replace("\r\n", "\n");
    (committed != text)
        .then(|| format!("{name} is not as committed; `WARPFOLD_BLESS=1` writes it anew:\n{text}"))
}

fn expanded(source: &Path) -> TokenStream {
    match syn::parse_str(&std::fs::read_to_string(source).unwrap()).unwrap() {
        syn::Item::Fn(item) => function(item, source),
        syn::Item::Mod(item) => whole_module(item, source),
        _ => panic!("{} is neither a function nor a module", source.display()),
    }
}

fn function(mut item: syn::ItemFn, source: &Path) -> TokenStream {
    let (kind, args) = taken(item.attrs.remove(0));
    let spec = front::spec(kind, args, &item, &Scope::default());
    rust::write(
        &spec.unwrap_or_else(|error| panic!("{}: {error}", source.display())),
        CUDA,
    )
}

fn whole_module(mut item: syn::ItemMod, source: &Path) -> TokenStream {
    let (_, args) = taken(item.attrs.remove(0));
    let understood = module::read(args, item);
    if let Some(error) = &understood.error {
        panic!("{}: {error}", source.display());
    }
    rust::write_module(&understood, |_| CUDA.to_owned())
}

/// An attribute of ours and its arguments.
fn taken(attribute: syn::Attribute) -> (Attribute, TokenStream) {
    let kind = Attribute::from_name(&attribute.path().get_ident().unwrap().to_string()).unwrap();
    match attribute.meta {
        syn::Meta::List(list) => (kind, list.tokens),
        _ => (kind, TokenStream::new()),
    }
}

#[test]
fn specs_expand_as_committed() {
    let sources = std::fs::read_dir(tests().join("goldens"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut sources: Vec<_> = sources
        .filter(|path| path.extension().is_some_and(|e| e == "rs"))
        .collect();
    sources.sort();
    assert!(sources.len() >= 10, "the specs are in tests/goldens");
    let name = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let wrong: Vec<String> = sources
        .iter()
        .filter_map(|source| check(&name(source), expanded(source)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
