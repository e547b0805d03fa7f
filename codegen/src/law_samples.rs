//! The states that the laws are checked on: what the map makes of a few telling elements.

use crate::associated::limit;
use crate::eval::{self, Fuel};
use crate::eval_ops::cast;
use crate::ir::{Function, Scalar, Spec, Ty};
use crate::law_compare::{exceeds, has_infinity, has_nan};
use crate::law_walk;
use crate::literal;
use crate::value::Value;

/// States that are looked at by themselves.
const MOST: usize = 24;
/// States that are taken three at a time.
const MOST_OF_THREE: usize = 16;
/// Of these, the ones that the operator makes of others.
const COMBINED: usize = 3;
/// Past this, products and sums of a few overflow, which no law of real numbers survives.
const HUGE: f64 = 1e4;
/// The largest number whose cube `f16` holds.
const SMALL: f64 = 40.0;

/// Interpreted expressions that the map may take for the states without infinities, and again for those with them.
const FUEL_OF_MAP: u32 = 20_000;

/// States reached through the map.
#[derive(Debug)]
pub struct Samples {
    /// Without infinities, the most telling first.
    pub finite: Vec<Value>,
    /// Of these, and of what the operator makes of them, the ones to be taken three at a time.
    pub finite_of_three: Vec<Value>,
    /// With infinities.
    pub infinite: Vec<Value>,
    /// Of these, and a few without to meet them, the ones to be taken three at a time.
    pub infinite_of_three: Vec<Value>,
}

/// The states for the laws of a spec's own operator, of which so many expressions may be interpreted for finite states
/// and for infinite ones; `combine` is the operator.
pub fn samples(
    spec: &Spec,
    operator: &Function,
    fuel: (u32, u32),
    combine: impl Fn(&Value, &Value) -> Option<Value>,
) -> Samples {
    let literals = law_walk::literals(&[&spec.map, operator]);
    let mut finite = Vec::new();
    let mut infinite = Vec::new();
    for with_infinity in [false, true] {
        for state in reached(spec, &literals, with_infinity) {
            let group = if has_infinity(&state) {
                &mut infinite
            } else {
                &mut finite
            };
            if !has_nan(&state) && !is_huge_finite(&state) && group.len() < MOST && !group.contains(&state) {
                group.push(state);
            }
        }
    }
    let size = law_walk::size(operator);
    let finite_of_three = with_combined(&finite, affordable(fuel.0, size), combine);
    let mut infinite_of_three = infinite.clone();
    infinite_of_three.truncate(affordable(fuel.1, size).saturating_sub(2).max(1));
    if !infinite_of_three.is_empty() {
        infinite_of_three.extend(finite.iter().take(2).cloned());
    }
    Samples {
        finite,
        finite_of_three,
        infinite,
        infinite_of_three,
    }
}

/// The first of `states`, and what the operator makes of some: a mistake may need states of several elements. There are
/// at most `most`; a few are combined ones, and more where there are not enough of others.
fn with_combined(
    states: &[Value],
    most: usize,
    combine: impl Fn(&Value, &Value) -> Option<Value>,
) -> Vec<Value> {
    let kept = states.len().min(most.saturating_sub(COMBINED).max(2));
    let mut all = states[..kept].to_vec();
    if all.is_empty() {
        return all;
    }
    // Past the first, which is most often a zero: two elements, then three, then one more each time.
    let first = [(1, 1), (kept, 0), (kept - 1, kept), (kept, kept)];
    for at in 0..MOST_OF_THREE {
        let (left, right) = first.get(at).copied().unwrap_or((all.len() - 1, at % kept));
        let (true, Some(left), Some(right)) = (all.len() < most, all.get(left), all.get(right)) else {
            break;
        };
        let Some(state) = combine(left, right) else {
            break;
        };
        if !has_nan(&state) && !exceeds(&state, SMALL) && !all.contains(&state) {
            all.push(state);
        }
    }
    all
}

fn is_huge_finite(state: &Value) -> bool {
    !has_infinity(state) && exceeds(state, HUGE)
}

/// How many states can be taken three at a time, so that each meets each other one and three thirds: seven calls of the
/// operator for a pair.
fn affordable(fuel: u32, size: usize) -> usize {
    (3..=MOST_OF_THREE)
        .rev()
        .find(|n| n * n * 7 * size <= fuel as usize)
        .unwrap_or(2)
}

