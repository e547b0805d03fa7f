//! A spec that nobody calls costs a build little: rustc generates code for no function that is written for it.
//!
//! A function that is neither generic nor `#[inline]` is code in the crate that holds it, with all that it calls: a
//! whole back end for each spec. The expansions that are committed stand for all.

use std::path::Path;

/// The functions that are written beside what the user wrote, which stand in constants: those without `#[inline]` and
/// without parameters of types or constants, and how many there are in all.
fn heavy(items: &[syn::Item], beside: bool, found: &mut Vec<String>, all: &mut usize) {
    let mut look = |attrs: &[syn::Attribute], sig: &syn::Signature| {
        let param = |param: &syn::GenericParam| !matches!(param, syn::GenericParam::Lifetime(_));
        let inline = attrs.iter().any(|attr| attr.path().is_ident("inline"));
        *all += 1;
        if !inline && !sig.generics.params.iter().any(param) {
            found.push(sig.ident.to_string());
        }
    };
    for item in items {
        match item {
            syn::Item::Fn(item) if beside => look(&item.attrs, &item.sig),
            syn::Item::Impl(item) if beside => {
                for item in &item.items {
                    if let syn::ImplItem::Fn(item) = item {
                        look(&item.attrs, &item.sig);
                    }
                }
            }
            _ => {}
        }
    }
    for item in items {
        match item {
            syn::Item::Mod(item) => {
                let inside = item.content.as_ref().map_or(&[][..], |(_, items)| items);
                heavy(inside, beside, found, all);
            }
            syn::Item::Const(item) => {
                if let syn::Expr::Block(block) = &*item.expr {
                    let inside = block.block.stmts.iter().filter_map(|stmt| match stmt {
                        syn::Stmt::Item(item) => Some(item.clone()),
                        _ => None,
                    });
                    heavy(&inside.collect::<Vec<_>>(), true, found, all);
                }
            }
            _ => {}
        }
    }
}

#[test]
fn no_function_is_code_before_it_is_called() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expansions");
    let (mut found, mut all) = (Vec::new(), 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        heavy(
            &syn::parse_file(&text).unwrap().items,
            false,
            &mut found,
            &mut all,
        );
    }
    assert!(all > 300, "{all} functions");
    assert!(found.is_empty(), "without `#[inline]`: {found:?}");
}

#[test]
fn a_function_that_is_code_at_once_is_found() {
    let text =
        "fn own() {} const _: () = { impl X { fn a() {} #[inline] fn b() {} fn c<P>() {} fn d<'a>() {} } };";
    let (mut found, mut all) = (Vec::new(), 0);
    heavy(&syn::parse_file(text).unwrap().items, false, &mut found, &mut all);
    assert_eq!(found, ["a", "d"]);
    assert_eq!(all, 4);
}
