//! Expressions: each kind of the language in C++, with no more parentheses than it needs.

use super::body::{Binds, Body, Code, needs_statements};
use crate::ir::{Binary, Expr, ExprKind, Scalar, Ty, Unary};
use crate::value::Value;

impl Body<'_> {
    /// An expression as a C++ expression; statements it needs are written first.
    pub(super) fn value(&mut self, expr: &Expr) -> Code {
        match &expr.kind {
            ExprKind::Literal(value) => {
                let text = self.scope.types.value(value, &expr.ty);
                let binds = if text.starts_with('-') {
                    Binds::Unary
                } else {
                    Binds::Primary
                };
                Code { text, binds }
            }
            ExprKind::Local(local) => self.local(local),
            ExprKind::Constant(name) => {
                Code::primary(format!("wf_spec::{}()", self.scope.constants[&name.to_string()]))
            }
            ExprKind::Unary(op, a) => self.unary(*op, a),
            ExprKind::Binary(op @ (Binary::And | Binary::Or), a, b) => self.lazy(*op, a, b),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::Cast(a) if a.ty == expr.ty => self.value(a),
            ExprKind::Cast(a) => {
                let a = self.value(a).text;
                Code::primary(format!("wf::as_<{}>({a})", self.scope.types.ty(&expr.ty)))
            }
            ExprKind::Call(function, args) => {
                let name = self.scope.functions[&function.name.to_string()].clone();
                self.call(&format!("wf_spec::{name}"), args)
            }
            ExprKind::Method { name, args, .. } => self.method(name, &expr.ty, args),
            ExprKind::Field(a, index, _) => {
                let member = self.scope.types.member(&a.ty, *index);
                let a = self.value(a);
                Code::primary(format!("{}.{member}", a.at_least(Binds::Primary)))
            }
            ExprKind::Tuple(fields) => self.aggregate(&expr.ty, fields),
            ExprKind::Struct(_, fields) => self.aggregate(&expr.ty, fields.iter().map(|(_, value)| value)),
            ExprKind::Block(stmts, Some(value)) => {
                for stmt in stmts {
                    self.statement(stmt);
                }
                self.value(value)
            }
            ExprKind::If(condition, then, Some(otherwise)) if !needs_statements(expr) => {
                let both = costs_less_than_a_branch(then) && costs_less_than_a_branch(otherwise);
                let chooses = both && expr.ty == Ty::Scalar(Scalar::F32) && has_calls(expr);
                let condition = self.value(condition);
                let (then, otherwise) = (self.value(then), self.value(otherwise).text);
                if chooses {
                    let [condition, then] = [condition.text, then.text];
                    return Code::primary(format!("wf::choose({condition}, {then}, {otherwise})"));
                }
                let (condition, then) = (condition.at_least(Binds::Or), then.at_least(Binds::Or));
                Code {
                    text: format!("{condition} ? {then} : {otherwise}"),
                    binds: Binds::Ternary,
                }
            }
            ExprKind::Block(_, None) | ExprKind::If(..) | ExprKind::Match(..) => self.fixed(expr, "value"),
        }
    }

    fn call<'e>(&mut self, function: &str, args: impl IntoIterator<Item = &'e Expr>) -> Code {
        let args: Vec<String> = self.operands(args).into_iter().map(|arg| arg.text).collect();
        Code::primary(format!("{function}({})", args.join(", ")))
    }

    fn aggregate<'e>(&mut self, ty: &Ty, fields: impl IntoIterator<Item = &'e Expr>) -> Code {
        let fields: Vec<String> = self
            .operands(fields)
            .into_iter()
            .map(|field| field.text)
            .collect();
        Code::primary(format!("{}{{{}}}", self.scope.types.ty(ty), fields.join(", ")))
    }

    /// A method has its Rust name in `wf`; an associated function also needs the type it belongs to.
    fn method(&mut self, name: &str, ty: &Ty, args: &[Expr]) -> Code {
        // A quotient that is rounded to a half at once is asked less.
        if name == "from_f32"
            && *ty == Ty::Scalar(Scalar::F16)
            && let Some((divide, operands)) = self.shares_divisor(&args[0])
        {
            return self.call(&format!("{divide}.to_f16"), operands);
        }
        match name {
            "from_bits" | "from_f32" | "from_f64" => {
                let ty = self.scope.types.ty(ty);
                self.call(&format!("wf::{name}<{ty}>"), args)
            }
            _ => self.call(&format!("wf::{name}"), args),
        }
    }

    /// What divides, and what by what, where an expression is a division by what a row shares.
    fn shares_divisor<'e>(&self, expr: &'e Expr) -> Option<(String, [&'e Expr; 2])> {
        match &expr.kind {
            ExprKind::Binary(Binary::Div, a, b) => {
                self.divides_by(b).map(|divide| (divide.to_owned(), [&**a, &**b]))
            }
            _ => None,
        }
    }

    fn unary(&mut self, op: Unary, a: &Expr) -> Code {
        let scalar = scalar_of(a);
        let code = self.value(a);
        let sign = match op {
            Unary::Neg if is_float(scalar) => '-',
            Unary::Not if scalar == Scalar::Bool => '!',
            Unary::Not if is_word(scalar) => '~',
            Unary::Neg => return Code::primary(format!("wf::neg({})", code.text)),
            Unary::Not => return Code::primary(format!("wf::bit_not({})", code.text)),
        };
        Code {
            text: format!("{sign}{}", code.at_least(Binds::Primary)),
            binds: Binds::Unary,
        }
    }

    /// `&&` and `||`: what the right side needs is done only where the right side is asked.
    fn lazy(&mut self, op: Binary, a: &Expr, b: &Expr) -> Code {
        if needs_statements(b) {
            let name = self.temporary(if op == Binary::And { "both" } else { "either" });
            let a = self.value(a).text;
            self.out.line(format!("bool {name} = {a};"));
            self.out.open(if op == Binary::And {
                format!("if ({name})")
            } else {
                format!("if (!{name})")
            });
            self.store(b, &super::body::Target::Assign(name.clone()));
            self.out.close("}");
            return Code::primary(name);
        }
        let (sign, binds) = if op == Binary::And {
            ("&&", Binds::And)
        } else {
            ("||", Binds::Or)
        };
        // `&&` inside `||` gets parentheses although C++ needs none: compilers ask for them.
        let inner = |code: Code| match code.binds {
            inner if inner == binds || inner > Binds::And => code.at_least(binds),
            _ => format!("({})", code.text),
        };
        let (a, b) = (self.value(a), self.value(b));
        Code {
            text: format!("{} {sign} {}", inner(a), inner(b)),
            binds,
        }
    }

    fn binary(&mut self, op: Binary, a: &Expr, b: &Expr) -> Code {
        let scalar = scalar_of(a);
        let literals = is_literal(a) && is_literal(b);
        let known = is_literal(b) && !is_zero(b);
        let called = is_narrow(scalar) || compares_unsigned_with_zero(op, scalar, a, b);
        let divide = self.divides_by(b).map(str::to_owned);
        let codes = self.operands([a, b]);
        let [a, b] = [&codes[0], &codes[1]];
        let infix = |sign: &str, binds: Binds, left: Binds, right: Binds| Code {
            text: format!("{} {sign} {}", a.at_least(left), b.at_least(right)),
            binds,
        };
        let left_to_right = |sign: &str, binds: Binds| infix(sign, binds, binds, next(binds));
        let named = |name: &str| Code::primary(format!("wf::{name}({}, {})", a.text, b.text));
        let plain = !literals && (is_float(scalar) || matches!(scalar, Scalar::U32 | Scalar::U64));
        // Words of 32 and 64 bits have C++'s operators; narrower ones would become `int`.
        let bits = |sign: &str, name: &str| {
            if is_word(scalar) {
                infix(sign, Binds::Bits, Binds::Unary, Binds::Unary)
            } else {
                named(name)
            }
        };
        let compare =
            |sign: &str, binds: Binds| infix(sign, binds, next(Binds::Relation), next(Binds::Relation));
        match op {
            Binary::Div if divide.is_some() => {
                Code::primary(format!("{}({}, {})", divide.unwrap_or_default(), a.text, b.text))
            }
            Binary::Add if plain => left_to_right("+", Binds::Sum),
            Binary::Sub if plain => left_to_right("-", Binds::Sum),
            Binary::Mul if plain => left_to_right("*", Binds::Product),
            // By what may be -0.0 the library divides: the compiler is wrong about the sign.
            Binary::Div if is_float(scalar) && known && !literals => left_to_right("/", Binds::Product),
            Binary::Add => named("add"),
            Binary::Sub => named("sub"),
            Binary::Mul => named("mul"),
            Binary::Div => named("div"),
            Binary::Rem => named("rem"),
            Binary::BitAnd => bits("&", "bit_and"),
            Binary::BitOr => bits("|", "bit_or"),
            Binary::BitXor => bits("^", "bit_xor"),
            Binary::Shl => named("shl"),
            Binary::Shr => named("shr"),
            Binary::Lt if called => named("less"),
            Binary::Ge if called => named("not_less"),
            Binary::Gt if called => Code::primary(format!("wf::less({}, {})", b.text, a.text)),
            Binary::Le if called => Code::primary(format!("wf::not_less({}, {})", b.text, a.text)),
            Binary::Eq => compare("==", Binds::Equality),
            Binary::Ne => compare("!=", Binds::Equality),
            Binary::Lt => compare("<", Binds::Relation),
            Binary::Le => compare("<=", Binds::Relation),
            Binary::Gt => compare(">", Binds::Relation),
            Binary::Ge => compare(">=", Binds::Relation),
            Binary::And | Binary::Or => unreachable!("`lazy` writes these"),
        }
    }
}

