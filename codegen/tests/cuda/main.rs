//! The CUDA C++ of specs as users write them: as committed, and through real compilers.
//!
//! `WARPFOLD_BLESS=1` writes the committed files anew.

mod goldens;

use std::path::PathBuf;

use warpfold_codegen::arguments::Attribute;
use warpfold_codegen::scope::Scope;
use warpfold_codegen::{cuda, front};

/// A golden: a spec as a user writes it, and what the writer makes of it.
struct Golden {
    name: String,
    path: PathBuf,
    text: String,
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

fn golden(source: &std::path::Path) -> Golden {
    let name = source.file_stem().unwrap().to_str().unwrap().to_owned();
    let mut item: syn::ItemFn = syn::parse_str(&std::fs::read_to_string(source).unwrap()).unwrap();
    let attribute = item.attrs.remove(0);
    let kind = Attribute::from_name(&attribute.path().get_ident().unwrap().to_string()).unwrap();
    let args = match attribute.meta {
        syn::Meta::List(list) => list.tokens,
        _ => proc_macro2::TokenStream::new(),
    };
    let spec = front::spec(kind, args, &item, &Scope::default()).unwrap_or_else(|error| {
        let errors: Vec<String> = error.into_iter().map(|error| error.to_string()).collect();
        panic!("{name} is refused: {}", errors.join("\n"))
    });
    Golden {
        path: source.with_extension("cu"),
        text: cuda::write(&spec),
        name,
    }
}
