//! The states that the laws are checked on: what the map makes of a few telling elements.

use crate::associated::limit;
use crate::eval::{self, Fuel};
use crate::eval_ops::cast;
use crate::ir::{Function, Scalar, Spec, Ty};
use crate::law_compare::{has_infinity, has_nan, is_huge};
use crate::law_walk;
use crate::literal;
use crate::value::Value;

/// Interpreted expressions that the laws of one spec may cost: some milliseconds in a debug build of the macro.
const BUDGET: usize = 12_000;

/// Interpreted expressions that the map may take for the states without infinities, and again for those with them.
const FUEL_OF_MAP: u32 = 20_000;

/// States reached through the map.
#[derive(Debug)]
pub struct Samples {
    /// Without infinities.
    pub finite: Vec<Value>,
    /// With infinities, and a few without to meet them.
    pub infinite: Vec<Value>,
}

/// The states for the laws of a spec's own operator.
pub fn samples(spec: &Spec, combine: &Function) -> Samples {
    let literals = law_walk::literals(&[&spec.map, combine]);
    let mut finite = Vec::new();
    let mut infinite = Vec::new();
    for with_infinity in [false, true] {
        for state in reached(spec, &literals, with_infinity) {
            let group = if has_infinity(&state) {
                &mut infinite
            } else {
                &mut finite
            };
            if !has_nan(&state) && !is_huge_finite(&state) && !group.contains(&state) {
                group.push(state);
            }
        }
    }
    let most = affordable(law_walk::size(combine));
    finite.truncate(most);
    infinite.truncate(most.saturating_sub(2).max(1));
    if !infinite.is_empty() {
        infinite.extend(finite.iter().take(2).cloned());
    }
    Samples { finite, infinite }
}

fn is_huge_finite(state: &Value) -> bool {
    !has_infinity(state) && is_huge(state)
}

/// How many states can be taken three at a time within the budget; at least two, or nothing would be tried.
fn affordable(size: usize) -> usize {
    (2..=12)
        .rev()
        .find(|n| n * n * n * 4 * size <= BUDGET)
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
    for pass in 0..passes {
        for k in 0..longest {
            let args: Vec<Value> = lists
                .iter()
                .enumerate()
                .map(|(j, list)| {
                    list[(k + pass * (1 + 2 * j) + j * usize::from(with_infinity)) % list.len()].clone()
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
    let numbers: &[f64] = if with_infinity && scalar.is_float() {
        &[f64::NEG_INFINITY, f64::INFINITY, 0.0, 1.0, -2.0]
    } else {
        &[0.0, 1.0, -1.0, 2.0, 0.5, 3.0, -7.0, -2.0, -0.5]
    };
    for (i, number) in numbers.iter().enumerate() {
        if scalar.is_float() {
            add(cast(&Value::F64(*number), scalar));
        } else if number.fract() == 0.0 {
            add(literal::from_integer(*number as i128, scalar));
        }
        if i == 3 && scalar.is_int() {
            add(limit(scalar, "MIN"));
            add(limit(scalar, "MAX"));
        }
        if i == 3 {
            for value in literals.iter().filter(|v| literal::scalar(v) == Some(scalar)) {
                add(Some(value.clone()));
                for neighbour in neighbours(value) {
                    add(Some(neighbour));
                }
            }
        }
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
