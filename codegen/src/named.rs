//! The table of named operators: what the map must return, the state, the neutral state, and what is stored.

use crate::associated::limit;
use crate::ir::{Module, Named, Scalar, Ty};
use crate::literal;
use crate::value::{Value, nearest_bf16, nearest_f16};

/// Every operator with its name.
pub const NAMES: [(&str, Named); 20] = [
    ("sum", Named::Sum),
    ("product", Named::Product),
    ("min", Named::Min),
    ("max", Named::Max),
    ("minimum", Named::Minimum),
    ("maximum", Named::Maximum),
    ("and", Named::And),
    ("or", Named::Or),
    ("xor", Named::Xor),
    ("any", Named::Any),
    ("all", Named::All),
    ("count", Named::Count),
    ("ballot", Named::Ballot),
    ("argmin", Named::Argmin),
    ("argmax", Named::Argmax),
    ("first", Named::First),
    ("last", Named::Last),
    ("softmax", Named::Softmax),
    ("welford", Named::Welford),
    ("affine", Named::Affine),
];

/// What a named operator makes of a map's type.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What the operator combines.
    pub state: Ty,
    /// What is stored where there is no `finish`.
    pub result: Ty,
    /// The neutral state.
    pub identity: Value,
    /// Whether states may be combined in any order.
    pub any_order: bool,
}

impl Named {
    /// The operator of that name.
    pub fn from_name(name: &str) -> Option<Named> {
        NAMES
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, named)| *named)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        NAMES
            .iter()
            .find(|(_, named)| *named == self)
            .map_or("", |(name, _)| name)
    }

    /// What the map must return, in words.
    const fn wants(self) -> &'static str {
        match self {
            Named::And | Named::Or | Named::Xor => "an integer or bool",
            Named::Any | Named::All | Named::Count | Named::Ballot => "bool",
            Named::First | Named::Last => "a value",
            Named::Softmax | Named::Welford => "f32 or f64",
            Named::Affine => "two numbers of one type, (a, b)",
            _ => "a number",
        }
    }

    /// The row of the table for what the map returns.
    ///
    /// # Errors
    ///
    /// The message where the operator does not take that type.
    pub fn row(self, mapped: &Ty, module: &Module) -> Result<Row, String> {
        let refuse = || {
            let (name, wants) = (self.name(), self.wants());
            let help = match (self, mapped) {
                (Named::Any | Named::All | Named::Count | Named::Ballot, _) => {
                    "return a comparison, as in `x > 0.0`"
                }
                (Named::Sum, Ty::Scalar(Scalar::Bool)) => "use `op = count`",
                (Named::Min | Named::Max, Ty::Scalar(Scalar::Bool)) => "use `op = all` or `op = any`",
                (Named::Softmax | Named::Welford, Ty::Scalar(s)) if s.is_half() => "convert with `.to_f32()`",
                (Named::Softmax | Named::Welford, Ty::Scalar(_)) => "convert with `as f32`",
                _ => "change the function's type, or give an operator of your own as `op = |p, q| …`",
            };
            format!("`{name}` combines {wants}, but the function returns {mapped}\nhelp: {help}")
        };
        self.understood(mapped, module).ok_or_else(refuse)
    }

    fn understood(self, mapped: &Ty, module: &Module) -> Option<Row> {
        let scalar = mapped.scalar();
        let number = scalar.filter(|s| *s != Scalar::Bool);
        let float = scalar.filter(|s| matches!(s, Scalar::F32 | Scalar::F64));
        let plain = |identity| {
            Some(Row {
                state: mapped.clone(),
                result: mapped.clone(),
                identity,
                any_order: true,
            })
        };
        match self {
            Named::Sum => plain(if number?.is_float() {
                float_value(number?, -0.0)
            } else {
                whole(number?, 0)
            }),
            Named::Product => plain(whole(number?, 1)),
            Named::Min | Named::Minimum => plain(highest(number?)?),
            Named::Max | Named::Maximum => plain(lowest(number?)?),
            Named::And | Named::Or | Named::Xor if scalar? == Scalar::Bool => {
                plain(Value::Bool(self == Named::And))
            }
            Named::And => plain(literal::wrap(-1, scalar.filter(|s| s.is_int())?)),
            Named::Or | Named::Xor => plain(literal::wrap(0, scalar.filter(|s| s.is_int())?)),
            Named::Any | Named::All if scalar? == Scalar::Bool => plain(Value::Bool(self == Named::All)),
            Named::Count if scalar? == Scalar::Bool => lifted(Ty::Scalar(Scalar::U64), Value::U64(0), true),
            Named::Ballot if scalar? == Scalar::Bool => lifted(Ty::Scalar(Scalar::U32), Value::U32(0), true),
            Named::Argmin | Named::Argmax => {
                let worst = if self == Named::Argmin {
                    highest(number?)?
                } else {
                    lowest(number?)?
                };
                let state = Ty::Tuple(vec![mapped.clone(), Ty::Scalar(Scalar::U64)]);
                lifted(state, Value::Tuple(vec![worst, Value::U64(u64::MAX)]), true)
            }
            Named::First | Named::Last if !mapped.is_unit() => Some(Row {
                state: Ty::Tuple(vec![Ty::Scalar(Scalar::Bool), mapped.clone()]),
                result: mapped.clone(),
                identity: Value::Tuple(vec![Value::Bool(false), zero(mapped, module)]),
                any_order: false,
            }),
            Named::Softmax => {
                let (low, none) = (lowest(float?)?, float_value(float?, 0.0));
                lifted(
                    Ty::Tuple(vec![mapped.clone(); 2]),
                    Value::Tuple(vec![low, none]),
                    true,
                )
            }
            Named::Welford => {
                let none = float_value(float?, 0.0);
                lifted(
                    Ty::Tuple(vec![mapped.clone(); 3]),
                    Value::Tuple(vec![none; 3]),
                    true,
                )
            }
            Named::Affine => match mapped {
                Ty::Tuple(fields) if fields.len() == 2 && fields[0] == fields[1] => {
                    let scalar = fields[0].scalar().filter(|s| *s != Scalar::Bool)?;
                    lifted(
                        mapped.clone(),
                        Value::Tuple(vec![whole(scalar, 1), whole(scalar, 0)]),
                        false,
                    )
                }
                _ => None,
            },
            _ => None,
        }
    }
}

