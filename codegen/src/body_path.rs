//! Names: variables, constants, calls of functions and methods, struct literals.

use proc_macro2::Ident;
use syn::spanned::Spanned;

use crate::associated;
use crate::body::Body;
use crate::draft::{Draft, Kind, Literal};
use crate::infer::{self, Type};
use crate::ir::Scalar;
use crate::methods::{self, Method};
use crate::print;

impl Body<'_> {
    /// Rule: a name is a variable, a constant of the module, or an associated constant of a type.
    pub(crate) fn path(&mut self, path: &syn::ExprPath) -> Draft {
        let span = path.span();
        if let Some(ident) = path.path.get_ident() {
            if let Some(var) = self.lookup(ident) {
                let ty = self.vars[var].ty.clone();
                return Draft {
                    kind: Kind::Local(var, ident.clone()),
                    ty,
                    span,
                };
            }
            if self.argument
                && let Some(literal) = special(ident)
            {
                let ty = self.types.fresh(infer::Kind::Number);
                return Draft {
                    kind: Kind::Literal(literal),
                    ty,
                    span,
                };
            }
        }
        let segments = self.scope.expand(&path.path);
        if let [name] = &segments[..]
            && let Some(constant) = self.scope.find_constant(name)
        {
            let ident = path
                .path
                .segments
                .last()
                .map_or_else(|| constant.name.clone(), |s| s.ident.clone());
            return Draft {
                kind: Kind::Constant(ident),
                ty: Type::from(&constant.ty),
                span,
            };
        }
        if let Some((value, scalar)) = associated::constant(&segments) {
            return Self::known(value, Type::Scalar(scalar), span);
        }
        if matches!(&segments[..], [name] if self.scope.is_broken(name)) {
            return self.wrong(path);
        }
        let shown = print::tokens(path);
        let help = if path.path.get_ident().is_some() {
            "a body sees its parameters, its own variables, and the constants of its `#[warp_module]`"
                .to_owned()
        } else {
            "constants such as `f32::INFINITY`, `u32::MAX` and `core::f32::consts::PI` are accepted"
                .to_owned()
        };
        self.errors
            .at("name", path, format!("`{shown}` is not known here\nhelp: {help}"));
        self.wrong(path)
    }

    /// Rule: what is called is a function of the module, or an associated function of a numeric type.
    pub(crate) fn call(&mut self, call: &syn::ExprCall) -> Draft {
        let syn::Expr::Path(callee) = &*call.func else {
            self.errors.at(
                "call",
                &call.func,
                "only functions of the module can be called\nhelp: name one",
            );
            return self.wrong(call);
        };
        let args: Vec<Draft> = call.args.iter().map(|a| self.expr(a)).collect();
        let segments = self.scope.expand(&callee.path);
        if let [name] = &segments[..]
            && let Some(function) = self.scope.find_function(name).cloned()
        {
            let wanted: Vec<Type> = function.params.iter().map(|p| Type::from(&p.ty)).collect();
            self.arguments(&wanted, &args, call, name);
            let ty = Type::from(&function.ret);
            return Draft {
                kind: Kind::Call(function, args),
                ty,
                span: call.span(),
            };
        }
        if let [.., name, method] = &segments[..]
            && let Some(scalar) = Scalar::from_name(name)
        {
            let ident = callee.path.segments.last().map(|s| s.ident.clone());
            return self.associated(scalar, method, ident, args, call);
        }
        self.unknown_call(&segments, callee);
        self.wrong(call)
    }

    fn unknown_call(&mut self, segments: &[String], callee: &syn::ExprPath) {
        if matches!(segments, [name] if self.scope.is_broken(name)) {
            return;
        }
        let shown = print::tokens(callee);
        let message = if segments.last().is_some_and(|s| self.scope.specs.contains(s)) {
            format!(
                "`{shown}` is a spec; bodies call helper functions\nhelp: move what both need into a function of the module"
            )
        } else if segments.len() > 1 {
            format!(
                "`{shown}` is foreign; bodies call functions of their own `#[warp_module]` and numeric methods\nhelp: copy the function into the module"
            )
        } else {
            format!(
                "`{shown}` is not a function of this module\nhelp: put the spec and the function into one `#[warp_module]`"
            )
        };
        self.errors.at("call", callee, message);
    }

    /// `f32::from_bits(b)`, `f32::max(a, b)`, `f64::from(x)`.
    fn associated(
        &mut self,
        scalar: Scalar,
        name: &str,
        ident: Option<Ident>,
        mut args: Vec<Draft>,
        call: &syn::ExprCall,
    ) -> Draft {
        let span = call.span();
        if name == "from" && args.len() == 1 {
            let from = args.remove(0);
            let found = self.types.shallow(&from.ty);
            let lossless = matches!(found, Type::Scalar(from) if associated::lossless(from, scalar));
            if lossless || found == Type::Wrong {
                return Draft {
                    kind: Kind::Cast(Box::new(from)),
                    ty: Type::Scalar(scalar),
                    span,
                };
            }
            let shown = self.types.show(&found);
            self.errors.at(
                "call",
                call,
                format!("`{scalar}::from` does not take {shown}\nhelp: convert with `as {scalar}`"),
            );
            return self.wrong(call);
        }
        let Some((method, ident)) = methods::find(name, scalar, false).zip(ident) else {
            self.errors.at("method", &call.func, unknown_method(name, scalar));
            return self.wrong(call);
        };
        let mut wanted: Vec<Type> = method.args.iter().map(|a| Type::Scalar(a.on(scalar))).collect();
        if !method.associated {
            wanted.insert(0, Type::Scalar(scalar));
        }
        self.arguments(&wanted, &args, call, name);
        let ty = Type::from(&method.result(scalar));
        Draft {
            kind: Kind::Method(method, ident, args),
            ty,
            span,
        }
    }

    /// Rule: a call has as many arguments as there are parameters, each of the parameter's type.
    fn arguments(&mut self, wanted: &[Type], args: &[Draft], call: &syn::ExprCall, name: &str) {
        if wanted.len() != args.len() {
            let types: Vec<String> = wanted.iter().map(|ty| self.types.show(ty)).collect();
            let message = count(name, wanted.len(), args.len());
            let help = format!("give it ({})", types.join(", "));
            self.errors
                .at("argument-count", call, format!("{message}\nhelp: {help}"));
            return;
        }
        for ((wanted, found), at) in wanted.iter().zip(args).zip(&call.args) {
            self.expect_type(wanted, &found.ty, at, "this argument");
        }
    }

    /// Rule: a method stands in the table for its receiver, whose type is known where it is called.
    pub(crate) fn method(&mut self, call: &syn::ExprMethodCall) -> Draft {
        let receiver = self.expr(&call.receiver);
        let args: Vec<Draft> = call.args.iter().map(|a| self.expr(a)).collect();
        let name = call.method.to_string();
        let Some((method, scalar)) = self.receiver(&receiver.ty, call, &name) else {
            return self.wrong(call);
        };
        if method.args.len() != args.len() {
            let message = count(&name, method.args.len(), args.len());
            let help = format!("it is `.{name}({})`", methods::letters(method));
            self.errors
                .at("argument-count", &call.method, format!("{message}\nhelp: {help}"));
            return self.wrong(call);
        }
        for ((wanted, found), at) in method.args.iter().zip(&args).zip(&call.args) {
            self.expect_type(&Type::Scalar(wanted.on(scalar)), &found.ty, at, "this argument");
        }
        let mut all = vec![receiver];
        all.extend(args);
        let ty = Type::from(&method.result(scalar));
        Draft {
            kind: Kind::Method(method, call.method.clone(), all),
            ty,
            span: call.method.span(),
        }
    }

    fn receiver(
        &mut self,
        ty: &Type,
        call: &syn::ExprMethodCall,
        name: &str,
    ) -> Option<(&'static Method, Scalar)> {
        let message = match self.types.shallow(ty) {
            Type::Wrong => return None,
            Type::Scalar(scalar) => match methods::find(name, scalar, false).filter(|m| !m.associated) {
                Some(method) => return Some((method, scalar)),
                None => unknown_method(name, scalar),
            },
            Type::Var(_) => {
                let suffix = if self.types.kind(ty) == Some(infer::Kind::Float) {
                    "f32"
                } else {
                    "i32"
                };
                let shown = print::tokens(&call.receiver);
                format!(
                    "the type of `{shown}` is not known where `{name}` is called\nhelp: write `{shown}_{suffix}`"
                )
            }
            other => format!(
                "{} has no methods\nhelp: call them on its fields",
                self.types.show(&other)
            ),
        };
        self.errors.at("method", &call.method, message);
        None
    }

    /// Rule: a struct literal names every field of a struct of the module once.
    pub(crate) fn struct_literal(&mut self, literal: &syn::ExprStruct) -> Draft {
        let segments = self.scope.expand(&literal.path);
        let known = segments
            .last()
            .filter(|_| segments.len() == 1)
            .and_then(|name| self.scope.find_struct(name))
            .cloned();
        let Some(known) = known else {
            if matches!(&segments[..], [name] if self.scope.is_broken(name)) {
                return self.wrong(literal);
            }
            let shown = print::tokens(&literal.path);
            self.errors.at(
                "struct-literal",
                &literal.path,
                format!("`{shown}` is not a struct of this module\nhelp: put the struct and the spec into one `#[warp_module]`"),
            );
            return self.wrong(literal);
        };
        if let Some(rest) = &literal.rest {
            self.errors.at(
                "struct-literal",
                rest,
                "`..` is not of the language\nhelp: name every field",
            );
        }
        let mut given: Vec<(Ident, Draft)> = Vec::new();
        for field in &literal.fields {
            let value = self.expr(&field.expr);
            match self.field_of(&Type::Struct(known.name.to_string()), &field.member) {
                Ok(Some((_, ty))) => {
                    self.expect_type(&ty, &value.ty, &field.expr, "this field");
                    if let syn::Member::Named(name) = &field.member {
                        if given.iter().any(|(n, _)| n == name) {
                            self.errors.at(
                                "struct-literal",
                                name,
                                format!("`{name}` is given twice\nhelp: remove one"),
                            );
                        }
                        given.push((name.clone(), value));
                    }
                }
                Ok(None) => {}
                Err(message) => self.errors.at("field", &field.member, message),
            }
        }
        let mut ordered = Vec::new();
        for (name, _) in &known.fields {
            match given.iter().position(|(n, _)| n == name) {
                Some(at) => ordered.push(given[at].clone()),
                // `..` would have given it, and has its own error.
                None if literal.rest.is_some() => {}
                None => self.errors.at(
                    "struct-literal",
                    &literal.path,
                    format!(
                        "field `{name}` of `{}` is missing\nhelp: add `{name}: …`",
                        known.name
                    ),
                ),
            }
        }
        let ident = literal
            .path
            .segments
            .last()
            .map_or_else(|| known.name.clone(), |s| s.ident.clone());
        Draft {
            kind: Kind::Struct(ident, ordered),
            ty: Type::Struct(known.name.to_string()),
            span: literal.span(),
        }
    }
}

