//! What stands in `wf_spec` before the spec: structs, constants and functions that it uses.

use std::collections::HashSet;
use std::rc::Rc;

use super::body::{Scope, dividing, function, walk};
use super::names::Names;
use super::shared::Divisors;
use super::text::Text;
use super::types::StructNames;
use crate::ir::{Closure, ExprKind, Form, Function, Module, Operator, Spec, Ty};

/// The spec's own functions under the names they have in `wf_spec`.
#[derive(Debug, Default)]
pub(super) struct Functions {
    /// The annotated function.
    pub(super) map: String,
    /// A custom operator.
    pub(super) combine: Option<String>,
    /// `finish` of a reduction or a scan.
    pub(super) finish: Option<String>,
    /// `apply`.
    pub(super) apply: Option<String>,
    /// Whether `apply` takes what divides by values that a row shares.
    pub(super) divides: bool,
    /// `keep`.
    pub(super) keep: Option<String>,
}

/// Writes what the spec needs of its module, then its own functions.
pub(super) fn write(out: &mut Text, spec: &Spec) -> (Scope, Functions) {
    // `Spec` and `exchange` are the emitted text's own.
    let mut names = Names::with(&["Spec", "exchange"]);
    let mut scope = Scope::default();
    let used = Used::of(spec);
    module(out, &spec.module, &used, &mut names, &mut scope);
    let mut own = |out: &mut Text, function: &Rc<Function>, divisors: &Divisors, rust: &str, what: &str| {
        // A function of the module that serves as the operator stands there already.
        let helper = spec
            .module
            .functions
            .iter()
            .any(|helper| Rc::ptr_eq(helper, function));
        if let (true, Some(name)) = (helper, scope.functions.get(&function.name.to_string())) {
            return name.clone();
        }
        let name = names.fresh(rust);
        out.gap();
        out.line(format!("// {what}"));
        dividing(out, &scope, &name, function, divisors);
        name
    };
    let none = Divisors::default();
    let map = own(
        out,
        &spec.map,
        &none,
        &spec.item.sig.ident.to_string(),
        "What each element becomes.",
    );
    let mut functions = Functions {
        map,
        ..Functions::default()
    };
    if let Some(Operator::Custom(combine)) = &spec.op {
        functions.combine = Some(own(
            out,
            combine,
            &none,
            "combine",
            "The operator: `left` is met first.",
        ));
    }
    let (finish, apply, keep) = closures(spec);
    let divisors = apply.map_or_else(Divisors::default, |apply| Divisors::of(apply, &spec.params));
    functions.divides = !divisors.is_empty();
    let mut closure = |closure: Option<&Closure>, divisors: &Divisors, rust: &str, what: &str| {
        closure.map(|closure| own(out, &closure.function, divisors, rust, what))
    };
    functions.finish = closure(finish, &none, "finish", "What a state becomes when it is stored.");
    functions.apply = closure(
        apply,
        &divisors,
        "apply",
        "What each element becomes once the row's state is known.",
    );
    functions.keep = closure(keep, &none, "keep", "What is stored of an element that is kept.");
    (scope, functions)
}

/// Writes all of a module, for tests that call its functions one by one.
pub(super) fn write_functions(out: &mut Text, items: &Module) {
    let (mut names, mut scope) = (Names::with(&["Spec", "exchange"]), Scope::default());
    module(out, items, &Used::all(items), &mut names, &mut scope);
}

/// Writes the structs of a module, and the constants and functions of it that are used.
fn module(out: &mut Text, module: &Module, used: &Used, names: &mut Names, scope: &mut Scope) {
    structs(out, module, names, scope);
    for constant in module
        .constants
        .iter()
        .filter(|c| used.constants.contains(&c.name.to_string()))
    {
        let name = names.fresh(&constant.name.to_string());
        let body = Function {
            name: constant.name.clone(),
            params: Vec::new(),
            ret: constant.ty.clone(),
            body: constant.value.clone(),
        };
        out.gap();
        function(out, scope, &name, &body);
        scope.constants.insert(constant.name.to_string(), name);
    }
    for helper in module
        .functions
        .iter()
        .filter(|f| used.functions.contains(&f.name.to_string()))
    {
        let name = names.fresh(&helper.name.to_string());
        out.gap();
        function(out, scope, &name, helper);
        scope.functions.insert(helper.name.to_string(), name);
    }
}

