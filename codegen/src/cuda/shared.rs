//! Divisions of an element by a value that is the same for its whole row.
//!
//! What is the same for a row is known where it is needed: an expression over the row's state, its own values, uniforms
//! and the variables that hold such expressions. `apply` does those divisions by `divide`, which may use the reciprocal
//! that the elements of a row share.

use std::collections::HashSet;

use super::body::walk;
use crate::ir::{Binary, Closure, Expr, ExprKind, Function, Param, ParamKind, Pattern, Scalar, Stmt, Ty};

/// The divisors, by their places in the body, of the divisions that a row shares.
#[derive(Debug, Default)]
pub(super) struct Divisors(HashSet<*const Expr>);

impl Divisors {
    /// Those of the function of an `apply`, of a spec with these parameters.
    pub(super) fn of(closure: &Closure, params: &[Param]) -> Self {
        let function: &Function = &closure.function;
        let varies = |index: &usize| {
            let kind = params[*index].kind;
            matches!(kind, ParamKind::Plain | ParamKind::PerColumn | ParamKind::Index)
        };
        // The state comes first.
        let captured = function.params.iter().skip(1).zip(&closure.captures);
        let of_row = captured
            .filter(|(_, index)| !varies(index))
            .map(|(local, _)| local);
        let of_row = function.params.first().into_iter().chain(of_row);
        let mut shared: HashSet<usize> = of_row
            .filter(|local| !local.mutable)
            .map(|local| local.id)
            .collect();
        bindings(&function.body, &mut shared);
        let mut found = HashSet::new();
        walk(&function.body, &mut |expr| {
            if let ExprKind::Binary(Binary::Div, a, b) = &expr.kind
                && is_wide_float(&a.ty)
                && is_shared(b, &shared)
                && !is_shared(a, &shared)
            {
                found.insert(std::ptr::from_ref::<Expr>(b));
            }
        });
        Self(found)
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this is the divisor of one.
    pub(super) fn contains(&self, divisor: &Expr) -> bool {
        self.0.contains(&std::ptr::from_ref(divisor))
    }
}

/// Adds the variables at the top of a body that hold what a row shares.
fn bindings(body: &Expr, shared: &mut HashSet<usize>) {
    let ExprKind::Block(stmts, value) = &body.kind else {
        return;
    };
    for stmt in stmts {
        if let Stmt::Let(Pattern::Bind(local), value) = stmt
            && !local.mutable
            && is_shared(value, shared)
        {
            shared.insert(local.id);
        }
    }
    if let Some(value) = value {
        bindings(value, shared);
    }
}

/// Whether an expression has variables and all of them are shared; constants need no help.
fn is_shared(expr: &Expr, shared: &HashSet<usize>) -> bool {
    let (mut some, mut all) = (false, true);
    walk(expr, &mut |part| {
        if let ExprKind::Local(local) = &part.kind {
            some = true;
            all &= shared.contains(&local.id);
        }
    });
    some && all
}

/// Halves divide as `f32`, and are rounded again.
fn is_wide_float(ty: &Ty) -> bool {
    matches!(ty, Ty::Scalar(Scalar::F32 | Scalar::F64))
}
