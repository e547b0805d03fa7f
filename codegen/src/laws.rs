//! The laws of an operator, checked by evaluating map and operator in the compiler.
//!
//! Only on states that the map reaches from 0, ±1, ±2, ±1/2, 3, -7 (integers also `MIN` and `MAX`), the body's
//! literals and their neighbours, never from `NaN`, and on what the operator makes of a few of these, compared with
//! `==`:
//!
//! 1. identity with identity is the identity; a `NaN` fails, but where the identity itself holds one;
//! 2. the identity changes nothing on either side, and the operator is associative, floats to a tolerance of the
//!    largest magnitude met; a `NaN` fails;
//! 3. both again with ±inf, where a difference counts only if neither side holds a `NaN`;
//! 4. the operator commutes, where the user claims it.
//!
//! This is evidence, not proof, and it never changes a plan. It ends where it has taken as long as a build should wait:
//! an operator of very long loops is tried on fewer states, or on none.

use crate::eval::{self, Fuel};
use crate::ir::{Function, Named, Spec};
use crate::law_compare::{Agreement, agree, has_nan, keeps};
use crate::law_samples;
use crate::named_eval;
use crate::print;
use crate::value::Value;

/// Interpreted expressions that each law may take, whatever is in the operator's loops; all together some milliseconds
/// in a debug build of the macro.
const OF_ONE: u32 = 4_000;
const OF_TWO: u32 = 3_000;
const OF_THREE: u32 = 8_000;
/// With infinities, of which there are two.
const OF_THREE_INFINITE: u32 = 3_000;

/// A law that does not hold.
#[derive(Debug)]
pub struct Failure {
    /// The argument that is to blame.
    pub argument: &'static str,
    /// The law.
    pub rule: &'static str,
    /// The counterexample, and what to do.
    pub message: String,
}

/// The first law that the operator of a spec breaks, with its counterexample.
pub fn check(spec: &Spec, combine: &Function, commutative: bool) -> Option<Failure> {
    let identity = spec.identity.as_ref()?;
    let within = |fuel| Laws {
        spec,
        combine,
        identity,
        fuel: Fuel::new(fuel),
    };
    let made = within(OF_ONE);
    let samples = law_samples::samples(spec, combine, (OF_THREE, OF_THREE_INFINITE), |left, right| {
        made.combine(left, right)
    });
    within(OF_ONE)
        .neutral()
        .or_else(|| within(OF_ONE).identity(&samples.finite, false))
        .or_else(|| within(OF_THREE).associative(&samples.finite_of_three, false))
        .or_else(|| within(OF_ONE).identity(&samples.infinite, true))
        .or_else(|| within(OF_THREE_INFINITE).associative(&samples.infinite_of_three, true))
        .or_else(|| {
            if commutative {
                let commutes = |states, lenient| within(OF_TWO).commutes(states, lenient);
                commutes(&samples.finite_of_three, false)
                    .or_else(|| commutes(&samples.infinite_of_three, true))
            } else {
                None
            }
        })
}

struct Laws<'a> {
    spec: &'a Spec,
    combine: &'a Function,
    identity: &'a Value,
    fuel: Fuel,
}