/// What the map returns for elements that walk through the lists of their types, each parameter at a pace of its own.
fn reached(spec: &Spec, literals: &[Value], with_infinity: bool) -> Vec<Value> {
    let lists: Vec<Vec<Value>> = spec
        .params
        .iter()
        .map(|p| elements(&p.local.ty, spec, literals, with_infinity))
        .collect();
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    let passes = if lists.len() > 1 { 2 } else { 1 };
    let fuel = Fuel::new(FUEL_OF_MAP);
    let mut states = Vec::new();
    // Both passes side by side, so that states with one field in common stand near each other.
    for k in 0..longest {
        for pass in 0..passes {
            let args: Vec<Value> = lists
                .iter()
                .enumerate()
                .map(|(j, list)| {
                    list[(k + pass * 2 * j + j * usize::from(with_infinity)) % list.len()].clone()
                })
                .collect();
            states.extend(eval::call_within(&spec.map, &args, &spec.module, &fuel));
        }
    }
    states
}

/// Values of a state's type, for the counterexamples of named operators.
pub fn of_type(ty: &Ty, spec: &Spec) -> Vec<Value> {
    elements(ty, spec, &[], true)
}

fn elements(ty: &Ty, spec: &Spec, literals: &[Value], with_infinity: bool) -> Vec<Value> {
    match ty {
        Ty::Scalar(scalar) => scalars(*scalar, literals, with_infinity),
        Ty::Tuple(_) | Ty::Struct(_) => {
            let fields: Vec<Vec<Value>> = ty
                .fields(&spec.module)
                .into_iter()
                .map(|f| elements(f, spec, literals, with_infinity))
                .collect();
            let longest = fields.iter().map(Vec::len).max().unwrap_or(0);
            let at = |k: usize| {
                fields
                    .iter()
                    .enumerate()
                    .map(|(j, list)| list[(k + j) % list.len()].clone())
                    .collect()
            };
            (0..longest)
                .map(|k| match ty {
                    Ty::Struct(name) => Value::Struct(name.clone(), at(k)),
                    _ => Value::Tuple(at(k)),
                })
                .collect()
        }
    }
}

/// The telling values of a scalar type, the most telling first.
fn scalars(scalar: Scalar, literals: &[Value], with_infinity: bool) -> Vec<Value> {
    if scalar == Scalar::Bool {
        return vec![Value::Bool(false), Value::Bool(true)];
    }
    let mut values: Vec<Value> = Vec::new();
    let mut add = |value: Option<Value>| {
        if let Some(value) = value
            && !values.contains(&value)
        {
            values.push(value);
        }
    };
    let own = || literals.iter().filter(|v| literal::scalar(v) == Some(scalar));
    let number = |number: f64| {
        if scalar.is_float() {
            cast(&Value::F64(number), scalar)
        } else if number.fract() == 0.0 {
            literal::from_integer(number as i128, scalar)
        } else {
            None
        }
    };
    if with_infinity && scalar.is_float() {
        for x in [f64::NEG_INFINITY, f64::INFINITY, 0.0, 1.0] {
            add(number(x));
        }
    } else {
        for x in [0.0, 1.0, -1.0, 2.0] {
            add(number(x));
        }
    }
    let limits = ["MIN", "MAX"].map(|name| limit(scalar, name).filter(|_| scalar.is_int()));
    limits.iter().cloned().for_each(&mut add);
    own().cloned().map(Some).for_each(&mut add);
    if with_infinity && scalar.is_float() {
        add(number(-2.0));
        return values;
    }
    for x in [3.0, -7.0] {
        add(number(x));
    }
    // A comparison with a literal turns on one of its sides.
    for value in own() {
        neighbours(value).into_iter().rev().map(Some).for_each(&mut add);
    }
    for x in [0.5, -2.0, -0.5] {
        add(number(x));
    }
    for limit in limits.iter().flatten() {
        neighbours(limit).into_iter().map(Some).for_each(&mut add);
    }
    values
}

/// The next values of the type on both sides.
fn neighbours(value: &Value) -> Vec<Value> {
    match value {
        Value::F32(v) => vec![Value::F32(v.next_down()), Value::F32(v.next_up())],
        Value::F64(v) => vec![Value::F64(v.next_down()), Value::F64(v.next_up())],
        _ => [-1, 1]
            .into_iter()
            .filter_map(|by| literal::step(value, by))
            .collect(),
    }
}
