//! Blocks, statements, branches and loops.

use proc_macro2::Ident;
use syn::spanned::Spanned;

use crate::body::{Body, tail};
use crate::body_ops::compound;
use crate::draft::{Arm, Draft, Kind, Pattern, Stmt};
use crate::infer::Type;
use crate::print;

impl Body<'_> {
    /// `{ statements; value }`, whose variables end with it.
    pub(crate) fn block(&mut self, block: &syn::Block) -> Draft {
        let sight = self.names.len();
        self.know_inner_items(block);
        let mut stmts = Vec::new();
        let mut value = None;
        for (i, stmt) in block.stmts.iter().enumerate() {
            let last = i + 1 == block.stmts.len();
            match stmt {
                syn::Stmt::Expr(expr, None) if last && !is_statement(expr) => {
                    value = Some(Box::new(self.expr(expr)));
                }
                other => stmts.extend(self.statement(other, last)),
            }
        }
        self.names.truncate(sight);
        let ty = match (&value, stmts.last()) {
            (Some(value), _) => value.ty.clone(),
            // What was reported gives no value, and that it gives none is no second mistake.
            (None, Some(Stmt::Expr(last))) if last.ty != Type::UNIT => Type::Wrong,
            (None, _) => Type::UNIT,
        };
        Draft {
            kind: Kind::Block(stmts, value),
            ty,
            span: block.span(),
        }
    }

    fn statement(&mut self, stmt: &syn::Stmt, last: bool) -> Option<Stmt> {
        match stmt {
            syn::Stmt::Local(local) => self.local(local),
            syn::Stmt::Expr(syn::Expr::Assign(assign), _) => {
                let value = self.expr(&assign.right);
                self.assignment(&assign.left, value, &assign.right)
            }
            syn::Stmt::Expr(syn::Expr::Binary(binary), _) if compound(&binary.op).is_some() => {
                let (op, text) = compound(&binary.op)?;
                let left = self.expr(&binary.left);
                let right = self.expr(&binary.right);
                let value = self.operation(op, text, binary.op.span(), (left, right), &binary.right);
                self.assignment(&binary.left, value, &binary.right)
            }
            syn::Stmt::Expr(syn::Expr::ForLoop(each), _) => self.each(each),
            syn::Stmt::Expr(expr, _) => {
                let value = self.expr(expr);
                if !self.types.unify(&Type::UNIT, &value.ty) {
                    let shown = self.types.show(&value.ty);
                    let help = if last {
                        "remove the `;` after it, or assign it, as in `let y = …;`"
                    } else {
                        "assign it, as in `let y = …;`"
                    };
                    self.errors.at(
                        "unused-value",
                        expr,
                        format!("this {shown} is thrown away\nhelp: {help}"),
                    );
                }
                Some(Stmt::Expr(value))
            }
            syn::Stmt::Item(item) => {
                self.errors.at(
                    "inner-item",
                    item,
                    "items inside a body are not of the language\nhelp: put it into the `#[warp_module]`",
                );
                None
            }
            syn::Stmt::Macro(mac) => {
                self.errors.at(
                    "expression",
                    mac,
                    "a macro call is not of the language\nhelp: write the expression that it stands for",
                );
                None
            }
        }
    }

    /// Rule: a `let` has a value, and a pattern that always matches.
    fn local(&mut self, local: &syn::Local) -> Option<Stmt> {
        let Some(init) = &local.init else {
            self.errors.at(
                "let-value",
                local,
                "a variable needs its value where it is declared\nhelp: write `let x = …;`",
            );
            // Declared all the same, so that its uses are no second mistake.
            let pat = if let syn::Pat::Type(typed) = &local.pat {
                &*typed.pat
            } else {
                &local.pat
            };
            self.binding(pat, &Type::Wrong);
            for var in &mut self.vars {
                var.declared_mut |= var.ty == Type::Wrong;
            }
            return None;
        };
        if let Some((_, diverge)) = &init.diverge {
            self.errors.at(
                "let-value",
                diverge,
                "`let … else` is not of the language\nhelp: use `match` or `if`",
            );
        }
        let value = self.expr(&init.expr);
        let pat = match &local.pat {
            syn::Pat::Type(typed) => {
                let written = self.scope.ty(&typed.ty, self.errors);
                self.expect_type(&written, &value.ty, &init.expr, "the value");
                &*typed.pat
            }
            pat => pat,
        };
        let ty = value.ty.clone();
        Some(Stmt::Let(self.binding(pat, &ty), value))
    }

    /// Rule: what is assigned is a variable declared with `mut`, or a field of one.
    fn assignment(&mut self, target: &syn::Expr, value: Draft, at: &syn::Expr) -> Option<Stmt> {
        let mut path = Vec::new();
        let (var, ident, ty) = self.place(target, &mut path)?;
        self.expect_type(&ty, &value.ty, at, "the value");
        if !self.vars[var].declared_mut {
            let help = format!("declare it with `let mut {ident}`");
            self.errors.at(
                "assign-mut",
                target,
                format!("`{ident}` is not declared with `mut`\nhelp: {help}"),
            );
        }
        self.vars[var].assigned = true;
        Some(Stmt::Assign(var, ident, path, value))
    }

    fn place(
        &mut self,
        target: &syn::Expr,
        path: &mut Vec<(usize, Option<Ident>)>,
    ) -> Option<(usize, Ident, Type)> {
        match target {
            syn::Expr::Paren(inner) => self.place(&inner.expr, path),
            syn::Expr::Path(name) if name.path.get_ident().is_some() => {
                let ident = name.path.get_ident()?.clone();
                let Some(var) = self.lookup(&ident) else {
                    self.errors.at(
                        "name",
                        name,
                        format!("`{ident}` is not known here\nhelp: declare it with `let mut {ident} = …;`"),
                    );
                    return None;
                };
                Some((var, ident, self.vars[var].ty.clone()))
            }
            syn::Expr::Field(field) => {
                let (var, ident, base) = self.place(&field.base, path)?;
                match self.field_of(&self.types.shallow(&base), &field.member) {
                    Ok(Some((position, ty))) => {
                        let name = match &field.member {
                            syn::Member::Named(name) => Some(name.clone()),
                            syn::Member::Unnamed(_) => None,
                        };
                        path.push((position, name));
                        Some((var, ident, ty))
                    }
                    Ok(None) => None,
                    Err(message) => {
                        self.errors.at("field", &field.member, message);
                        None
                    }
                }
            }
            _ => {
                let shown = print::tokens(target);
                self.errors.at("assign-place", target, format!("`{shown}` cannot be assigned\nhelp: assign a variable declared with `let mut`, or a field of one"));
                None
            }
        }
    }

    /// Rule: a `for` runs over a range of integers; that its bounds are constant is checked when they are settled.
    fn each(&mut self, each: &syn::ExprForLoop) -> Option<Stmt> {
        let range = match &*each.expr {
            syn::Expr::Paren(inner) => &*inner.expr,
            other => other,
        };
        let syn::Expr::Range(syn::ExprRange {
            start: Some(start),
            end: Some(end),
            limits,
            ..
        }) = range
        else {
            self.errors.at(
                "for-range",
                &each.expr,
                "a `for` runs over a range with constant bounds\nhelp: write `for i in 0..8`",
            );
            return None;
        };
        let (from, to) = (self.expr(start), self.expr(end));
        self.expect_type(&from.ty, &to.ty, end, "the end of the range");
        self.claims.push(crate::body::Claim::Operand(
            "..",
            crate::body::Accepts::Integers,
            from.ty.clone(),
            range.span(),
        ));
        let sight = self.names.len();
        let name = match &*each.pat {
            syn::Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => ident.ident.clone(),
            syn::Pat::Wild(wild) => Ident::new("_i", wild.span()),
            other => {
                self.errors.at(
                    "pattern",
                    other,
                    "the variable of a `for` is a name\nhelp: write `for i in 0..8`",
                );
                return None;
            }
        };
        let var = self.declare(&name, from.ty.clone(), false);
        let mut stmts = Vec::new();
        for stmt in &each.body.stmts {
            stmts.extend(self.statement(stmt, false));
        }
        self.names.truncate(sight);
        let closed = matches!(limits, syn::RangeLimits::Closed(_));
        Some(Stmt::For(var, name, Box::new((from, to)), closed, stmts))
    }

    /// Rule: both branches of an `if` have one type; without `else` it has no value.
    pub(crate) fn branch(&mut self, branch: &syn::ExprIf) -> Draft {
        let cond = self.expr(&branch.cond);
        self.expect_type(&Type::BOOL, &cond.ty, &branch.cond, "the condition");
        let sight = self.names.len();
        self.declare_conditions(&branch.cond);
        let then = self.block(&branch.then_branch);
        self.names.truncate(sight);
        let ty = then.ty.clone();
        let other = branch.else_branch.as_ref().map(|(_, other)| {
            let draft = self.expr(other);
            self.expect_type(&ty, &draft.ty, tail(other), "the `else` branch");
            Box::new(in_block(draft))
        });
        if other.is_none() && !self.types.unify(&Type::UNIT, &ty) {
            self.errors.at(
                "if-else",
                branch,
                "an `if` whose value is used needs an `else`\nhelp: add `else { … }`",
            );
        }
        Draft {
            kind: Kind::If(Box::new(cond), Box::new(then), other),
            ty,
            span: branch.if_token.span,
        }
    }

    /// Rule: the arms of a `match` have one type, and one of them takes every value that is left.
    pub(crate) fn matching(&mut self, matching: &syn::ExprMatch) -> Draft {
        let value = self.expr(&matching.expr);
        let ty = self.types.fresh(crate::infer::Kind::Any);
        let mut arms = Vec::new();
        for arm in &matching.arms {
            let sight = self.names.len();
            let (pat, guard) = match &arm.pat {
                syn::Pat::Guard(guarded) => (&*guarded.pat, Some(&guarded.guard)),
                pat => (pat, None),
            };
            let pattern = self.pattern(pat, &value.ty);
            let guard = guard.map(|guard| {
                let draft = self.expr(guard);
                self.expect_type(&Type::BOOL, &draft.ty, guard, "the guard");
                draft
            });
            let body = self.expr(&arm.body);
            self.expect_type(&ty, &body.ty, tail(&arm.body), "this arm");
            self.names.truncate(sight);
            arms.push(Arm { pattern, guard, body });
        }
        close_bool(&mut arms);
        if !arms
            .last()
            .is_some_and(|arm| arm.guard.is_none() && always(&arm.pattern))
        {
            self.errors.at(
                "match-last",
                matching,
                "the last arm of a `match` takes every value that is left\nhelp: add `_ => …`",
            );
        }
        Draft {
            kind: Kind::Match(Box::new(value), arms),
            ty,
            span: matching.match_token.span,
        }
    }
}

