//! `#[warp_module]`: structs, constants and helper functions that every spec in the module sees.
//!
//! [`read`] takes the module apart, understands what the specs share in the order it depends on itself, and then each
//! spec. Items that are none of these (`impl`, `mod`, …) stay as they are; bodies do not see them.

use std::rc::Rc;

use proc_macro2::TokenStream;

use crate::arguments::{self, Attribute};
use crate::body::{self, Source, Syntax};
use crate::check_item;
use crate::errors::Errors;
use crate::front;
use crate::infer::{Type, Types};
use crate::ir::{Constant, Module, Named, Spec, Struct, Ty};
use crate::module_names::{check_names, uses};
use crate::module_order::{circular, ordered, type_params};
use crate::scope::Scope;

/// A module, understood.
#[derive(Debug)]
pub struct Understood {
    /// The module without its specs: name, attributes, and every other item as it was written.
    pub item: syn::ItemMod,
    /// Its specs in their order.
    pub specs: Vec<Member>,
    /// The helper functions whose bodies are refused.
    pub bodies_refused: Vec<syn::Ident>,
    /// The constants whose values are refused.
    pub constants_refused: Vec<syn::Ident>,
    /// The structs that hold themselves, or one that does.
    pub endless: Vec<syn::Ident>,
    /// What they share.
    pub module: Rc<Module>,
    /// The path of the runtime crate.
    pub krate: syn::Path,
    /// Everything that is wrong.
    pub error: Option<syn::Error>,
}

/// A spec of a module.
#[derive(Debug)]
pub struct Member {
    /// The function as it was written, without its attribute of ours.
    pub function: syn::ItemFn,
    /// What it is, unless something is wrong with it.
    pub spec: Option<Spec>,
    /// Then what is known of it, for its calls alone.
    pub sketch: Option<Spec>,
    /// Whether something is wrong with its body.
    pub body_refused: bool,
}

/// Reads a whole module.
pub fn read(args: TokenStream, mut item: syn::ItemMod) -> Understood {
    let mut errors = Errors::default();
    let arguments = arguments::parse(Attribute::Module, args, &mut errors);
    let krate = front::krate(&arguments, &Scope::default(), &mut errors);
    let krate = krate.unwrap_or_else(|| syn::parse_quote!(::warpfold));
    let mut functions = Vec::new();
    match &mut item.content {
        Some((_, items)) => {
            let (specs, rest): (Vec<_>, Vec<_>) = std::mem::take(items)
                .into_iter()
                .partition(|item| spec_of(item).is_some());
            functions.extend(specs.into_iter().filter_map(|item| {
                if let syn::Item::Fn(f) = item {
                    Some(f)
                } else {
                    None
                }
            }));
            *items = rest;
        }
        None => errors.at(
            "module-body",
            &item,
            "a `#[warp_module]` has its body in place\nhelp: write `mod name { … }`",
        ),
    }
    let items = item.content.as_ref().map_or(&[][..], |(_, items)| items);
    check_names(items, &mut functions, &mut errors);
    let mut scope = Scope {
        krate: Some(krate.clone()),
        ..Scope::default()
    };
    scope.specs = functions.iter().map(|f| f.sig.ident.to_string()).collect();
    scope.uses = uses(items);
    let endless = structs(items, &mut scope, &mut errors);
    let constants_refused = constants(items, &mut scope, &mut errors);
    let bodies_refused = helpers(items, &mut scope, &mut errors);
    let specs = functions
        .into_iter()
        .map(|function| spec(function, &scope, &mut errors))
        .collect();
    Understood {
        item,
        specs,
        bodies_refused,
        constants_refused,
        endless,
        module: scope.module,
        krate,
        error: errors.done(Some(())).err(),
    }
}

/// Where the attribute of ours stands on an item, if it has one.
fn spec_of(item: &syn::Item) -> Option<(usize, Attribute)> {
    let syn::Item::Fn(function) = item else {
        return None;
    };
    attribute_of(&function.attrs)
}

fn attribute_of(attrs: &[syn::Attribute]) -> Option<(usize, Attribute)> {
    attrs
        .iter()
        .enumerate()
        .find_map(|(i, attr)| Attribute::of(attr).map(|attribute| (i, attribute)))
}