impl Laws<'_> {
    fn combine(&self, left: &Value, right: &Value) -> Option<Value> {
        eval::call_within(
            self.combine,
            &[left.clone(), right.clone()],
            &self.spec.module,
            &self.fuel,
        )
    }

    fn show(&self, value: &Value) -> String {
        print::value(value, &self.spec.module)
    }

    /// `op(a, b)`, under the name the user gave it.
    fn call(&self, left: &Value, right: &Value) -> String {
        format!("{}({}, {})", self.name(), self.show(left), self.show(right))
    }

    fn name(&self) -> String {
        if self.combine.name == "combine" && self.spec.module.functions.iter().all(|f| f.name != "combine") {
            "op".to_owned()
        } else {
            self.combine.name.to_string()
        }
    }

    /// Law 1.
    fn neutral(&self) -> Option<Failure> {
        let both = self.combine(self.identity, self.identity)?;
        if agree(&both, self.identity, &[], Agreement::Strict) || keeps(&both, self.identity) {
            return None;
        }
        let (call, both, identity) = (
            self.call(self.identity, self.identity),
            self.show(&both),
            self.show(self.identity),
        );
        let help = if both.contains("nan") {
            "guard what makes the NaN, for example an exponential of a difference of infinities or a division by zero"
        } else {
            "give the state that changes nothing, or seed the row with `init = …`"
        };
        let argument = if both.contains("nan") { "op" } else { "identity" };
        let message = format!(
            "the identity of {} does not keep itself: {call} is {both}, not {identity}\nhelp: {help}",
            self.name()
        );
        Some(Failure {
            argument,
            rule: "law-neutral",
            message,
        })
    }

    /// Law 2, first half.
    fn identity(&self, states: &[Value], lenient: bool) -> Option<Failure> {
        for state in states {
            for (left, right) in [(self.identity, state), (state, self.identity)] {
                let result = self.combine(left, right)?;
                if agree(&result, state, &[], Agreement::of(lenient)) {
                    continue;
                }
                let (identity, call, result) = (
                    self.show(self.identity),
                    self.call(left, right),
                    self.show(&result),
                );
                let message = format!(
                    "{identity} is not an identity of {}: {call} is {result}\nhelp: give the state that changes nothing, or seed the row with `init = {identity}`",
                    self.name()
                );
                return Some(Failure {
                    argument: "identity",
                    rule: "law-identity",
                    message,
                });
            }
        }
        None
    }

    /// Law 2, second half. There is no time for every three states, so each two meet one third after the other, in an
    /// order in which no two meet the same third twice: a mistake is most often one of two states, and shows with many
    /// a third. All three go round where there are few states, or where the fuel lasts.
    fn associative(&self, states: &[Value], lenient: bool) -> Option<Failure> {
        let count = states.len();
        let mut pairs: Vec<Option<Value>> = vec![None; count * count];
        let mut pair = |i: usize, j: usize| {
            let known = &mut pairs[i * count + j];
            if known.is_none() {
                *known = Some(self.combine(&states[i], &states[j])?);
            }
            known.clone()
        };
        for round in 0..count {
            for (i, j) in (0..count).flat_map(|i| (0..count).map(move |j| (i, j))) {
                let k = (i + j + round) % count;
                let met = [i, j, k].map(|at| &states[at]);
                let (first, last) = (pair(i, j)?, pair(j, k)?);
                let (left, right) = (self.combine(&first, met[2])?, self.combine(met[0], &last)?);
                let largest = [met[0], met[1], met[2], &first, &last];
                if !agree(&left, &right, &largest, Agreement::of(lenient)) {
                    return Some(self.not_associative(met, &left, &right));
                }
            }
        }
        None
    }

    fn not_associative(&self, met: [&Value; 3], left: &Value, right: &Value) -> Failure {
        let name = self.name();
        let [x, y, z] = met.map(|state| self.show(state));
        let message = format!(
            "{name} is not associative: {name}({name}({x}, {y}), {z}) is {}, but {name}({x}, {name}({y}, {z})) is {}\nhelp: a warp combines in a tree; move what breaks this into the function's body or into `finish`, or say `laws = trusted`",
            self.show(left),
            self.show(right)
        );
        Failure {
            argument: "op",
            rule: "law-associative",
            message,
        }
    }

    /// Law 4.
    fn commutes(&self, states: &[Value], lenient: bool) -> Option<Failure> {
        for (i, a) in states.iter().enumerate() {
            for b in &states[i + 1..] {
                let (ab, ba) = (self.combine(a, b)?, self.combine(b, a)?);
                if agree(&ab, &ba, &[a, b], Agreement::of(lenient)) {
                    continue;
                }
                let message = format!(
                    "{} does not commute: {} is {}, but {} is {}\nhelp: remove `commutative = true`",
                    self.name(),
                    self.call(a, b),
                    self.show(&ab),
                    self.call(b, a),
                    self.show(&ba)
                );
                return Some(Failure {
                    argument: "commutative",
                    rule: "law-commutative",
                    message,
                });
            }
        }
        None
    }
}

/// Rule: an identity given to a named operator is the table's own. The counterexample is the first element it changes.
pub fn identity_of_named(named: Named, claimed: &Value, spec: &Spec) -> Option<Failure> {
    let own = spec.identity.as_ref()?;
    if agree(claimed, own, &[], Agreement::Strict) {
        return None;
    }
    let show = |value: &Value| print::value(value, &spec.module);
    let (name, given, own) = (named.name(), show(claimed), show(own));
    let changed = law_samples::of_type(&spec.state, spec)
        .into_iter()
        .find_map(|state| {
            let result = named_eval::combine(named, claimed, &state)?;
            (!has_nan(&state) && result != state)
                .then(|| format!(": {name}({given}, {}) is {}", show(&state), show(&result)))
        });
    // A NaN changes nothing either, as it loses: to the identity too, so that no row holds it, and none that it seeds.
    let loses = has_nan(claimed) && matches!(named, Named::Min | Named::Max);
    let message = if loses {
        format!(
            "{given} is not the identity of {name}: a NaN loses, and of no elements or of NaN alone {name} holds {own}\nhelp: write `identity = {own}`, or let a NaN win with `op = {name}imum`"
        )
    } else {
        // Where it changes nothing that is there, it is what stands where nothing is.
        let changed = changed.unwrap_or_else(|| format!(": of no elements {name} holds {own}"));
        let nothing = matches!(claimed, Value::Tuple(fields) if fields.first() == Some(&Value::Bool(false)));
        let seed = if nothing {
            String::new()
        } else {
            format!(", or seed the row with `init = {given}`")
        };
        format!("{given} is not an identity of {name}{changed}\nhelp: write `identity = {own}`{seed}")
    };
    Some(Failure {
        argument: "identity",
        rule: "law-named",
        message,
    })
}