/// `finish`, `apply` and `keep` of a spec.
pub(super) fn closures(spec: &Spec) -> (Option<&Closure>, Option<&Closure>, Option<&Closure>) {
    match &spec.form {
        Form::Reduce { finish, apply, .. } => (finish.as_ref(), apply.as_ref(), None),
        Form::Scan { finish, .. } => (finish.as_ref(), None, None),
        Form::Filter { keep } => (None, None, keep.as_ref()),
        Form::Shuffle { .. } => (None, None, None),
    }
}

fn structs(out: &mut Text, module: &Module, names: &mut Names, scope: &mut Scope) {
    for item in &module.structs {
        let rust = item.name.to_string();
        let name = names.fresh(&rust);
        let mut members = Names::default();
        let fields: Vec<String> = item
            .fields
            .iter()
            .map(|(field, _)| members.fresh(&field.to_string()))
            .collect();
        out.gap();
        out.braces(format!("struct {name}"), "};", |out| {
            for ((_, ty), field) in item.fields.iter().zip(&fields) {
                out.line(format!("{} {field};", scope.types.ty(ty)));
            }
        });
        let moved: Vec<String> = fields
            .iter()
            .map(|field| format!("exchange(x.{field}, move)"))
            .collect();
        out.line("template <class Move>");
        out.braces(
            format!("WF_FN {name} exchange(const {name}& x, const Move& move)"),
            "}",
            |out| {
                out.line("using wf::exchange;");
                out.line(format!("return {{{}}};", moved.join(", ")));
            },
        );
        scope.types.declare(rust, StructNames { name, fields });
        let types: Vec<Ty> = item.fields.iter().map(|(_, ty)| ty.clone()).collect();
        scope.fields.insert(item.name.to_string(), types);
    }
}

/// The functions and constants of the module that a spec reaches.
#[derive(Default)]
struct Used {
    functions: HashSet<String>,
    constants: HashSet<String>,
}

impl Used {
    fn all(module: &Module) -> Self {
        Used {
            functions: module.functions.iter().map(|f| f.name.to_string()).collect(),
            constants: module.constants.iter().map(|c| c.name.to_string()).collect(),
        }
    }

    fn of(spec: &Spec) -> Self {
        let mut used = Used::default();
        let (finish, apply, keep) = closures(spec);
        let closures = [finish, apply, keep]
            .into_iter()
            .flatten()
            .map(|closure| &closure.function);
        let operator = match &spec.op {
            Some(Operator::Custom(combine)) => Some(combine),
            _ => None,
        };
        for function in closures.chain(operator).chain([&spec.map]) {
            if spec
                .module
                .functions
                .iter()
                .any(|helper| Rc::ptr_eq(helper, function))
            {
                used.functions.insert(function.name.to_string());
            }
            used.reach(&spec.module, &function.body);
        }
        used
    }

    fn reach(&mut self, module: &Module, body: &crate::ir::Expr) {
        let mut further = Vec::new();
        walk(body, &mut |expr| match &expr.kind {
            ExprKind::Call(function, _) if self.functions.insert(function.name.to_string()) => {
                further.push(&function.body);
            }
            ExprKind::Constant(name) if self.constants.insert(name.to_string()) => {
                further.extend(
                    module
                        .constants
                        .iter()
                        .filter(|c| c.name == *name)
                        .map(|c| &c.value),
                );
            }
            _ => {}
        });
        for body in further {
            self.reach(module, body);
        }
    }
}