fn spec(mut function: syn::ItemFn, scope: &Scope, errors: &mut Errors) -> Member {
    let Some((at, attribute)) = attribute_of(&function.attrs) else {
        unreachable!("only functions with an attribute of ours are specs");
    };
    let attr = function.attrs.remove(at);
    let args = match attr.meta {
        syn::Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    };
    let body = front::Body::Read(&function.block);
    let front::Understood {
        spec,
        sketch,
        body_refused,
    } = front::understand(attribute, args, (&function, body), scope, errors);
    Member {
        function,
        spec,
        sketch,
        body_refused,
    }
}

/// Rule: a struct has named fields of scalars and structs, is `Clone` and `Copy`, and does not contain itself.
///
/// Gives the names of those that contain themselves, or one that does.
fn structs(items: &[syn::Item], scope: &mut Scope, errors: &mut Errors) -> Vec<syn::Ident> {
    let all: Vec<&syn::ItemStruct> = items
        .iter()
        .filter_map(|i| {
            if let syn::Item::Struct(s) = i {
                Some(s)
            } else {
                None
            }
        })
        .collect();
    let named: Vec<_> = all.iter().map(|s| (s.ident.clone(), &s.fields)).collect();
    let order = ordered(&named, false, errors);
    let endless = circular(&order, &named, scope);
    for at in order {
        let item = all[at];
        let before = errors.len();
        let fields = fields(item, scope, errors);
        check_copies(item, errors);
        let ty = Ty::Struct(item.ident.to_string());
        if errors.len() > before {
            scope.broken.push(item.ident.to_string());
            continue;
        }
        Rc::make_mut(&mut scope.module).structs.push(Struct {
            name: item.ident.clone(),
            fields,
        });
        check_item::size(&ty, &scope.module, &item.ident, errors);
    }
    endless
}

fn fields(item: &syn::ItemStruct, scope: &Scope, errors: &mut Errors) -> Vec<(syn::Ident, Ty)> {
    if !item.generics.params.is_empty() {
        errors.at(
            "struct-plain",
            &item.generics,
            "a struct of a `#[warp_module]` has no generic parameters\nhelp: write one struct for each type",
        );
    }
    // What a generic parameter is does not matter any more.
    let mut inside = scope.clone();
    inside.broken.extend(type_params(&item.generics));
    let syn::Fields::Named(named) = &item.fields else {
        errors.at(
            "struct-plain",
            &item.ident,
            "a struct of a `#[warp_module]` has named fields\nhelp: write `struct Name { field: f32 }`",
        );
        return Vec::new();
    };
    if named.named.is_empty() {
        errors.at(
            "struct-plain",
            &item.ident,
            "a struct of a `#[warp_module]` has at least one field\nhelp: add one",
        );
    }
    let mut fields = Vec::new();
    for field in &named.named {
        let ty = inside.ty(&field.ty, errors);
        if matches!(ty, Type::Tuple(_)) {
            errors.at(
                "struct-field",
                &field.ty,
                "a field is a scalar or a struct, because Rust leaves the layout of a tuple open\nhelp: make it a struct of its own",
            );
        }
        if let (Some(name), Some(ty)) = (&field.ident, Types::default().settle(&ty)) {
            fields.push((name.clone(), ty));
        }
    }
    fields
}

fn check_copies(item: &syn::ItemStruct, errors: &mut Errors) {
    let mut derived = Vec::new();
    for attr in item.attrs.iter().filter(|attr| attr.path().is_ident("derive")) {
        let _ = attr.parse_nested_meta(|meta| {
            derived.extend(meta.path.segments.last().map(|s| s.ident.to_string()));
            Ok(())
        });
    }
    if !["Clone", "Copy"]
        .iter()
        .all(|needed| derived.iter().any(|d| d == needed))
    {
        errors.at(
            "struct-copy",
            &item.ident,
            format!(
                "`{}` moves between lanes by copy\nhelp: add `#[derive(Clone, Copy)]`",
                item.ident
            ),
        );
    }
}

