//! The front end: from the tokens of an attribute and its function to a typed [`Spec`] that every check has accepted.
//!
//! [`spec`] is the whole of it and reads in the order things happen: arguments, signature, parameters, the body, then
//! what the form adds (operator, `finish`, `apply`, `keep`, `from`), the proof of the warp's plan, the laws. Nothing
//! stops at the first mistake; all of them are one [`syn::Error`].

use std::rc::Rc;

use proc_macro2::{Ident, Span, TokenStream};
use warpfold_lanes::Width;

use crate::arguments::{self, Arguments, Attribute};
use crate::body::{self, Source, Syntax};
use crate::check_item;
use crate::check_plan::{self, Shape};
use crate::closures;
use crate::errors::Errors;
use crate::infer::Types;
use crate::ir::{Form, Function, Land, Named, Operator, Param, ParamKind, Scalar, Spec, Ty};
use crate::laws;
use crate::operator::{self, Combining};
use crate::params::{self, Parameter};
use crate::scope::Scope;
use crate::value::Value;

/// Understands one spec. `scope` is what its `#[warp_module]` offers, empty outside of one.
///
/// # Errors
///
/// Everything that is wrong with it, each at its span, with a line that says what to write.
pub fn spec(attribute: Attribute, args: TokenStream, item: &syn::ItemFn, scope: &Scope) -> syn::Result<Spec> {
    let mut errors = Errors::default();
    let spec = understand(attribute, args, item, scope, &mut errors);
    errors.done(spec)
}

/// What every form has in common.
struct Head<'a> {
    arguments: Arguments,
    item: &'a syn::ItemFn,
    params: Vec<Parameter>,
    /// The type that the function returns, known even where its body is wrong.
    mapped: Option<Ty>,
    map: Option<Rc<Function>>,
    shape: Option<Shape>,
    scope: &'a Scope,
}

/// What the forms differ in.
struct Tail {
    form: Form,
    combining: Option<Combining>,
    state: Ty,
    result: Ty,
}

/// As [`spec`], among the errors of a module. `None` where something is wrong and reported, here or in what it needs.
pub(crate) fn understand(
    attribute: Attribute,
    args: TokenStream,
    item: &syn::ItemFn,
    scope: &Scope,
    errors: &mut Errors,
) -> Option<Spec> {
    let arguments = arguments::parse(attribute, args, errors);
    check_item::signature(&item.sig, errors);
    let params = params::parse(&item.sig, scope, errors);
    let mapped = result_type(&item.sig, scope, errors);
    let map = if params.len() == item.sig.inputs.len() {
        map(item, &params, mapped.as_ref(), scope, errors)
    } else {
        None
    };
    let shape = check_plan::shape(&arguments, errors);
    let head = Head {
        arguments,
        item,
        params,
        mapped,
        map,
        shape,
        scope,
    };
    let tail = match attribute {
        Attribute::Reduce => reduce(&head, errors),
        Attribute::Scan => scan(&head, errors),
        Attribute::Filter => filter(&head, errors),
        Attribute::Shuffle => shuffle(&head, errors),
        Attribute::Module => None,
    };
    let krate = krate(&head.arguments, scope, errors);
    let spec = assemble(&head, tail?, krate?, errors)?;
    laws_hold(&head, &spec, errors);
    Some(spec.0)
}

fn reduce(head: &Head<'_>, errors: &mut Errors) -> Option<Tail> {
    let Head {
        arguments,
        params,
        scope,
        ..
    } = head;
    let combining = operator::combining(
        arguments,
        &head.item.sig.ident,
        head.mapped.as_ref(),
        params,
        scope,
        errors,
    );
    check_apply(arguments, head.shape, errors);
    let state = combining.as_ref().map(|c| &c.state);
    let finish = argument(arguments, "finish", state, |expr, state| {
        closures::finish_row(expr, state, params, scope, errors)
    });
    let apply = argument(arguments, "apply", state, |expr, state| {
        closures::at_position(expr, "apply", state, params, scope, errors)
    });
    if let (Some(shape), Some(combining)) = (head.shape, &combining) {
        check_plan::check_reduce(shape, combining.any_order, arguments, errors);
    }
    let combining = combining?;
    let (finish, apply, land) = (finish?, apply?, head.shape?.land);
    let stored = apply
        .as_ref()
        .or(finish.as_ref())
        .map_or(&combining.result, |closure| &closure.function.ret);
    let (result, state) = (stored.clone(), combining.state.clone());
    Some(Tail {
        form: Form::Reduce { land, finish, apply },
        combining: Some(combining),
        state,
        result,
    })
}

