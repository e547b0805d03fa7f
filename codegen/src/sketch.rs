//! What is known of a spec that is refused: enough to write its calls, so that they are no second mistake.
//!
//! A sketch holds placeholders where something is wrong. It is written with bodies that never run, and nothing else of
//! it is read.

use std::rc::Rc;

use proc_macro2::{Ident, Span};
use quote::format_ident;
use warpfold_lanes::{Mask, Shuffle};

use crate::arguments::Attribute;
use crate::check_item;
use crate::errors::Errors;
use crate::front::Head;
use crate::infer::Types;
use crate::ir::{
    Closure, Expr, ExprKind, Form, Function, Land, Local, Named, Operator, Param, ParamKind, Scalar, Spec, Ty,
};
use crate::params::HELPERS;

/// What a form says of its calls: itself, its state and what it stores.
pub(crate) type Known = (Form, Ty, Ty);

/// The sketch of a spec. `known` is what the form could be told to be; without it what was written is taken at its word.
/// Where a parameter is not understood no type of it means anything, and [`can_be_called`] says so.
pub(crate) fn of(attribute: Attribute, head: &Head<'_>, known: Option<Known>) -> Option<Spec> {
    let (form, state, mut result) = known.or_else(|| guess(attribute, head))?;
    let params = if head.is_whole() {
        let params = head.params.iter();
        params
            .map(|param| (param.kind, param.name.clone(), param.ty.clone()))
            .collect()
    } else {
        result = Ty::UNIT;
        written(&head.item.sig)
    };
    let params = params
        .into_iter()
        .enumerate()
        .map(|(id, (kind, name, ty))| Param {
            kind,
            local: Local {
                id,
                name,
                ty,
                mutable: false,
            },
        })
        .collect();
    let op = matches!(form, Form::Reduce { .. } | Form::Scan { .. });
    Some(Spec {
        item: check_item::plain(head.item),
        krate: crate::front::krate(&head.arguments, head.scope, &mut Errors::default())?,
        form,
        params,
        map: placeholder(state.clone()),
        op: op.then(|| Operator::Custom(placeholder(state.clone()))),
        state,
        identity: None,
        init: None,
        any_order: false,
        width: None,
        mask: Mask::FULL,
        result,
        module: Rc::clone(&head.scope.module),
    })
}

/// The parameters as they are written, without their types.
fn written(sig: &syn::Signature) -> Vec<(ParamKind, Ident, Ty)> {
    let kind = |attrs: &[syn::Attribute]| {
        let helper = |attr: &syn::Attribute| {
            let known = HELPERS.iter().find(|(name, _)| attr.path().is_ident(name));
            known.map(|(_, kind)| *kind)
        };
        attrs.iter().find_map(helper).unwrap_or(ParamKind::Plain)
    };
    let inputs = sig.inputs.iter().enumerate();
    let param = |(at, input): (usize, &syn::FnArg)| {
        let syn::FnArg::Typed(typed) = input else {
            return None;
        };
        let name = match &*typed.pat {
            syn::Pat::Ident(name) => name.ident.clone(),
            _ => format_ident!("argument_{at}"),
        };
        Some((kind(&typed.attrs), name, UNKNOWN))
    };
    inputs.filter_map(param).collect()
}

/// Stands for a type that is not known.
const UNKNOWN: Ty = Ty::Scalar(Scalar::F32);

/// Whether the calls can be written with their types: what is passed and what is stored stands in arrays.
pub(crate) fn can_be_called(spec: &Spec) -> bool {
    let stored = match &spec.result {
        Ty::Tuple(fields) => &fields[..],
        one => std::slice::from_ref(one),
    };
    let passed = spec
        .params
        .iter()
        .filter(|param| !matches!(param.kind, ParamKind::Index | ParamKind::Row | ParamKind::Len));
    let mut elements = passed.map(|param| &param.local.ty).chain(stored);
    (1..=4).contains(&stored.len()) && elements.all(|ty| !matches!(ty, Ty::Tuple(_)))
}

fn guess(attribute: Attribute, head: &Head<'_>) -> Option<Known> {
    let plain = head.params.iter().filter(|param| param.kind == ParamKind::Plain);
    let mut plain: Vec<Ty> = plain.map(|param| param.ty.clone()).collect();
    let mapped = head.mapped.clone().or_else(|| plain.first().cloned());
    let mapped = mapped.unwrap_or(UNKNOWN);
    let named = match head.arguments.get("op") {
        Some(syn::Expr::Path(path)) => path
            .path
            .get_ident()
            .and_then(|name| Named::from_name(&name.to_string())),
        _ => None,
    };
    let row = named.and_then(|named| named.row(&mapped, &head.scope.module).ok());
    let (state, result) = row.map_or((mapped.clone(), mapped), |row| (row.state, row.result));
    let given = |name| head.arguments.find(name).is_some();
    let form = match attribute {
        Attribute::Reduce => Form::Reduce {
            land: Land::Lane(0),
            finish: None,
            apply: given("apply").then(|| Closure {
                function: placeholder(result.clone()),
                captures: Vec::new(),
            }),
        },
        Attribute::Scan => Form::Scan {
            exclusive: false,
            reverse: false,
            finish: None,
        },
        Attribute::Filter => Form::Filter { keep: None },
        Attribute::Shuffle => Form::Shuffle {
            from: Shuffle::Xor(1),
        },
        Attribute::Module => return None,
    };
    let closure = ["apply", "finish", "keep"].into_iter().find(|name| given(name));
    // What a closure gives that does not say so is most often what it is given.
    let result = match (closure.and_then(|name| declared(head, name)), attribute) {
        (Some(declared), _) => declared,
        (None, Attribute::Filter) if plain.len() == 1 => plain.remove(0),
        (None, Attribute::Filter) => Ty::Tuple(plain),
        (None, _) => result,
    };
    Some((form, state, result))
}

/// The type that a closure says it gives.
fn declared(head: &Head<'_>, name: &str) -> Option<Ty> {
    let Some(syn::Expr::Closure(closure)) = head.arguments.get(name) else {
        return None;
    };
    let syn::ReturnType::Type(_, ty) = &closure.output else {
        return None;
    };
    Types::default().settle(&head.scope.ty(ty, &mut Errors::default()))
}

/// A function that stands for one that is wrong.
fn placeholder(ret: Ty) -> Rc<Function> {
    Rc::new(Function {
        name: Ident::new("refused", Span::mixed_site()),
        params: Vec::new(),
        ret,
        body: Expr {
            kind: ExprKind::Tuple(Vec::new()),
            ty: Ty::UNIT,
            span: Span::call_site(),
        },
    })
}