/// Whether an arm of a choice is so cheap that both are computed: lanes that go different ways would each wait for both,
/// and neighbouring elements could not overlap. Arms have no effects and no value that is not stated.
fn costs_less_than_a_branch(arm: &Expr) -> bool {
    match &arm.kind {
        ExprKind::Literal(_) | ExprKind::Local(_) => true,
        ExprKind::Unary(_, a) | ExprKind::Field(a, ..) => costs_less_than_a_branch(a),
        ExprKind::Binary(Binary::Add | Binary::Sub | Binary::Mul, a, b) => {
            scalar_of(a) == Scalar::F32 && costs_less_than_a_branch(a) && costs_less_than_a_branch(b)
        }
        ExprKind::Method { name, args, .. } => {
            let cheap = matches!(
                *name,
                "abs" | "exp" | "exp2" | "ln" | "log2" | "max" | "min" | "mul_add"
            );
            cheap && arm.ty == Ty::Scalar(Scalar::F32) && args.iter().all(costs_less_than_a_branch)
        }
        ExprKind::Block(stmts, Some(value)) => stmts.is_empty() && costs_less_than_a_branch(value),
        _ => false,
    }
}

/// Whether an arm of such a choice calls a method: the compiler chooses by itself between what takes an operation or two.
fn has_calls(choice: &Expr) -> bool {
    fn calls(arm: &Expr) -> bool {
        match &arm.kind {
            ExprKind::Method { .. } => true,
            ExprKind::Unary(_, a) | ExprKind::Field(a, ..) => calls(a),
            ExprKind::Binary(_, a, b) => calls(a) || calls(b),
            ExprKind::Block(_, Some(value)) => calls(value),
            _ => false,
        }
    }
    matches!(&choice.kind, ExprKind::If(_, then, Some(otherwise)) if calls(then) || calls(otherwise))
}

