//! Statements: `let`, assignment, `for` and the arms of `match`.

use super::body::{Binds, Body, Code, Target, needs_statements};
use crate::ir::{Arm, Expr, ExprKind, Local, Pattern, Place, Stmt, Ty};
use crate::value::Value;

impl Body<'_> {
    /// Writes one statement.
    pub(super) fn statement(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(pattern, value) => self.bind(pattern, value),
            Stmt::Assign(place, value) => {
                let place = self.place(place);
                self.store(value, &Target::Assign(place));
            }
            Stmt::For(local, from, to, body) => self.counting(local, from, to, body),
            Stmt::Expr(expr) => self.store(expr, &Target::Drop),
        }
    }

    /// `for i in from..to`: a loop that never runs is not written.
    fn counting(&mut self, local: &Local, from: &Value, to: &Value, body: &[Stmt]) {
        if integer(from) >= integer(to) {
            return;
        }
        let ty = self.scope.types.ty(&local.ty);
        let (from, to) = (
            self.scope.types.value(from, &local.ty),
            self.scope.types.value(to, &local.ty),
        );
        let counter = if local.mutable {
            self.temporary("counter")
        } else {
            self.declare(local)
        };
        self.out.open(format!(
            "for ({ty} {counter} = {from}; {counter} < {to}; ++{counter})"
        ));
        if local.mutable {
            self.introduce(local, &Code::primary(counter));
        }
        for stmt in body {
            self.statement(stmt);
        }
        self.out.close("}");
    }

    /// Declares a variable that starts with `code`. Its name is taken after the code was written, which may still
    /// mean an earlier variable of the same name.
    fn introduce(&mut self, local: &Local, code: &Code) {
        let name = self.declare(local);
        let target = Target::Declare {
            name,
            constant: !local.mutable,
            used: self.is_read(local),
        };
        self.deliver(&code.text, &local.ty, &target);
    }

    /// `let pattern = value;`
    fn bind(&mut self, pattern: &Pattern, value: &Expr) {
        match (pattern, &value.kind) {
            (Pattern::Bind(local), _) if needs_statements(value) => {
                let name = self.temporary(&local.name.to_string());
                let constant = !local.mutable;
                let target = Target::Declare {
                    name: name.clone(),
                    constant,
                    used: self.is_read(local),
                };
                self.store(value, &target);
                self.alias(local, Code::primary(name));
            }
            (Pattern::Bind(local), _) => {
                let code = self.value(value);
                self.introduce(local, &code);
            }
            (Pattern::Tuple(patterns), ExprKind::Tuple(values)) if !values.iter().any(needs_statements) => {
                for (pattern, value) in patterns.iter().zip(values) {
                    self.bind(pattern, value);
                }
            }
            (Pattern::Tuple(patterns), _) => {
                let whole = self.fixed(value, "parts");
                self.bind_parts(patterns, &whole);
            }
            _ => self.store(value, &Target::Drop),
        }
    }

    /// The variables of a tuple pattern, each a part of `whole`.
    fn bind_parts(&mut self, patterns: &[Pattern], whole: &Code) {
        for (index, pattern) in patterns.iter().enumerate() {
            let part = Code::primary(format!("{}.f{index}", whole.text));
            match pattern {
                Pattern::Bind(local) => self.introduce(local, &part),
                Pattern::Tuple(inner) => self.bind_parts(inner, &part),
                _ => {}
            }
        }
    }

    /// `x.a.0` of an assignment.
    fn place(&self, place: &Place) -> String {
        let mut text = self.local(&place.local).text;
        let mut ty = place.local.ty.clone();
        for (index, _) in &place.path {
            text = format!("{text}.{}", self.scope.types.member(&ty, *index));
            ty = self.scope.field(&ty, *index);
        }
        text
    }

    /// `match`: the subject is fixed, then the arms are asked in their order.
    pub(super) fn matching(&mut self, subject: &Expr, arms: &[Arm], target: &Target) {
        let subject = match &subject.kind {
            ExprKind::Tuple(parts) => Subject::Parts(parts.iter().map(|part| self.subject(part)).collect()),
            _ => self.subject(subject),
        };
        self.arms(&subject, arms, target);
    }

    fn subject(&mut self, expr: &Expr) -> Subject {
        match &expr.kind {
            ExprKind::Tuple(parts) => Subject::Parts(parts.iter().map(|part| self.subject(part)).collect()),
            ExprKind::Local(local) if !local.mutable => Subject::Whole(self.local(local), expr.ty.clone()),
            _ => Subject::Whole(self.fixed(expr, "subject"), expr.ty.clone()),
        }
    }

    fn arms(&mut self, subject: &Subject, arms: &[Arm], target: &Target) {
        let Some((arm, rest)) = arms.split_first() else {
            return;
        };
        let mut tests = Vec::new();
        self.tests(&arm.pattern, subject, &mut tests);
        let pattern = all_of(&tests);
        let condition = match &arm.guard {
            None if tests.is_empty() => return self.store(&arm.body, target),
            None => pattern.text,
            Some(guard) if needs_statements(guard) => {
                let name = self.temporary("taken");
                self.out.line(format!(
                    "bool {name} = {};",
                    if tests.is_empty() { "true" } else { &pattern.text }
                ));
                self.out.open(format!("if ({name})"));
                self.store(guard, &Target::Assign(name.clone()));
                self.out.close("}");
                name
            }
            Some(guard) => {
                let guard = self.value(guard);
                if tests.is_empty() {
                    guard.text
                } else {
                    format!(
                        "{} && {}",
                        pattern.at_least(Binds::And),
                        guard.at_least(Binds::And)
                    )
                }
            }
        };
        self.out.open(format!("if ({condition})"));
        self.store(&arm.body, target);
        if rest.is_empty() {
            self.out.close("}");
        } else {
            let branch = self.out.begin_else();
            self.arms(subject, rest, target);
            self.out.end_else(branch);
        }
    }

    /// The conditions under which `subject` is what `pattern` accepts; variables it binds become known.
    fn tests(&mut self, pattern: &Pattern, subject: &Subject, tests: &mut Vec<String>) {
        match (pattern, subject) {
            (Pattern::Wild, _) => {}
            (Pattern::Bind(local), subject) => self.bind_subject(local, subject),
            (Pattern::Tuple(patterns), Subject::Parts(parts)) => {
                for (pattern, part) in patterns.iter().zip(parts) {
                    self.tests(pattern, part, tests);
                }
            }
            (Pattern::Tuple(patterns), Subject::Whole(whole, Ty::Tuple(fields))) => {
                for (index, (pattern, ty)) in patterns.iter().zip(fields).enumerate() {
                    let part = Code::primary(format!("{}.f{index}", whole.at_least(Binds::Primary)));
                    self.tests(pattern, &Subject::Whole(part, ty.clone()), tests);
                }
            }
            (Pattern::Literal(Value::Bool(wanted)), Subject::Whole(code, _)) => {
                tests.push(format!(
                    "{}{}",
                    if *wanted { "" } else { "!" },
                    code.at_least(Binds::Primary)
                ));
            }
            (Pattern::Literal(value), Subject::Whole(code, ty)) => {
                let value = self.scope.types.value(value, ty);
                tests.push(format!("{} == {value}", code.at_least(Binds::Sum)));
            }
            (Pattern::Range(low, high), Subject::Whole(code, ty)) => {
                let (low, high) = (self.scope.types.value(low, ty), self.scope.types.value(high, ty));
                tests.push(format!("wf::not_less({}, {low})", code.text));
                tests.push(format!("wf::not_less({high}, {})", code.text));
            }
            (Pattern::Or(patterns), subject) => {
                let mut any = Vec::new();
                for pattern in patterns {
                    let mut one = Vec::new();
                    self.tests(pattern, subject, &mut one);
                    any.push(match one.as_slice() {
                        [] => return,
                        [test] => test.clone(),
                        several => format!("({})", all_of(several).text),
                    });
                }
                tests.push(any.join(" || "));
            }
            (_, Subject::Parts(_) | Subject::Whole(..)) => {
                unreachable!("patterns have the type of their subject")
            }
        }
    }

    fn bind_subject(&mut self, local: &Local, subject: &Subject) {
        let code = self.whole(subject, &local.ty);
        if local.mutable {
            self.introduce(local, &code);
        } else {
            self.alias(local, code);
        }
    }

    fn whole(&self, subject: &Subject, ty: &Ty) -> Code {
        match (subject, ty) {
            (Subject::Parts(parts), Ty::Tuple(fields)) => {
                let parts: Vec<String> = parts
                    .iter()
                    .zip(fields)
                    .map(|(part, ty)| self.whole(part, ty).text)
                    .collect();
                Code::primary(format!("{}{{{}}}", self.scope.types.ty(ty), parts.join(", ")))
            }
            (Subject::Whole(code, _), _) => code.clone(),
            (Subject::Parts(_), _) => unreachable!("only tuples come in parts"),
        }
    }
}

/// The conditions joined by `&&`; those that are alternatives get parentheses where there are others.
fn all_of(tests: &[String]) -> Code {
    let join = |test: &String| {
        if test.contains(" || ") {
            format!("({test})")
        } else {
            test.clone()
        }
    };
    match tests {
        [one] if one.contains(" || ") => Code {
            text: one.clone(),
            binds: Binds::Or,
        },
        several => {
            let text = several.iter().map(join).collect::<Vec<_>>().join(" && ");
            Code {
                text,
                binds: Binds::And,
            }
        }
    }
}

/// What a `match` looks at: a fixed value, or for a tuple that is written out, its parts.
enum Subject {
    Whole(Code, Ty),
    Parts(Vec<Subject>),
}

/// The number that bounds a loop.
fn integer(value: &Value) -> i128 {
    match value {
        Value::I8(v) => i128::from(*v),
        Value::I16(v) => i128::from(*v),
        Value::I32(v) => i128::from(*v),
        Value::I64(v) => i128::from(*v),
        Value::U8(v) => i128::from(*v),
        Value::U16(v) => i128::from(*v),
        Value::U32(v) => i128::from(*v),
        Value::U64(v) => i128::from(*v),
        other => unreachable!("a loop counts integers, not {other:?}"),
    }
}