/// Arms for `true` and `false` leave nothing: the second takes all that is left.
fn close_bool(arms: &mut [Arm]) {
    use crate::draft::Literal;
    use crate::value::Value;
    let is = |arm: &Arm, wanted: bool| {
        arm.guard.is_none()
            && matches!(&arm.pattern, Pattern::Literal(Literal::Value(Value::Bool(b)), ..) if *b == wanted)
    };
    let Some((last, before)) = arms.split_last_mut() else {
        return;
    };
    let closes = [true, false]
        .into_iter()
        .any(|b| is(last, b) && before.iter().any(|arm| is(arm, !b)));
    if closes {
        last.pattern = Pattern::Wild;
    }
}

/// Whether a pattern takes every value.
fn always(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Wild | Pattern::Bind(..) => true,
        Pattern::Literal(..) | Pattern::Range(..) => false,
        Pattern::Or(cases) => cases.iter().any(always),
        Pattern::Tuple(fields) => fields.iter().all(always),
    }
}

/// Whether an expression is written as a statement even where it ends a block.
fn is_statement(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Assign(_) | syn::Expr::ForLoop(_) => true,
        syn::Expr::Binary(binary) => compound(&binary.op).is_some(),
        _ => false,
    }
}

/// The branches of an `if` are blocks: `else if` becomes one that holds it.
fn in_block(draft: Draft) -> Draft {
    if matches!(draft.kind, Kind::Block(..)) {
        return draft;
    }
    let (ty, span) = (draft.ty.clone(), draft.span);
    Draft {
        kind: Kind::Block(Vec::new(), Some(Box::new(draft))),
        ty,
        span,
    }
}
