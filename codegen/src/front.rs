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
use crate::errors::Errors;
use crate::forms::{self, Tail};
use crate::infer::Types;
use crate::ir::{Form, Function, Operator, Param, Spec, Ty};
use crate::laws;
use crate::module_order::type_params;
use crate::params::{self, Parameter};
use crate::scope::Scope;
use crate::sketch;
use crate::value::Value;

/// Understands one spec. `scope` is what its `#[warp_module]` offers, empty outside of one.
///
/// # Errors
///
/// Everything that is wrong with it, each at its span, with a line that says what to write.
pub fn spec(attribute: Attribute, args: TokenStream, item: &syn::ItemFn, scope: &Scope) -> syn::Result<Spec> {
    spec_or_refusal(attribute, args, item, scope).map_err(|refusal| refusal.error)
}

/// Why a spec is refused.
#[derive(Debug)]
pub struct Refusal {
    /// Everything that is wrong.
    pub error: syn::Error,
    /// Whether something is wrong with the function's body: rustc would say so once more.
    pub of_body: bool,
    /// What is known of it, for its calls alone.
    pub sketch: Option<Box<Spec>>,
}

/// As [`spec`], for who writes something in the place of a spec that is refused.
///
/// # Errors
///
/// As for [`spec`].
pub fn spec_or_refusal(
    attribute: Attribute,
    args: TokenStream,
    item: &syn::ItemFn,
    scope: &Scope,
) -> Result<Spec, Refusal> {
    let mut errors = Errors::default();
    let body = Body::Read(&item.block);
    let understood = understand(attribute, args, (item, body), scope, &mut errors);
    errors.done(understood.spec).map_err(|error| Refusal {
        error,
        of_body: understood.body_refused,
        sketch: understood.sketch.map(Box::new),
    })
}

/// As [`spec_or_refusal`] for a function whose body is no Rust, which rustc reports: what else is wrong, if anything, and
/// what is known of it.
pub fn without_body(
    attribute: Attribute,
    args: TokenStream,
    item: &syn::ItemFn,
    scope: &Scope,
) -> (Option<syn::Error>, Option<Spec>) {
    let mut errors = Errors::default();
    let understood = understand(attribute, args, (item, Body::Unread), scope, &mut errors);
    (errors.done(Some(())).err(), understood.sketch)
}

/// The body of an annotated function.
#[derive(Clone, Copy)]
pub(crate) enum Body<'a> {
    Read(&'a syn::Block),
    /// It could not be parsed, which is reported.
    Unread,
}

/// What came of one annotated function.
pub(crate) struct Understood {
    /// `None` where something is wrong and reported, here or in what it needs.
    pub spec: Option<Spec>,
    /// Then what is known of it, for its calls alone.
    pub sketch: Option<Spec>,
    /// Whether something is wrong with the function's body.
    pub body_refused: bool,
}

/// What every form has in common.
pub(crate) struct Head<'a> {
    pub arguments: Arguments,
    pub item: &'a syn::ItemFn,
    pub params: Vec<Parameter>,
    /// The type that the function returns, known even where its body is wrong.
    pub mapped: Option<Ty>,
    pub map: Option<Rc<Function>>,
    pub shape: Shape,
    pub scope: &'a Scope,
}

impl Head<'_> {
    /// Whether every parameter could be understood.
    pub fn is_whole(&self) -> bool {
        self.params.len() == self.item.sig.inputs.len()
    }
}

/// As [`spec`], among the errors of a module.
pub(crate) fn understand(
    attribute: Attribute,
    args: TokenStream,
    (item, body): (&syn::ItemFn, Body<'_>),
    scope: &Scope,
    errors: &mut Errors,
) -> Understood {
    let none = errors.len();
    let arguments = arguments::parse(attribute, args, errors);
    check_item::one_spec(attribute, &item.attrs, errors);
    check_item::signature(&item.sig, errors);
    check_item::name(&item.sig.ident, errors);
    let mut inside = scope.clone();
    inside.broken.extend(type_params(&item.sig.generics));
    let scope = &inside;
    let params = params::parse(attribute, &item.sig, scope, errors);
    let mapped = result_type(&item.sig, scope, errors);
    let before = errors.len();
    let map = match body {
        Body::Read(block) if params.len() == item.sig.inputs.len() => {
            map(block, &params, mapped.as_ref(), scope, errors)
        }
        _ => None,
    };
    let body_refused = errors.len() > before;
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
    let tail = tail(attribute, &head, errors);
    let known = tail
        .as_ref()
        .filter(|tail| tail.whole)
        .map(|tail| (tail.form.clone(), tail.state.clone(), tail.result.clone()));
    let spec = checked(&head, tail, errors);
    let (spec, sketch) = match spec {
        Some(spec) if errors.len() == none => (Some(spec), None),
        _ => (None, sketch::of(attribute, &head, known)),
    };
    Understood {
        spec,
        sketch,
        body_refused,
    }
}

/// What the form adds.
fn tail(attribute: Attribute, head: &Head<'_>, errors: &mut Errors) -> Option<Tail> {
    match attribute {
        Attribute::Reduce => forms::reduce(head, errors),
        Attribute::Scan => forms::scan(head, errors),
        Attribute::Filter => forms::filter(head, errors),
        Attribute::Shuffle => forms::shuffle(head, errors),
        Attribute::Module => None,
    }
}

/// The whole, and the laws.
fn checked(head: &Head<'_>, tail: Option<Tail>, errors: &mut Errors) -> Option<Spec> {
    let krate = krate(&head.arguments, head.scope, errors);
    let krate = krate.unwrap_or_else(|| syn::parse_quote!(::warpfold));
    let spec = assemble(head, tail?, krate, errors)?;
    laws_hold(head, &spec, errors);
    Some(spec.0)
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
        whole,
    } = tail;
    let name = &head.item.sig.ident;
    check_item::size(&state, &head.scope.module, name, errors);
    if whole {
        check_item::storable(&result, name, errors);
    }
    let map = head.map.clone()?;
    let shape = head.shape;
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
/// They speak of the map, the operator and its identity, which are right here, whatever else is wrong.
fn laws_hold(head: &Head<'_>, (spec, checked): &(Spec, Option<Checked>), errors: &mut Errors) {
    let Some(checked) = checked else {
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
    block: &syn::Block,
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
        body: Syntax::Block(block),
        constant: None,
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
