//! What the bodies of a spec can see beside their own parameters: the module's structs, constants, helper functions
//! and `use` items.

use std::collections::HashMap;
use std::rc::Rc;

use crate::errors::Errors;
use crate::infer::Type;
use crate::ir::{Constant, Function, Module, Scalar, Struct};

/// Names in sight of a body.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// What has been understood so far.
    pub module: Rc<Module>,
    /// What `use` items call things: the name in sight and the whole path.
    pub uses: HashMap<String, Vec<String>>,
    /// Functions of the module that are specs: bodies may not call them.
    pub specs: Vec<String>,
    /// Items of the module that are wrong, which was reported: using them is no second mistake.
    pub broken: Vec<String>,
    /// The path of the runtime crate, where the module gives one.
    pub krate: Option<syn::Path>,
}

impl Scope {
    /// The path with its first segment replaced by what a `use` item says it is.
    pub fn expand(&self, path: &syn::Path) -> Vec<String> {
        let mut segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        if segments.len() > 1 && segments[0] == "self" {
            segments.remove(0);
        }
        if let Some(whole) = segments.first().and_then(|first| self.uses.get(first)) {
            segments.splice(0..1, whole.iter().cloned());
        }
        segments
    }

    /// Whether an item of that name is wrong, which was reported.
    pub fn is_broken(&self, name: &str) -> bool {
        self.broken.iter().any(|broken| broken == name)
    }

    /// The struct of that name.
    pub fn find_struct(&self, name: &str) -> Option<&Struct> {
        self.module.find_struct(name)
    }

    /// The constant of that name.
    pub fn find_constant(&self, name: &str) -> Option<&Constant> {
        self.module.constants.iter().find(|c| c.name == name)
    }

    /// The helper function of that name.
    pub fn find_function(&self, name: &str) -> Option<&Rc<Function>> {
        self.module.functions.iter().find(|f| f.name == name)
    }

    /// Rule: a type is one of the scalars, a tuple of up to four types, or a struct of the module.
    pub fn ty(&self, ty: &syn::Type, errors: &mut Errors) -> Type {
        match ty {
            syn::Type::Paren(inner) => self.ty(&inner.elem, errors),
            syn::Type::Group(inner) => self.ty(&inner.elem, errors),
            syn::Type::Tuple(tuple) if tuple.elems.len() > 4 => {
                errors.at(
                    "tuple-size",
                    tuple,
                    "a tuple has at most four fields here\nhelp: use a struct of a `#[warp_module]`",
                );
                Type::Wrong
            }
            syn::Type::Tuple(tuple) => Type::Tuple(tuple.elems.iter().map(|t| self.ty(t, errors)).collect()),
            syn::Type::Path(path) if path.qself.is_none() => {
                if let Some(known) = self.named_type(&path.path) {
                    return known;
                }
                errors.at("type", ty, unsupported(&crate::print::ty(ty)));
                Type::Wrong
            }
            _ => {
                errors.at("type", ty, unsupported(&crate::print::ty(ty)));
                Type::Wrong
            }
        }
    }

    /// The type that a path names.
    pub fn named_type(&self, path: &syn::Path) -> Option<Type> {
        if path.segments.iter().any(|s| !s.arguments.is_empty()) {
            // A generic struct of the module was refused.
            let broken = path.segments.len() == 1 && self.is_broken(&path.segments[0].ident.to_string());
            return broken.then_some(Type::Wrong);
        }
        let segments = self.expand(path);
        let names: Vec<&str> = segments.iter().map(String::as_str).collect();
        match *names {
            [name] if self.is_broken(name) => Some(Type::Wrong),
            [name] if self.find_struct(name).is_some() => Some(Type::Struct(name.to_owned())),
            // `half::f16`, `warpfold::f16`, or under another name of either crate: that it is half's own rustc sees.
            [name] | ["core" | "std", "primitive", name] | [.., name @ ("f16" | "bf16")] => {
                Scalar::from_name(name).map(Type::Scalar)
            }
            _ => None,
        }
    }
}

/// What a reference refers to, or the elements of a slice behind one: `f32` of `&'a mut [f32]`.
fn referenced(name: &str) -> &str {
    let name = name.trim_start_matches('&').trim_start();
    let name = match name.strip_prefix('\'') {
        Some(lifetime) => lifetime.split_once(' ').map_or("", |(_, rest)| rest),
        None => name,
    };
    name.trim_start_matches("mut ").trim_matches(['[', ']', ' '])
}

const TEXT: &str = "text stays on the host: give each one a number, and write `u32`";

fn unsupported(name: &str) -> String {
    let help = match name {
        "usize" => "write `u32` or `u64`".to_owned(),
        "isize" => "write `i32` or `i64`".to_owned(),
        "char" => "write `u32` or `u8`".to_owned(),
        "str" | "String" => TEXT.to_owned(),
        _ if name.starts_with('&') => match referenced(name) {
            element if Scalar::from_name(element).is_some() => {
                format!("elements arrive one by one, by value: write `{element}`")
            }
            "str" | "String" => TEXT.to_owned(),
            _ => "elements arrive one by one, by value: write the type without `&`".to_owned(),
        },
        _ if name.starts_with('[') => {
            "use a tuple of up to four fields, or a struct of a `#[warp_module]`".to_owned()
        }
        "u128" => "write `u64`, or take the halves as two of them".to_owned(),
        "i128" => "write `i64`, or take the halves as two numbers".to_owned(),
        _ if name.starts_with("Option<") => {
            "take whether there is one as a `bool` of its own, beside the value".to_owned()
        }
        _ if name.contains('<') => "write the type of one element, without what holds it".to_owned(),
        _ => "a struct must stand in the same `#[warp_module]`".to_owned(),
    };
    format!(
        "`{name}` is not a type of the language; accepted are f32, f64, f16, bf16, i8, i16, i32, i64, u8, u16, u32, \
         u64, bool, tuples of up to four of them, and structs of a `#[warp_module]`\nhelp: {help}"
    )
}
