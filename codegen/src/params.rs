//! The parameters of the annotated function and their helper attributes.

use proc_macro2::Ident;
use syn::spanned::Spanned;

use crate::arguments::Attribute;
use crate::errors::Errors;
use crate::infer::{Type, Types};
use crate::ir::{ParamKind, Scalar, Ty};
use crate::print;
use crate::scope::Scope;
use crate::suggest::nearest;

/// The helper attributes and what they say.
pub const HELPERS: [(&str, ParamKind); 7] = [
    ("per_column", ParamKind::PerColumn),
    ("per_row", ParamKind::PerRow),
    ("uniform", ParamKind::Uniform),
    ("index", ParamKind::Index),
    ("row", ParamKind::Row),
    ("len", ParamKind::Len),
    ("live", ParamKind::Live),
];

/// A parameter as it was written.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// How it is fed.
    pub kind: ParamKind,
    /// Its name.
    pub name: Ident,
    /// The pattern: the name, perhaps with `mut`.
    pub pat: syn::Pat,
    /// Its type.
    pub ty: Ty,
}

/// Every parameter that could be understood.
pub fn parse(
    attribute: Attribute,
    sig: &syn::Signature,
    scope: &Scope,
    errors: &mut Errors,
) -> Vec<Parameter> {
    let mut params: Vec<Parameter> = Vec::new();
    let mut all = true;
    for input in &sig.inputs {
        match parameter(input, scope, errors) {
            Some(param) => {
                check_name(&param, &params, errors);
                check_once(&param, &params, errors);
                check_live(attribute, &param, input, errors);
                params.push(param);
            }
            None => all = false,
        }
    }
    if all && !params.iter().any(|p| p.kind == ParamKind::Plain) {
        errors.at(
            "param-plain",
            &sig.ident,
            "a spec has a parameter that takes one element per row and column\nhelp: add one without an attribute, as in `x: f32`",
        );
    }
    params
}

fn parameter(input: &syn::FnArg, scope: &Scope, errors: &mut Errors) -> Option<Parameter> {
    let syn::FnArg::Typed(typed) = input else {
        errors.at(
            "param-self",
            input,
            "a spec has no `self`\nhelp: write a plain function, as in `fn row_max(x: f32) -> f32`",
        );
        return None;
    };
    let kind = kind(&typed.attrs, errors);
    let name = match &*typed.pat {
        syn::Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => ident.ident.clone(),
        other => {
            errors.at(
                "param-name",
                other,
                "a parameter of a spec is a name\nhelp: write `x: f32` and take it apart in the body",
            );
            return None;
        }
    };
    let ty = scope.ty(&typed.ty, errors);
    if ty == Type::Wrong {
        return None;
    }
    let ty = Types::default().settle(&ty)?;
    check_type(kind, &ty, &typed.ty, errors);
    Some(Parameter {
        kind,
        name,
        pat: (*typed.pat).clone(),
        ty,
    })
}

/// Rule: a parameter has at most one attribute, which is one of the known ones.
fn kind(attrs: &[syn::Attribute], errors: &mut Errors) -> ParamKind {
    let mut kind = None;
    for attr in attrs {
        let name = print::tokens(attr.path());
        let known = HELPERS.iter().find(|(helper, _)| *helper == name);
        match known {
            Some(_) if kind.is_some() => {
                errors.at(
                    "param-attribute-once",
                    attr,
                    "a parameter is fed in one way\nhelp: keep one of its attributes",
                );
            }
            Some((_, found)) => {
                if !matches!(attr.meta, syn::Meta::Path(_)) {
                    errors.at(
                        "param-attribute-bare",
                        attr,
                        format!("`#[{name}]` takes nothing\nhelp: write `#[{name}]`"),
                    );
                }
                kind = Some(*found);
            }
            None if is_builtin(&name) => {}
            None => {
                let names = HELPERS.map(|(helper, _)| helper);
                let help = nearest(&name, names).map_or_else(
                    || format!("accepted are {}", names.map(|n| format!("#[{n}]")).join(", ")),
                    |near| format!("write `#[{near}]`"),
                );
                errors.at(
                    "param-attribute",
                    attr,
                    format!("`#[{name}]` is not an attribute of a parameter\nhelp: {help}"),
                );
            }
        }
    }
    kind.unwrap_or(ParamKind::Plain)
}

fn is_builtin(name: &str) -> bool {
    matches!(
        name,
        "allow" | "expect" | "warn" | "deny" | "forbid" | "cfg" | "cfg_attr" | "doc"
    )
}

/// Rule: `index`, `row` and `len` are `u32` or `u64`, `live` is `u32`; what is read from memory is a scalar or a struct.
fn check_type(kind: ParamKind, ty: &Ty, at: &syn::Type, errors: &mut Errors) {
    let message = match kind {
        ParamKind::Index | ParamKind::Row | ParamKind::Len => {
            if matches!(ty, Ty::Scalar(Scalar::U32 | Scalar::U64)) {
                return;
            }
            format!("a position, a row's number or a length is u32 or u64, not {ty}\nhelp: write `u32`")
        }
        ParamKind::Live => {
            if matches!(ty, Ty::Scalar(Scalar::U32)) {
                return;
            }
            format!("the count of live columns is u32, not {ty}\nhelp: write `u32`")
        }
        _ => {
            if !matches!(ty, Ty::Tuple(_)) {
                return;
            }
            format!(
                "an element is a scalar or a struct of the module, not {ty}\nhelp: take each field as a parameter of its own"
            )
        }
    };
    errors.span("param-type", at.span(), message);
}

/// Rule: names differ; `_` is none.
fn check_name(param: &Parameter, before: &[Parameter], errors: &mut Errors) {
    let name = &param.name;
    if before.iter().any(|other| other.name == *name) {
        errors.at(
            "param-twice",
            &param.pat,
            format!("two parameters are called `{name}`\nhelp: give each a name of its own"),
        );
    }
}

/// Rule: `index`, `row`, `len` and `live` stand at most once.
fn check_once(param: &Parameter, before: &[Parameter], errors: &mut Errors) {
    let special = matches!(
        param.kind,
        ParamKind::Index | ParamKind::Row | ParamKind::Len | ParamKind::Live
    );
    if special && before.iter().any(|other| other.kind == param.kind) {
        let name = HELPERS
            .iter()
            .find(|(_, kind)| *kind == param.kind)
            .map_or("", |(name, _)| name);
        errors.at(
            "param-once",
            &param.pat,
            format!("`#[{name}]` stands on two parameters\nhelp: keep one of them"),
        );
    }
}

/// Rule: what is only exchanged has no `live`: no operator's identity could stand for the columns past it.
fn check_live(attribute: Attribute, param: &Parameter, at: &syn::FnArg, errors: &mut Errors) {
    if attribute == Attribute::Shuffle && param.kind == ParamKind::Live {
        errors.at(
            "param-live",
            at,
            "`#[live]` cuts short what is folded, kept or scanned, and a shuffle only moves elements\nhelp: take this parameter away, and put `#[live]` on the spec that uses what was exchanged",
        );
    }
}
