//! The functions of a spec in lowered form: helpers of the module, the map, the operator and the closures.

use std::rc::Rc;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use super::Writer;
use super::expr::binding;
use crate::ir::{Arm, Closure, Expr, ExprKind, Form, Function, Operator, Stmt};

impl Writer<'_> {
    /// The helper functions that the spec calls, each after the ones it calls itself.
    ///
    /// They shadow the user's functions of the same names, whose arithmetic panics in debug builds.
    pub(super) fn helpers(&self) -> TokenStream {
        let mut found = Vec::new();
        for function in self.roots() {
            calls_in(&function.body, &mut found);
        }
        let functions = found
            .iter()
            .map(|function| self.lowered(&function.name, function));
        quote!(#(#functions)*)
    }

    /// The functions by which everything else is reached.
    fn roots(&self) -> Vec<&Rc<Function>> {
        let mut roots = vec![&self.spec.map];
        if let Some(Operator::Custom(combine)) = &self.spec.op {
            roots.push(combine);
        }
        roots.extend(self.closures().map(|closure| &closure.function));
        roots
    }

    fn closures(&self) -> impl Iterator<Item = &Closure> {
        let (a, b) = match &self.spec.form {
            Form::Reduce { finish, apply, .. } => (finish.as_ref(), apply.as_ref()),
            Form::Scan { finish, .. } => (finish.as_ref(), None),
            Form::Filter { keep } => (keep.as_ref(), None),
            Form::Shuffle { .. } => (None, None),
        };
        a.into_iter().chain(b)
    }

    /// A function under the given name, its body lowered.
    pub(super) fn lowered(&self, name: &Ident, function: &Function) -> TokenStream {
        let params = function.params.iter().map(|param| {
            let (name, ty) = (binding(param), self.ty(&param.ty));
            quote!(#name: #ty)
        });
        let (ret, body) = (self.ty(&function.ret), self.body(&function.body));
        quote! {
            #[inline(always)]
            fn #name(#(#params),*) -> #ret { #body }
        }
    }
}

/// A name of our own.
pub(super) fn own(name: &str) -> Ident {
    format_ident!("__wf_{name}", span = Span::call_site())
}

/// Adds the functions that an expression calls, callees first, each once.
fn calls_in(expr: &Expr, found: &mut Vec<Rc<Function>>) {
    if let ExprKind::Call(function, _) = &expr.kind
        && !found.iter().any(|f| f.name == function.name)
    {
        calls_in(&function.body, found);
        found.push(Rc::clone(function));
    }
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Local(_) | ExprKind::Constant(_) => {}
        ExprKind::Unary(_, a) | ExprKind::Cast(a) | ExprKind::Field(a, ..) => calls_in(a, found),
        ExprKind::Binary(_, a, b) => {
            calls_in(a, found);
            calls_in(b, found);
        }
        ExprKind::Call(_, args) | ExprKind::Method { args, .. } | ExprKind::Tuple(args) => {
            for arg in args {
                calls_in(arg, found);
            }
        }
        ExprKind::Struct(_, fields) => {
            for (_, value) in fields {
                calls_in(value, found);
            }
        }
        ExprKind::Block(statements, value) => {
            for statement in statements {
                calls_in_statement(statement, found);
            }
            if let Some(value) = value {
                calls_in(value, found);
            }
        }
        ExprKind::If(condition, then, otherwise) => {
            calls_in(condition, found);
            calls_in(then, found);
            if let Some(otherwise) = otherwise {
                calls_in(otherwise, found);
            }
        }
        ExprKind::Match(scrutinee, arms) => {
            calls_in(scrutinee, found);
            for Arm { guard, body, .. } in arms {
                if let Some(guard) = guard {
                    calls_in(guard, found);
                }
                calls_in(body, found);
            }
        }
    }
}

fn calls_in_statement(statement: &Stmt, found: &mut Vec<Rc<Function>>) {
    match statement {
        Stmt::Let(_, value) | Stmt::Assign(_, value) | Stmt::Expr(value) => calls_in(value, found),
        Stmt::For(_, _, _, body) => {
            for statement in body {
                calls_in_statement(statement, found);
            }
        }
    }
}
