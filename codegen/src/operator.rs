//! `op`, `identity`, `init`, `commutative` and `laws`: what combines two states.

use crate::arguments::Arguments;
use crate::closures;
use crate::errors::Errors;
use crate::front::Head;
use crate::ir::{Named, Operator, Ty};
use crate::named::{NAMES, Row};
use crate::params::Parameter;
use crate::scope::Scope;
use crate::suggest::{distance, nearest};
use crate::value::Value;

/// An operator with all that the spec says about it.
#[derive(Debug)]
pub struct Combining {
    /// The operator.
    pub op: Operator,
    /// What it combines.
    pub state: Ty,
    /// What is stored where nothing else is said.
    pub result: Ty,
    /// The neutral state.
    pub identity: Value,
    /// What the user gave as the identity of a named operator, to be checked against the table's.
    pub claimed: Option<Value>,
    /// A state folded in once.
    pub init: Option<Value>,
    /// Whether states may be combined in any order.
    pub any_order: bool,
    /// Whether the user claims that the operator commutes.
    pub commutative: bool,
    /// Whether the laws are taken on trust.
    pub trusted: bool,
}

/// Reads the operator of a reduction or scan. Its state is known as soon as its type is, even where something else is
/// wrong: what is given the state can then be looked at all the same.
pub(crate) fn combining(head: &Head<'_>, errors: &mut Errors) -> (Option<Ty>, Option<Combining>) {
    let mut state = None;
    let combining = read(head, &mut state, errors);
    (state, combining)
}

fn read(head: &Head<'_>, known: &mut Option<Ty>, errors: &mut Errors) -> Option<Combining> {
    let Head {
        arguments,
        params,
        scope,
        ..
    } = head;
    let (name, mapped) = (&head.item.sig.ident, head.mapped.as_ref());
    let commutative = choice(arguments, "commutative", &["true", "false"], errors);
    let laws = choice(arguments, "laws", &["checked", "trusted"], errors);
    let Some(expr) = arguments.get("op") else {
        if !arguments.may_hold("op") {
            errors.at(
                "op-missing",
                name,
                "an operator says how two states combine\nhelp: add `op = sum`, another name of the table, or `op = |p, q| …`",
            );
        }
        return None;
    };
    let named = named(expr, scope, errors)?;
    let own = named.is_none() && closures::may_be_operator(expr);
    if own && arguments.get("identity").is_none() && !arguments.may_hold("identity") {
        errors.at(
            "identity-missing",
            expr,
            "an operator of your own needs its identity, which rows of any length are padded with\nhelp: add `identity = …` with the state that changes nothing",
        );
    }
    let mapped = mapped?;
    let row = match named {
        Some(named) => Some(
            named
                .row(mapped, &scope.module)
                .map_err(|m| errors.at("op-type", expr, m))
                .ok()?,
        ),
        None => None,
    };
    let state = row.as_ref().map_or(mapped, |row| &row.state).clone();
    *known = Some(state.clone());
    let constant = |argument: &str, errors: &mut Errors| {
        let expr = arguments.get(argument)?;
        Some(closures::constant(
            expr,
            argument,
            (&state, named),
            params,
            scope,
            errors,
        ))
    };
    let identity = constant("identity", errors);
    let init = constant("init", errors);
    let op = match named {
        Some(named) => Some(Operator::Named(named)),
        None => custom(expr, &state, params, scope, errors).map(Operator::Custom),
    };
    let claims = commutative == Some("true");
    let (identity, claimed, result, any_order) = match row {
        Some(Row {
            identity: own,
            result,
            any_order,
            ..
        }) => {
            check_commutes(named?, claims, any_order, arguments, errors);
            (
                own,
                identity.flatten(),
                result,
                any_order && commutative != Some("false"),
            )
        }
        None => (identity??, None, mapped.clone(), claims),
    };
    let init = match init {
        Some(given) => Some(given?),
        None => None,
    };
    // Where the word is wrong nobody knows whether the laws were to be checked.
    let trusted = laws == Some("trusted") || laws.is_none() && arguments.get("laws").is_some();
    Some(Combining {
        op: op?,
        state,
        result,
        identity,
        claimed,
        init,
        any_order,
        commutative: claims,
        trusted,
    })
}