/// The names that only arguments have.
fn special(ident: &Ident) -> Option<Literal> {
    match ident.to_string().as_str() {
        "inf" => Some(Literal::Infinity(false)),
        "nan" => Some(Literal::Nan),
        "MIN" => Some(Literal::Min),
        "MAX" => Some(Literal::Max),
        _ => None,
    }
}

fn count(name: &str, wanted: usize, found: usize) -> String {
    let plural = if wanted == 1 { "" } else { "s" };
    format!(
        "`{name}` takes {wanted} argument{plural}, but {found} {} given",
        if found == 1 { "is" } else { "are" }
    )
}

fn unknown_method(name: &str, scalar: Scalar) -> String {
    let refused = match name {
        _ if name.starts_with("checked_") => {
            Some(format!("wrapping_{}", name.trim_start_matches("checked_")))
        }
        _ if name.starts_with("overflowing_") => {
            Some(format!("wrapping_{}", name.trim_start_matches("overflowing_")))
        }
        "partial_cmp" | "total_cmp" | "cmp" => Some("max".to_owned()),
        "maximum" | "minimum" => Some(name[..3].to_owned()),
        _ => None,
    };
    let known = methods::names(scalar);
    let near = refused
        .filter(|n| known.contains(&n.as_str()))
        .or_else(|| crate::suggest::nearest(name, known.iter().copied()).map(str::to_owned));
    let help = near.map_or_else(
        || format!("{scalar} has {}", known.join(", ")),
        |near| format!("write `{near}`"),
    );
    format!("{scalar} has no method `{name}` here\nhelp: {help}")
}
