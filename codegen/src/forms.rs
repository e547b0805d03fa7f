//! What each form adds to a spec: the operator, `finish`, `apply`, `keep`, `from`, and the proof of its plan.

use crate::arguments::Arguments;
use crate::check_item;
use crate::check_plan::{self, Shape};
use crate::closures;
use crate::errors::Errors;
use crate::front::Head;
use crate::ir::{Form, Land, Named, Operator, ParamKind, Scalar, Ty};
use crate::operator::{self, Combining};

/// What the forms differ in.
pub(crate) struct Tail {
    pub form: Form,
    pub combining: Option<Combining>,
    pub state: Ty,
    pub result: Ty,
    /// Whether `finish`, `apply` or `keep` could be understood: where not, the result is not known.
    pub whole: bool,
}

pub(crate) fn reduce(head: &Head<'_>, errors: &mut Errors) -> Option<Tail> {
    let (params, scope) = (&head.params, head.scope);
    let (state, combining) = operator::combining(head, errors);
    let state = state.as_ref();
    check_apply(&head.arguments, head.shape, errors);
    let finish = argument(head, "finish", state, |expr, state| {
        closures::finish_row(expr, state, params, scope, errors)
    });
    let apply = argument(head, "apply", state, |expr, state| {
        closures::at_position(expr, "apply", state, params, scope, errors)
    });
    let any_order = combining.as_ref().map(|combining| combining.any_order);
    check_plan::check_reduce(head.shape, any_order, &head.arguments, errors);
    let combining = combining?;
    let whole = finish.is_some() && apply.is_some();
    let (finish, apply, land) = (finish.flatten(), apply.flatten(), head.shape.land);
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
        whole,
    })
}

pub(crate) fn scan(head: &Head<'_>, errors: &mut Errors) -> Option<Tail> {
    let arguments = &head.arguments;
    let (state, combining) = operator::combining(head, errors);
    let exclusive =
        operator::choice(arguments, "kind", &["inclusive", "exclusive"], errors) == Some("exclusive");
    let reverse =
        operator::choice(arguments, "direction", &["forward", "reverse"], errors) == Some("reverse");
    let finish = argument(head, "finish", state.as_ref(), |expr, state| {
        closures::at_position(expr, "finish", state, &head.params, head.scope, errors)
    });
    check_plan::check_scan(head.shape, exclusive, reverse, arguments, errors);
    let combining = combining?;
    check_scannable(&combining.op, arguments, errors);
    let whole = finish.is_some();
    let finish = finish.flatten();
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
        whole,
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

pub(crate) fn filter(head: &Head<'_>, errors: &mut Errors) -> Option<Tail> {
    let Head {
        arguments,
        params,
        scope,
        ..
    } = head;
    check_item::returns_bool(&head.item.sig, head.mapped.as_ref(), errors);
    let keep = argument(head, "keep", Some(&Ty::UNIT), |expr, _| {
        closures::keep(expr, params, scope, errors)
    });
    check_plan::check_vote(head.shape, arguments, errors);
    let keep = keep?;
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
        whole: true,
    })
}

pub(crate) fn shuffle(head: &Head<'_>, errors: &mut Errors) -> Option<Tail> {
    let from = check_plan::check_from(&head.arguments, head.shape, &head.item.sig.ident, errors);
    check_plan::check_exchange(head.shape, from, &head.arguments, errors);
    let state = head.mapped.clone()?;
    Some(Tail {
        form: Form::Shuffle { from: from? },
        combining: None,
        result: state.clone(),
        state,
        whole: true,
    })
}

/// An optional argument that needs the state's type: `Some(None)` where it is absent.
#[allow(
    clippy::option_option,
    reason = "the outer is whether it could be understood, the inner whether it is there"
)]
fn argument<T>(
    head: &Head<'_>,
    name: &str,
    state: Option<&Ty>,
    read: impl FnOnce(&syn::Expr, &Ty) -> Option<T>,
) -> Option<Option<T>> {
    let Some(expr) = head.arguments.get(name) else {
        return Some(None);
    };
    // A parameter that could not be understood is no name that the closure may be blamed for.
    if !head.is_whole() {
        return None;
    }
    read(expr, state?).map(Some)
}

/// Rule: `apply` needs every lane to know the state, and takes the place of `finish`.
fn check_apply(arguments: &Arguments, shape: Shape, errors: &mut Errors) {
    let Some(apply) = arguments.find("apply") else {
        return;
    };
    if shape.land != Land::All {
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
