//! Everything that a body can do to scalars: one entry for each operation on each type.

use warpfold_codegen::ir::Scalar;
use warpfold_codegen::methods::{METHODS, Method, Shape};

/// How far an answer may be from Rust's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Not at all.
    Exact,
    /// The last bits are open.
    Open,
}

/// How an operation is written.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// `-a`.
    Prefix(&'static str),
    /// `a + b`.
    Infix(&'static str),
    /// `a as T`.
    As,
    /// `T::from(a)`.
    From,
    /// `a.m(b)`.
    Method(&'static str),
    /// `T::m(a)`.
    Associated(&'static str),
}

/// An operation on one type.
#[derive(Clone, Debug)]
pub struct Op {
    /// What it is called in counts: the operation and the type it works on.
    pub key: String,
    /// The types of its operands.
    pub args: Vec<Scalar>,
    /// The type of its result.
    pub ret: Scalar,
    /// How far its answer may be from Rust's.
    pub rounding: Rounding,
    /// Which operand's bits it looks at even where that is a `NaN`.
    pub looks_at_nan: Option<usize>,
    /// Whether its second operand may have any integer type: the distance of a shift.
    pub any_distance: bool,
    form: Form,
}

impl Op {
    /// The text of the operation on operands that need no further parentheses.
    pub fn write(&self, args: &[String]) -> String {
        match (self.form, args) {
            (Form::Prefix(sign), [a]) => format!("({sign}{a})"),
            (Form::Infix(sign), [a, b]) => format!("({a} {sign} {b})"),
            (Form::As, [a]) => format!("({a} as {})", self.ret),
            (Form::From, [a]) => format!("{}::from({a})", self.ret),
            (Form::Method(name), [a, rest @ ..]) => format!("{a}.{name}({})", rest.join(", ")),
            (Form::Associated(name), args) => format!("{}::{name}({})", self.ret, args.join(", ")),
            _ => unreachable!("an operation has its own number of operands"),
        }
    }
}

const OPEN: &[&str] = &[
    "exp", "exp2", "exp_m1", "ln", "ln_1p", "log2", "log10", "log", "powf", "cbrt", "hypot", "sin", "cos",
    "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
];

/// Every operation on every type that has it.
pub fn catalogue() -> Vec<Op> {
    let mut ops = Vec::new();
    operators(&mut ops);
    conversions(&mut ops);
    for method in METHODS {
        ops.extend(
            method
                .receivers
                .iter()
                .map(|receiver| of_method(method, receiver)),
        );
    }
    ops
}

fn op(form: Form, name: &str, on: Scalar, args: Vec<Scalar>, ret: Scalar) -> Op {
    Op {
        key: format!("{name} {on}"),
        args,
        ret,
        rounding: Rounding::Exact,
        looks_at_nan: None,
        any_distance: false,
        form,
    }
}

fn operators(ops: &mut Vec<Op>) {
    for scalar in Scalar::ALL {
        let (number, bits) = (scalar != Scalar::Bool, scalar.is_int() || scalar == Scalar::Bool);
        let mut infix = |signs: &[&'static str], ret: Scalar| {
            ops.extend(
                signs
                    .iter()
                    .map(|sign| op(Form::Infix(sign), sign, scalar, vec![scalar; 2], ret)),
            );
        };
        if number {
            infix(&["+", "-", "*", "/", "%"], scalar);
        }
        if bits {
            infix(&["&", "|", "^"], scalar);
        }
        if scalar == Scalar::Bool {
            infix(&["&&", "||"], scalar);
        }
        infix(&["==", "!=", "<", "<=", ">", ">="], Scalar::Bool);
        if scalar.is_int() {
            infix(&["<<", ">>"], scalar);
        }
        if scalar.is_signed_int() || scalar.is_float() {
            ops.push(op(Form::Prefix("-"), "neg", scalar, vec![scalar], scalar));
        }
        if bits {
            ops.push(op(Form::Prefix("!"), "!", scalar, vec![scalar], scalar));
        }
    }
    for op in ops.iter_mut() {
        op.any_distance = matches!(op.form, Form::Infix("<<" | ">>"));
    }
}

fn conversions(ops: &mut Vec<Op>) {
    for from in Scalar::ALL {
        for to in Scalar::ALL {
            let plain = !from.is_half() && !to.is_half();
            let sense = to != Scalar::Bool && !(from == Scalar::Bool && to.is_float());
            if plain && sense && from != to {
                ops.push(op(Form::As, &format!("as {to} from"), from, vec![from], to));
            }
            if from.is_half() && matches!(to, Scalar::F32 | Scalar::F64) {
                ops.push(op(Form::From, &format!("{to}::from"), from, vec![from], to));
            }
        }
    }
    let more = [
        (Scalar::Bool, Scalar::U8),
        (Scalar::Bool, Scalar::I64),
        (Scalar::Bool, Scalar::F32),
        (Scalar::U8, Scalar::U64),
        (Scalar::I8, Scalar::I32),
        (Scalar::U32, Scalar::I64),
        (Scalar::I16, Scalar::F32),
        (Scalar::U32, Scalar::F64),
        (Scalar::F32, Scalar::F64),
        (Scalar::U8, Scalar::F16),
        (Scalar::I8, Scalar::Bf16),
    ];
    ops.extend(more.map(|(from, to)| op(Form::From, &format!("{to}::from"), from, vec![from], to)));
}

fn of_method(method: &Method, receiver: Scalar) -> Op {
    let own = if method.associated { None } else { Some(receiver) };
    let args: Vec<Scalar> = own
        .into_iter()
        .chain(method.args.iter().map(|shape: &Shape| shape.on(receiver)))
        .collect();
    let form = if method.associated {
        Form::Associated(method.name)
    } else {
        Form::Method(method.name)
    };
    Op {
        rounding: if OPEN.contains(&method.name) {
            Rounding::Open
        } else {
            Rounding::Exact
        },
        looks_at_nan: match method.name {
            "to_bits" | "is_sign_positive" | "is_sign_negative" => Some(0),
            "copysign" => Some(1),
            _ => None,
        },
        ..op(form, method.name, receiver, args, method.ret.on(receiver))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_operation_stands_once() {
        let mut keys = HashSet::new();
        for op in catalogue() {
            assert!(keys.insert(op.key.clone()), "`{}` stands twice", op.key);
        }
        assert!(keys.len() > 700, "{}", keys.len());
    }

    #[test]
    fn what_is_open_is_in_the_table() {
        for name in OPEN {
            assert!(METHODS.iter().any(|method| method.name == *name), "{name}");
        }
    }
}
