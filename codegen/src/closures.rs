//! The arguments that are code: operators, `finish`, `apply`, `keep`, and the constants `identity` and `init`.

use std::rc::Rc;

use proc_macro2::{Ident, Span};

use crate::body::{self, Outer, Source, Syntax};
use crate::errors::Errors;
use crate::eval;
use crate::expected;
use crate::ir::{Closure, Function, Named, ParamKind, Ty};
use crate::params::Parameter;
use crate::print;
use crate::scope::Scope;
use crate::value::Value;

/// A closure that an argument must be, with what messages call its parameters.
struct Wanted<'a> {
    argument: &'static str,
    example: &'static str,
    params: &'a [Ty],
}

/// Rule: the argument is a closure with so many parameters.
fn written<'a>(
    expr: &'a syn::Expr,
    wanted: &Wanted<'_>,
    errors: &mut Errors,
) -> Option<&'a syn::ExprClosure> {
    let (name, example, count) = (wanted.argument, wanted.example, wanted.params.len());
    match expr {
        syn::Expr::Closure(closure) if closure.inputs.len() == count => {
            if let Some(word) = &closure.asyncness {
                errors.at(
                    "closure",
                    word,
                    "an `async` closure is not of the language\nhelp: remove `async`",
                );
            }
            if let Some(word) = &closure.capture {
                errors.at(
                    "closure",
                    word,
                    "`move` has no meaning here; values are copied\nhelp: remove `move`",
                );
            }
            Some(closure)
        }
        syn::Expr::Closure(closure) => {
            let (wanted, found) = (params_in_words(count), closure.inputs.len());
            errors.at(
                "closure",
                expr,
                format!(
                    "`{name}` is a closure with {wanted}, not with {found}\nhelp: write `{name} = {example}`"
                ),
            );
            None
        }
        syn::Expr::Group(inner) => written(&inner.expr, wanted, errors),
        syn::Expr::Paren(inner) => written(&inner.expr, wanted, errors),
        _ => {
            let shown = print::tokens(expr);
            errors.at(
                "closure",
                expr,
                format!("`{name}` is a closure, not `{shown}`\nhelp: write `{name} = {example}`"),
            );
            None
        }
    }
}

fn params_in_words(count: usize) -> String {
    match count {
        0 => "no parameter".to_owned(),
        1 => "1 parameter".to_owned(),
        n => format!("{n} parameters"),
    }
}

fn understand(
    closure: &syn::ExprClosure,
    name: &str,
    wanted: &Wanted<'_>,
    (outer, ret): (Vec<Outer>, Option<Ty>),
    scope: &Scope,
    errors: &mut Errors,
) -> Option<(Rc<Function>, Vec<usize>)> {
    let declared = match &closure.output {
        syn::ReturnType::Default => None,
        syn::ReturnType::Type(_, ty) => {
            let ty = scope.ty(ty, errors);
            Some(crate::infer::Types::default().settle(&ty)?)
        }
    };
    if let (Some(declared), Some(ret)) = (&declared, &ret)
        && declared != ret
    {
        errors.at(
            "mismatch",
            &closure.output,
            format!(
                "`{}` gives {ret}, not {declared}\nhelp: write `-> {ret}`",
                wanted.argument
            ),
        );
        return None;
    }
    let source = Source {
        name: Ident::new(name, Span::mixed_site()),
        params: closure
            .inputs
            .iter()
            .cloned()
            .zip(wanted.params.iter().cloned())
            .collect(),
        outer,
        ret: ret.or(declared),
        body: Syntax::Expr(&closure.body),
        constant: None,
    };
    body::function(&source, scope, errors)
}

/// The parameters as names a closure can see; `refuse` says why it may not use one.
fn outer(params: &[Parameter], refuse: impl Fn(&Parameter) -> Option<String>) -> Vec<Outer> {
    params
        .iter()
        .map(|p| Outer {
            name: p.name.clone(),
            ty: p.ty.clone(),
            refused: refuse(p),
        })
        .collect()
}