/// Rule: a constant is an expression of the language, and does not need itself.
///
/// Gives the names of those that are refused.
fn constants(items: &[syn::Item], scope: &mut Scope, errors: &mut Errors) -> Vec<syn::Ident> {
    let all: Vec<&syn::ItemConst> = items
        .iter()
        .filter_map(|i| {
            if let syn::Item::Const(c) = i {
                Some(c)
            } else {
                None
            }
        })
        .collect();
    let named: Vec<_> = all
        .iter()
        .filter(|c| c.ident != "_")
        .map(|c| (c.ident.clone(), &c.expr))
        .collect();
    let all: Vec<_> = all.into_iter().filter(|c| c.ident != "_").collect();
    let order = ordered(&named, false, errors);
    let mut refused = circular(&order, &named, scope);
    for at in order {
        let item = all[at];
        let ty = scope.ty(&item.ty, errors);
        let source = Types::default().settle(&ty).map(|ty| Source {
            name: item.ident.clone(),
            params: Vec::new(),
            outer: Vec::new(),
            ret: Some(ty),
            body: Syntax::Expr(&item.expr),
            constant: None,
        });
        if let Some((function, _)) = source.and_then(|source| body::function(&source, scope, errors)) {
            let (ty, value) = (function.ret.clone(), function.body.clone());
            Rc::make_mut(&mut scope.module).constants.push(Constant {
                name: item.ident.clone(),
                ty,
                value,
            });
        } else {
            scope.broken.push(item.ident.to_string());
            refused.push(item.ident.clone());
        }
    }
    refused
}

/// Rule: a helper is a plain function of the language, not named like an operator of the table, and not recursive.
///
/// Gives the names of those whose bodies are refused.
fn helpers(items: &[syn::Item], scope: &mut Scope, errors: &mut Errors) -> Vec<syn::Ident> {
    let all: Vec<&syn::ItemFn> = items
        .iter()
        .filter_map(|i| if let syn::Item::Fn(f) = i { Some(f) } else { None })
        .collect();
    for item in &all {
        let name = item.sig.ident.to_string();
        if Named::from_name(&name).is_some() {
            errors.at(
                "helper-name",
                &item.sig.ident,
                format!(
                    "`{name}` is the name of an operator of the table\nhelp: call the function `my_{name}`"
                ),
            );
        }
    }
    let named: Vec<_> = all.iter().map(|f| (f.sig.ident.clone(), &f.block)).collect();
    let order = ordered(&named, true, errors);
    circular(&order, &named, scope);
    let mut bodies_refused = Vec::new();
    for at in order {
        let before = errors.len();
        match helper(all[at], scope, errors) {
            Some(function) => Rc::make_mut(&mut scope.module).functions.push(function),
            None => scope.broken.push(all[at].sig.ident.to_string()),
        }
        if errors.len() > before {
            bodies_refused.push(all[at].sig.ident.clone());
        }
    }
    bodies_refused
}

fn helper(item: &syn::ItemFn, scope: &Scope, errors: &mut Errors) -> Option<Rc<crate::ir::Function>> {
    check_item::signature(&item.sig, errors);
    let mut inside = scope.clone();
    inside.broken.extend(type_params(&item.sig.generics));
    let scope = &inside;
    let mut params = Vec::new();
    for input in &item.sig.inputs {
        match input {
            syn::FnArg::Typed(typed) => {
                let ty = scope.ty(&typed.ty, errors);
                params.push(((*typed.pat).clone(), Types::default().settle(&ty)));
            }
            syn::FnArg::Receiver(receiver) => {
                errors.at(
                    "param-self",
                    receiver,
                    "a function of the module has no `self`\nhelp: write a plain parameter",
                );
                return None;
            }
        }
    }
    let ret = match &item.sig.output {
        syn::ReturnType::Type(_, ty) => scope.ty(ty, errors),
        syn::ReturnType::Default => {
            errors.span(
                "result-missing",
                item.sig.ident.span(),
                "a function of the module returns a value\nhelp: give it a result, as in `-> f32`",
            );
            return None;
        }
    };
    let params: Option<Vec<_>> = params.into_iter().map(|(pat, ty)| Some((pat, ty?))).collect();
    let source = Source {
        name: item.sig.ident.clone(),
        params: params?,
        outer: Vec::new(),
        ret: Some(Types::default().settle(&ret)?),
        body: Syntax::Block(&item.block),
        constant: None,
    };
    body::function(&source, scope, errors).map(|(function, _)| function)
}
