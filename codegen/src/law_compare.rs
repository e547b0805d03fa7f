//! When two states agree for the laws: integers exactly, floats to a tolerance of the largest magnitude met.

use crate::value::Value;

/// How strict a comparison is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// A `NaN` on either side disagrees.
    Strict,
    /// A difference counts only if neither side holds a `NaN`.
    Lenient,
}

impl Agreement {
    /// The mode of law 3, or of laws 1 and 2.
    pub const fn of(lenient: bool) -> Agreement {
        if lenient {
            Agreement::Lenient
        } else {
            Agreement::Strict
        }
    }
}

/// Whether two states agree, given the states met on the way to them.
pub fn agree(a: &Value, b: &Value, met: &[&Value], mode: Agreement) -> bool {
    if has_nan(a) || has_nan(b) {
        return mode == Agreement::Lenient;
    }
    let largest = met
        .iter()
        .copied()
        .chain([a, b])
        .map(magnitude)
        .fold(0.0, f64::max);
    close(a, b, largest)
}

/// Whether a state is an identity, which may hold a `NaN`: that is kept where a `NaN` stands at the same place.
pub fn keeps(state: &Value, identity: &Value) -> bool {
    match (state, identity) {
        (Value::Tuple(a), Value::Tuple(b)) | (Value::Struct(_, a), Value::Struct(_, b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| keeps(a, b))
        }
        _ if has_nan(identity) => has_nan(state),
        _ => !has_nan(state) && close(state, identity, magnitude(identity)),
    }
}

fn close(a: &Value, b: &Value, largest: f64) -> bool {
    match (a, b) {
        (Value::Tuple(a), Value::Tuple(b)) | (Value::Struct(_, a), Value::Struct(_, b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| close(a, b, largest))
        }
        _ => match (float(a), float(b)) {
            (Some((a, epsilon)), Some((b, _))) => {
                // Exactly equal covers infinities of one sign and both zeros.
                #[allow(clippy::float_cmp, reason = "equal infinities have no difference to compare")]
                let equal = a == b;
                equal || (a - b).abs() <= epsilon * largest
            }
            _ => a == b,
        },
    }
}

/// A float's value with the tolerance of its type: some hundred roundings.
fn float(value: &Value) -> Option<(f64, f64)> {
    Some(match value {
        Value::F16(v) => (v.to_f64(), 0.05),
        Value::Bf16(v) => (v.to_f64(), 0.2),
        Value::F32(v) => (f64::from(*v), 2e-5),
        Value::F64(v) => (*v, 1e-12),
        _ => return None,
    })
}

/// The largest finite magnitude of the floats in a value.
fn magnitude(value: &Value) -> f64 {
    match value {
        Value::Tuple(fields) | Value::Struct(_, fields) => fields.iter().map(magnitude).fold(0.0, f64::max),
        _ => float(value)
            .map(|(v, _)| v.abs())
            .filter(|v| v.is_finite())
            .unwrap_or(0.0),
    }
}

/// Whether any field is a `NaN`.
pub fn has_nan(value: &Value) -> bool {
    any(value, &|v| v.is_nan())
}

/// Whether any field is infinite.
pub fn has_infinity(value: &Value) -> bool {
    any(value, &|v| v.is_infinite())
}

/// Whether the magnitude of any field is larger than that.
pub fn exceeds(value: &Value, magnitude: f64) -> bool {
    any(value, &|v| v.abs() > magnitude)
}

fn any(value: &Value, test: &impl Fn(f64) -> bool) -> bool {
    match value {
        Value::Tuple(fields) | Value::Struct(_, fields) => fields.iter().any(|f| any(f, test)),
        _ => float(value).is_some_and(|(v, _)| test(v)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_agree_to_the_largest_magnitude_met() {
        let (a, b) = (Value::F32(0.0), Value::F32(1e-3));
        assert!(!agree(&a, &b, &[], Agreement::Strict));
        assert!(agree(&a, &b, &[&Value::F32(1e3)], Agreement::Strict));
        assert!(agree(&Value::F32(-0.0), &Value::F32(0.0), &[], Agreement::Strict));
    }

    #[test]
    fn an_identity_keeps_the_nan_that_it_holds_and_gets_no_other() {
        let pair = |a, b| Value::Tuple(vec![Value::F32(a), Value::F32(b)]);
        let identity = pair(f32::NAN, 0.0);
        assert!(keeps(&pair(f32::NAN, 0.0), &identity));
        for other in [(0.0, 0.0), (f32::NAN, 1.0), (f32::NAN, f32::NAN), (0.0, f32::NAN)] {
            assert!(!keeps(&pair(other.0, other.1), &identity), "{other:?}");
        }
    }

    #[test]
    fn nan_disagrees_where_it_may_not_be() {
        let nan = Value::F64(f64::NAN);
        assert!(!agree(&nan, &nan, &[], Agreement::Strict));
        assert!(agree(&nan, &Value::F64(1.0), &[], Agreement::Lenient));
        assert!(!agree(
            &Value::F64(f64::INFINITY),
            &Value::F64(1.0),
            &[],
            Agreement::Lenient
        ));
    }
}