/// Whether an argument is written as an operator of one's own: a closure, or the name of a function.
pub fn may_be_operator(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Group(inner) => may_be_operator(&inner.expr),
        syn::Expr::Paren(inner) => may_be_operator(&inner.expr),
        _ => matches!(expr, syn::Expr::Closure(_) | syn::Expr::Path(_)),
    }
}

/// `op = |p, q| …`: a function of two states that gives a state.
pub fn operator(
    expr: &syn::Expr,
    state: &Ty,
    params: &[Parameter],
    scope: &Scope,
    errors: &mut Errors,
) -> Option<Rc<Function>> {
    let states = [state.clone(), state.clone()];
    let wanted = Wanted {
        argument: "op",
        example: "|p, q| p + q",
        params: &states,
    };
    let closure = written(expr, &wanted, errors)?;
    let outer = outer(params, |p| {
        Some(format!(
            "`op` combines two states and sees no parameters; `{}` is one\nhelp: put what it needs into the state",
            p.name
        ))
    });
    understand(
        closure,
        "combine",
        &wanted,
        (outer, Some(state.clone())),
        scope,
        errors,
    )
    .map(|(function, _)| function)
}

/// `finish = |state| …` of a reduction: may name what is one for the whole row.
pub fn finish_row(
    expr: &syn::Expr,
    state: &Ty,
    params: &[Parameter],
    scope: &Scope,
    errors: &mut Errors,
) -> Option<Closure> {
    let refuse = |p: &Parameter| {
        let each = matches!(p.kind, ParamKind::Plain | ParamKind::PerColumn | ParamKind::Index);
        each.then(|| {
            format!(
                "`finish` of a reduction runs once a row, and `{}` is one of many\nhelp: use it in the function's body, or in `apply`",
                p.name
            )
        })
    };
    capturing(
        expr,
        ("finish", "|s| s"),
        std::slice::from_ref(state),
        outer(params, refuse),
        scope,
        errors,
    )
}

/// `finish` of a scan, and `apply`: may name any parameter.
pub fn at_position(
    expr: &syn::Expr,
    argument: &'static str,
    state: &Ty,
    params: &[Parameter],
    scope: &Scope,
    errors: &mut Errors,
) -> Option<Closure> {
    let example = if argument == "apply" {
        "|total| x / total"
    } else {
        "|s| s"
    };
    capturing(
        expr,
        (argument, example),
        std::slice::from_ref(state),
        outer(params, |_| None),
        scope,
        errors,
    )
}

/// `keep = || …` of a filter: may name any parameter.
pub fn keep(expr: &syn::Expr, params: &[Parameter], scope: &Scope, errors: &mut Errors) -> Option<Closure> {
    capturing(
        expr,
        ("keep", "|| x"),
        &[],
        outer(params, |_| None),
        scope,
        errors,
    )
}

fn capturing(
    expr: &syn::Expr,
    (argument, example): (&'static str, &'static str),
    params: &[Ty],
    outer: Vec<Outer>,
    scope: &Scope,
    errors: &mut Errors,
) -> Option<Closure> {
    let wanted = Wanted {
        argument,
        example,
        params,
    };
    let closure = written(expr, &wanted, errors)?;
    let (function, captures) = understand(closure, argument, &wanted, (outer, None), scope, errors)?;
    Some(Closure { function, captures })
}

/// Rule: `identity` and `init` are constants of the state's type; `named` is the operator of the table, if it is one.
pub fn constant(
    expr: &syn::Expr,
    argument: &str,
    (ty, named): (&Ty, Option<Named>),
    params: &[Parameter],
    scope: &Scope,
    errors: &mut Errors,
) -> Option<Value> {
    let outer = outer(params, |p| {
        Some(format!(
            "`{argument}` is a constant, and `{}` is a parameter\nhelp: write a literal",
            p.name
        ))
    });
    let source = Source {
        name: Ident::new("constant", Span::mixed_site()),
        params: Vec::new(),
        outer,
        ret: Some(ty.clone()),
        body: Syntax::Expr(expr),
        constant: Some(expected::state(argument, expr, ty, named, &scope.module)),
    };
    let (function, _) = body::function(&source, scope, errors)?;
    eval::constant(&function.body, &scope.module)
}