fn scan(head: &Head<'_>, errors: &mut Errors) -> Option<Tail> {
    let Head {
        arguments,
        params,
        scope,
        ..
    } = head;
    let combining = operator::combining(
        arguments,
        &head.item.sig.ident,
        head.mapped.as_ref(),
        params,
        scope,
        errors,
    );
    let exclusive =
        operator::choice(arguments, "kind", &["inclusive", "exclusive"], errors) == Some("exclusive");
    let reverse =
        operator::choice(arguments, "direction", &["forward", "reverse"], errors) == Some("reverse");
    let state = combining.as_ref().map(|c| &c.state);
    let finish = argument(arguments, "finish", state, |expr, state| {
        closures::at_position(expr, "finish", state, params, scope, errors)
    });
    if let Some(shape) = head.shape {
        check_plan::check_scan(shape, exclusive, reverse, arguments, errors);
    }
    let combining = combining?;
    check_scannable(&combining.op, arguments, errors);
    let finish = finish?;
    let result = finish
        .as_ref()
        .map_or(&combining.result, |closure| &closure.function.ret)
        .clone();
    let state = combining.state.clone();
    Some(Tail {
        form: Form::Scan {
            exclusive,
            reverse,
            finish,
        },
        combining: Some(combining),
        state,
        result,
    })
}

/// Rule: a scan's operator has a value at every position; a ballot is one word for a row.
fn check_scannable(op: &Operator, arguments: &Arguments, errors: &mut Errors) {
    if let (Operator::Named(Named::Ballot), Some(expr)) = (op, arguments.get("op")) {
        errors.at(
            "op-scan",
            expr,
            "`ballot` gives each column of a row a bit, so there is nothing to scan\nhelp: write `op = count`, or use `#[warp_reduce]`",
        );
    }
}

fn filter(head: &Head<'_>, errors: &mut Errors) -> Option<Tail> {
    let Head {
        arguments,
        params,
        scope,
        ..
    } = head;
    check_item::returns_bool(&head.item.sig, head.mapped.as_ref(), errors);
    let keep = arguments
        .get("keep")
        .map(|expr| closures::keep(expr, params, scope, errors));
    if let Some(shape) = head.shape {
        check_plan::check_vote(shape, arguments, errors);
    }
    let keep = match keep {
        Some(keep) => Some(keep?),
        None => None,
    };
    let plain: Vec<Ty> = params
        .iter()
        .filter(|p| p.kind == ParamKind::Plain)
        .map(|p| p.ty.clone())
        .collect();
    let result = match (&keep, &plain[..]) {
        (Some(closure), _) => closure.function.ret.clone(),
        (None, [one]) => one.clone(),
        (None, _) => Ty::Tuple(plain),
    };
    Some(Tail {
        form: Form::Filter { keep },
        combining: None,
        state: Ty::Scalar(Scalar::Bool),
        result,
    })
}

fn shuffle(head: &Head<'_>, errors: &mut Errors) -> Option<Tail> {
    let from = check_plan::check_from(&head.arguments, &head.item.sig.ident, errors);
    if let (Some(shape), Some(from)) = (head.shape, from) {
        check_plan::check_exchange(shape, from, &head.arguments, errors);
    }
    let state = head.mapped.clone()?;
    Some(Tail {
        form: Form::Shuffle { from: from? },
        combining: None,
        result: state.clone(),
        state,
    })
}

/// Puts the parts together. Beside the spec it gives what only the laws need.
fn assemble(
    head: &Head<'_>,
    tail: Tail,
    krate: syn::Path,
    errors: &mut Errors,
) -> Option<(Spec, Option<Checked>)> {
    let Tail {
        form,
        combining,
        state,
        result,
    } = tail;
    let name = &head.item.sig.ident;
    check_item::size(&state, &head.scope.module, name, errors);
    check_item::storable(&result, name, errors);
    let map = head.map.clone()?;
    let shape = head.shape?;
    let params = head.params.iter().zip(&map.params);
    let params = params
        .map(|(p, local)| Param {
            kind: p.kind,
            local: local.clone(),
        })
        .collect();
    // A shuffle moves values inside a group of known width.
    let width = match form {
        Form::Shuffle { .. } => Some(shape.width.unwrap_or(Width::WARP)),
        _ => shape.width,
    };
    let checked = combining.as_ref().map(|c| Checked {
        claimed: c.claimed.clone(),
        commutative: c.commutative,
        trusted: c.trusted,
    });
    let (op, identity, init, any_order) = match combining {
        Some(c) => (Some(c.op), Some(c.identity), c.init, c.any_order),
        None => (None, None, None, false),
    };
    let spec = Spec {
        item: check_item::plain(head.item),
        krate,
        form,
        params,
        map,
        op,
        state,
        identity,
        init,
        any_order,
        width,
        mask: shape.mask,
        result,
        module: head.scope.module.clone(),
    };
    Some((spec, checked))
}