/// The level above: what the right operand of an operator that groups to the left must have.
const fn next(binds: Binds) -> Binds {
    match binds {
        Binds::Ternary => Binds::Or,
        Binds::Or => Binds::And,
        Binds::And => Binds::Bits,
        Binds::Bits => Binds::Equality,
        Binds::Equality => Binds::Relation,
        Binds::Relation => Binds::Sum,
        Binds::Sum => Binds::Product,
        Binds::Product => Binds::Unary,
        Binds::Unary | Binds::Primary => Binds::Primary,
    }
}

/// The scalar type of an operand; operators are defined on scalars alone.
fn scalar_of(expr: &Expr) -> Scalar {
    match &expr.ty {
        Ty::Scalar(scalar) => *scalar,
        other => unreachable!("operators take scalars, not {other:?}"),
    }
}

const fn is_float(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::F16 | Scalar::Bf16 | Scalar::F32 | Scalar::F64)
}

const fn is_word(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::I32 | Scalar::I64 | Scalar::U32 | Scalar::U64)
}

/// Whole numbers whose comparisons the library makes: `less` says why.
const fn is_narrow(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::I8 | Scalar::I16 | Scalar::U8 | Scalar::U16)
}

fn is_literal(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Literal(_))
}

/// A literal 0.0 or -0.0.
fn is_zero(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(Value::F16(x)) => x.to_f32() == 0.0,
        ExprKind::Literal(Value::Bf16(x)) => x.to_f32() == 0.0,
        ExprKind::Literal(Value::F32(x)) => *x == 0.0,
        ExprKind::Literal(Value::F64(x)) => *x == 0.0,
        _ => false,
    }
}

/// `x < 0` and its like on unsigned types, about which compilers warn.
fn compares_unsigned_with_zero(op: Binary, scalar: Scalar, a: &Expr, b: &Expr) -> bool {
    let zero = |expr: &Expr| {
        let ExprKind::Literal(value) = &expr.kind else {
            return false;
        };
        matches!(
            value,
            Value::U8(0) | Value::U16(0) | Value::U32(0) | Value::U64(0)
        )
    };
    let unsigned = matches!(scalar, Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64);
    unsigned
        && match op {
            Binary::Lt | Binary::Ge => zero(b),
            Binary::Gt | Binary::Le => zero(a),
            _ => false,
        }
}