#[allow(clippy::unnecessary_wraps, reason = "stands where the arms of the table do")]
fn lifted(state: Ty, identity: Value, any_order: bool) -> Option<Row> {
    Some(Row {
        result: state.clone(),
        state,
        identity,
        any_order,
    })
}

fn float_value(scalar: Scalar, value: f64) -> Value {
    match scalar {
        Scalar::F16 => Value::F16(nearest_f16(value)),
        Scalar::Bf16 => Value::Bf16(nearest_bf16(value)),
        Scalar::F32 => Value::F32(value as f32),
        _ => Value::F64(value),
    }
}

/// A small whole number in any numeric type.
fn whole(scalar: Scalar, value: i8) -> Value {
    if scalar.is_float() {
        float_value(scalar, f64::from(value))
    } else {
        literal::wrap(value.into(), scalar)
    }
}

fn highest(scalar: Scalar) -> Option<Value> {
    limit(scalar, if scalar.is_float() { "INFINITY" } else { "MAX" })
}

fn lowest(scalar: Scalar) -> Option<Value> {
    limit(scalar, if scalar.is_float() { "NEG_INFINITY" } else { "MIN" })
}

/// The default of a type: zeros.
pub fn zero(ty: &Ty, module: &Module) -> Value {
    match ty {
        Ty::Scalar(Scalar::Bool) => Value::Bool(false),
        Ty::Scalar(scalar) => whole(*scalar, 0),
        Ty::Tuple(fields) => Value::Tuple(fields.iter().map(|f| zero(f, module)).collect()),
        Ty::Struct(name) => Value::Struct(
            name.clone(),
            ty.fields(module).into_iter().map(|f| zero(f, module)).collect(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(named: Named, scalar: Scalar) -> Result<Row, String> {
        named.row(&Ty::Scalar(scalar), &Module::default())
    }

    #[test]
    fn identities_are_those_of_the_table() {
        assert_eq!(
            row(Named::Max, Scalar::F32).unwrap().identity,
            Value::F32(f32::NEG_INFINITY)
        );
        assert_eq!(row(Named::Max, Scalar::U32).unwrap().identity, Value::U32(0));
        assert_eq!(row(Named::And, Scalar::U8).unwrap().identity, Value::U8(255));
        let Value::F32(sum) = row(Named::Sum, Scalar::F32).unwrap().identity else {
            panic!("not f32")
        };
        assert!(
            sum == 0.0 && sum.is_sign_negative(),
            "as Rust's sum, so that of only -0.0 stays -0.0"
        );
    }

    #[test]
    fn states_and_results_are_those_of_the_table() {
        let first = row(Named::First, Scalar::I8).unwrap();
        assert_eq!(
            (first.state.to_string(), first.result.to_string()),
            ("(bool, i8)".into(), "i8".into())
        );
        assert_eq!(
            row(Named::Argmax, Scalar::F16).unwrap().result.to_string(),
            "(f16, u64)"
        );
        assert_eq!(row(Named::Count, Scalar::Bool).unwrap().state.to_string(), "u64");
        assert!(!row(Named::Last, Scalar::I8).unwrap().any_order);
    }

    #[test]
    fn a_type_that_an_operator_does_not_take_is_refused_with_what_it_takes() {
        assert_eq!(
            row(Named::Any, Scalar::F32).unwrap_err(),
            "`any` combines bool, but the function returns f32\nhelp: return a comparison, as in `x > 0.0`"
        );
        assert!(row(Named::And, Scalar::F32).is_err());
        assert!(row(Named::Softmax, Scalar::F16).is_err());
        assert!(row(Named::Sum, Scalar::Bool).is_err());
    }

    #[test]
    fn names_are_one_to_one() {
        for (name, named) in NAMES {
            assert_eq!((Named::from_name(name), named.name()), (Some(named), name));
        }
    }
}