/// What the laws need to know beside the spec.
struct Checked {
    claimed: Option<Value>,
    commutative: bool,
    trusted: bool,
}

/// Rule: the operator keeps the laws, unless they are taken on trust; so does an identity given to a named operator.
fn laws_hold(head: &Head<'_>, (spec, checked): &(Spec, Option<Checked>), errors: &mut Errors) {
    let (Some(checked), true) = (checked, errors.is_empty()) else {
        return;
    };
    let found = match &spec.op {
        Some(Operator::Named(named)) => checked
            .claimed
            .as_ref()
            .and_then(|claimed| laws::identity_of_named(*named, claimed, spec)),
        Some(Operator::Custom(combine)) if !checked.trusted => {
            laws::check(spec, combine, checked.commutative)
        }
        _ => None,
    };
    if let Some(failure) = found {
        let culprit = head
            .arguments
            .get(failure.argument)
            .or_else(|| head.arguments.get("op"));
        match culprit {
            Some(expr) => errors.at(failure.rule, expr, failure.message),
            None => errors.at(failure.rule, &head.item.sig.ident, failure.message),
        }
    }
}

/// An optional argument that needs the state's type: `Some(None)` where it is absent.
#[allow(
    clippy::option_option,
    reason = "the outer is whether it could be understood, the inner whether it is there"
)]
fn argument<T>(
    arguments: &Arguments,
    name: &str,
    state: Option<&Ty>,
    read: impl FnOnce(&syn::Expr, &Ty) -> Option<T>,
) -> Option<Option<T>> {
    let Some(expr) = arguments.get(name) else {
        return Some(None);
    };
    read(expr, state?).map(Some)
}

/// Rule: `apply` needs every lane to know the state, and takes the place of `finish`.
fn check_apply(arguments: &Arguments, shape: Option<Shape>, errors: &mut Errors) {
    let Some(apply) = arguments.find("apply") else {
        return;
    };
    if shape.is_some_and(|shape| shape.land != Land::All) {
        let at = arguments.get("land");
        let message =
            "`apply` runs in every lane, so every lane must hold the state\nhelp: write `land = all`";
        match at {
            Some(land) => errors.at("apply-land", land, message),
            None => errors.at("apply-land", &apply.key, message),
        }
    }
    if let Some(finish) = arguments.find("finish") {
        errors.at(
            "apply-finish",
            &finish.key,
            "`apply` says what is stored, so `finish` has nothing to do\nhelp: move it into `apply`, which is given the state",
        );
    }
}

/// Rule: a spec returns a value.
fn result_type(sig: &syn::Signature, scope: &Scope, errors: &mut Errors) -> Option<Ty> {
    let syn::ReturnType::Type(_, ty) = &sig.output else {
        errors.at(
            "result-missing",
            &sig.ident,
            "a spec returns what each element becomes\nhelp: give it a result, as in `-> f32`",
        );
        return None;
    };
    let found = scope.ty(ty, errors);
    let found = Types::default().settle(&found)?;
    if found.is_unit() {
        errors.at(
            "result-missing",
            ty,
            "a spec returns what each element becomes\nhelp: give it a result, as in `-> f32`",
        );
        return None;
    }
    Some(found)
}

/// The body of the annotated function.
fn map(
    item: &syn::ItemFn,
    params: &[Parameter],
    ret: Option<&Ty>,
    scope: &Scope,
    errors: &mut Errors,
) -> Option<Rc<Function>> {
    let source = Source {
        name: Ident::new("map", Span::mixed_site()),
        params: params.iter().map(|p| (p.pat.clone(), p.ty.clone())).collect(),
        outer: Vec::new(),
        ret: Some(ret?.clone()),
        body: Syntax::Block(&item.block),
        argument: false,
    };
    body::function(&source, scope, errors).map(|(function, _)| function)
}

/// Rule: `crate` is a path. Without it, that of the module, and outside of one `::warpfold`.
pub(crate) fn krate(arguments: &Arguments, scope: &Scope, errors: &mut Errors) -> Option<syn::Path> {
    match arguments.get("crate") {
        None => Some(
            scope
                .krate
                .clone()
                .unwrap_or_else(|| syn::parse_quote!(::warpfold)),
        ),
        Some(syn::Expr::Path(path)) if path.qself.is_none() => Some(path.path.clone()),
        Some(other) => {
            errors.at(
                "crate",
                other,
                "`crate` is the path of the warpfold crate\nhelp: write `crate = ::warpfold`",
            );
            None
        }
    }
}