/// Rule: an operator of the table commutes or does not; the user cannot say otherwise.
fn check_commutes(named: Named, claims: bool, any_order: bool, arguments: &Arguments, errors: &mut Errors) {
    if claims
        && !any_order
        && let Some(argument) = arguments.find("commutative")
    {
        let name = named.name();
        errors.at(
            "commutative-named",
            &argument.value,
            format!("`{name}` does not commute\nhelp: remove `commutative = true`"),
        );
    }
}

/// The operator of the table that `op` names: `Some(None)` for an operator of the user's own.
#[allow(
    clippy::option_option,
    reason = "the outer is whether it could be understood, the inner what it is"
)]
fn named(expr: &syn::Expr, scope: &Scope, errors: &mut Errors) -> Option<Option<Named>> {
    if let syn::Expr::Lit(syn::ExprLit {
        lit: syn::Lit::Str(text),
        ..
    }) = expr
    {
        let name = text.value();
        let name = Named::from_name(&name).map_or("sum", |_| &name);
        errors.at(
            "op-name",
            expr,
            format!("an operator stands without quotes\nhelp: write `op = {name}`"),
        );
        return None;
    }
    let syn::Expr::Path(path) = expr else {
        return Some(None);
    };
    let table = path
        .path
        .get_ident()
        .and_then(|name| Named::from_name(&name.to_string()));
    if table.is_some() {
        return Some(table);
    }
    let segments = scope.expand(&path.path);
    if let [name] = &segments[..] {
        if scope.find_function(name).is_some() {
            return Some(None);
        }
        if scope.is_broken(name) {
            return None;
        }
        let names = NAMES.map(|(name, _)| name);
        let helpers = scope
            .module
            .functions
            .iter()
            .map(|f| f.name.to_string())
            .collect::<Vec<_>>();
        let near = meant(name, names.into_iter().chain(helpers.iter().map(String::as_str)));
        let own = "a closure, `op = |p, q| …`, or a function of the same `#[warp_module]`";
        let help = near.map_or_else(
            || format!("write {own}"),
            |near| format!("write `op = {near}`, {own}"),
        );
        errors.at(
            "op-name",
            expr,
            format!(
                "`{name}` is not an operator; accepted are {}\nhelp: {help}",
                names.join(", ")
            ),
        );
        return None;
    }
    errors.at(
        "op-name",
        expr,
        "an operator is a name of the table, a closure, or a function of the module\nhelp: write `op = |p, q| …`",
    );
    None
}

/// The operator that a name almost is, or that other languages call so. A name two letters away may be a function that
/// stands where the attribute cannot see it, and a wrong guess would compile.
fn meant<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    match name {
        "add" | "plus" | "total" => return Some("sum"),
        "mul" | "times" | "prod" => return Some("product"),
        "mean" | "average" | "avg" => return Some("sum, finish = |s| s / n as f32` with `#[len] n: u32"),
        "variance" | "var" | "std" => return Some("welford"),
        _ => {}
    }
    nearest(name, names).filter(|near| name.len() > 3 && distance(name, near) == 1)
}

/// A closure, or a function of the module that takes two states and gives one.
fn custom(
    expr: &syn::Expr,
    state: &Ty,
    params: &[Parameter],
    scope: &Scope,
    errors: &mut Errors,
) -> Option<std::rc::Rc<crate::ir::Function>> {
    let syn::Expr::Path(path) = expr else {
        return closures::operator(expr, state, params, scope, errors);
    };
    let function = scope.find_function(scope.expand(&path.path).first()?)?.clone();
    let fits = function.params.len() == 2
        && function.params.iter().all(|p| p.ty == *state)
        && function.ret == *state;
    if !fits {
        let name = &function.name;
        errors.at(
            "op-signature",
            expr,
            format!("`{name}` does not combine two states\nhelp: write it as `fn {name}(p: {state}, q: {state}) -> {state}`"),
        );
        return None;
    }
    Some(function)
}

/// Rule: an argument with a few possible words is one of them. `None` where it is absent or wrong.
pub fn choice(
    arguments: &Arguments,
    name: &str,
    words: &[&'static str],
    errors: &mut Errors,
) -> Option<&'static str> {
    let expr = arguments.get(name)?;
    let shown = crate::print::tokens(expr);
    let found = words.iter().copied().find(|word| *word == shown);
    if found.is_none() {
        let near = nearest(&shown, words.iter().copied()).unwrap_or(words[0]);
        errors.at(
            "choice",
            expr,
            format!(
                "`{name}` is {}, not `{shown}`\nhelp: write `{name} = {near}`",
                words.join(" or ")
            ),
        );
    }
    found
}
