//! The named operators on values, as far as an identity can be mistaken for another's.

use std::cmp::Ordering;

use crate::eval_ops::binary;
use crate::ir::{Binary, Named};
use crate::value::Value;

/// `combine(left, right)`; `None` for the operators whose states are not one scalar.
pub fn combine(named: Named, left: &Value, right: &Value) -> Option<Value> {
    let op = match named {
        Named::Sum | Named::Count => Binary::Add,
        Named::Product => Binary::Mul,
        Named::And | Named::All => Binary::BitAnd,
        Named::Or | Named::Any | Named::Ballot => Binary::BitOr,
        Named::Xor => Binary::BitXor,
        Named::Min | Named::Minimum => return pick(left, right, Ordering::Less),
        Named::Max | Named::Maximum => return pick(left, right, Ordering::Greater),
        Named::Argmin | Named::Argmax => return arg(named, left, right),
        _ => return None,
    };
    binary(op, left, right)
}

/// The side that is less or greater; `-0.0` is less than `0.0`.
fn pick(left: &Value, right: &Value, wanted: Ordering) -> Option<Value> {
    let order = order(left, right)?;
    Some(if order == wanted {
        left.clone()
    } else {
        right.clone()
    })
}

fn order(left: &Value, right: &Value) -> Option<Ordering> {
    Some(match (left, right) {
        (Value::F16(a), Value::F16(b)) => a.total_cmp(b),
        (Value::Bf16(a), Value::Bf16(b)) => a.total_cmp(b),
        (Value::F32(a), Value::F32(b)) => a.total_cmp(b),
        (Value::F64(a), Value::F64(b)) => a.total_cmp(b),
        _ => crate::literal::integer(left)?.cmp(&crate::literal::integer(right)?),
    })
}

fn arg(named: Named, left: &Value, right: &Value) -> Option<Value> {
    let (Value::Tuple(a), Value::Tuple(b)) = (left, right) else {
        return None;
    };
    let wanted = if named == Named::Argmin {
        Ordering::Less
    } else {
        Ordering::Greater
    };
    let by_value = order(&a[0], &b[0])?;
    let first =
        by_value == wanted || (by_value == Ordering::Equal && order(&a[1], &b[1])? != Ordering::Greater);
    Some(if first { left.clone() } else { right.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn min_and_max_order_the_zeros() {
        let (zero, minus) = (Value::F32(0.0), Value::F32(-0.0));
        let Some(Value::F32(max)) = combine(Named::Max, &minus, &zero) else {
            panic!("not f32")
        };
        assert!(max.is_sign_positive());
    }

    #[test]
    fn argmax_takes_the_lowest_index_among_equals() {
        let at = |index| Value::Tuple(vec![Value::I32(5), Value::U64(index)]);
        assert_eq!(combine(Named::Argmax, &at(7), &at(2)), Some(at(2)));
        assert_eq!(combine(Named::Argmax, &at(2), &at(7)), Some(at(2)));
    }
}
