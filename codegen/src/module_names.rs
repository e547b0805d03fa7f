//! The names of a module: what its `use` items bring in, and that its specs have names of their own.

use std::collections::HashMap;

use proc_macro2::Ident;

use crate::errors::Errors;

/// Rule: a spec of a module has a name of its own. One that has not is left out: all that is written for it would be
/// there twice. Under `#[cfg]` two may share a name.
pub fn check_names(items: &[syn::Item], functions: &mut Vec<syn::ItemFn>, errors: &mut Errors) {
    let cfg = |attrs: &[syn::Attribute]| attrs.iter().any(|attr| attr.path().is_ident("cfg"));
    let mut taken: Vec<Ident> = items
        .iter()
        .filter_map(|item| match item {
            syn::Item::Fn(item) if !cfg(&item.attrs) => Some(item.sig.ident.clone()),
            syn::Item::Struct(item) if !cfg(&item.attrs) => Some(item.ident.clone()),
            _ => None,
        })
        .collect();
    functions.retain(|function| {
        let name = &function.sig.ident;
        let twice = taken.contains(name);
        if twice && !cfg(&function.attrs) {
            errors.at(
                "spec-name",
                name,
                format!("`{name}` is the name of another spec, function or struct of this module\nhelp: give each a name of its own"),
            );
            return false;
        }
        if !cfg(&function.attrs) {
            taken.push(name.clone());
        }
        true
    });
}

/// What each `use` calls what.
pub fn uses(items: &[syn::Item]) -> HashMap<String, Vec<String>> {
    let mut found = HashMap::new();
    for item in items {
        if let syn::Item::Use(item) = item {
            tree(&item.tree, &mut Vec::new(), &mut found);
        }
    }
    found
}

fn tree(tree: &syn::UseTree, path: &mut Vec<String>, found: &mut HashMap<String, Vec<String>>) {
    let depth = path.len();
    match tree {
        syn::UseTree::Path(step) => {
            path.push(step.ident.to_string());
            self::tree(&step.tree, path, found);
        }
        syn::UseTree::Name(name) if name.ident == "self" => {
            found.extend(path.last().cloned().map(|last| (last, path.clone())));
        }
        syn::UseTree::Name(name) => {
            path.push(name.ident.to_string());
            found.insert(name.ident.to_string(), path.clone());
        }
        syn::UseTree::Rename(rename) => {
            path.push(rename.ident.to_string());
            found.insert(rename.rename.to_string(), path.clone());
        }
        syn::UseTree::Group(group) => group.items.iter().for_each(|item| self::tree(item, path, found)),
        // What a glob brings in cannot be known here; the language's own names need no `use`.
        syn::UseTree::Glob(_) => {}
    }
    path.truncate(depth);
}
