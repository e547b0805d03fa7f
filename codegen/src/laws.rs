//! The laws of an operator, checked by evaluating map and operator in the compiler.
//!
//! Only on states that the map reaches from 0, ±1, ±2, ±1/2, 3, -7 (integers also `MIN` and `MAX`), the body's
//! literals and their neighbours, never from `NaN`, compared with `==`:
//!
//! 1. identity with identity is the identity; a `NaN` fails;
//! 2. the identity changes nothing on either side, and the operator is associative, floats to a tolerance of the
//!    largest magnitude met; a `NaN` fails;
//! 3. both again with ±inf, where a difference counts only if neither side holds a `NaN`;
//! 4. the operator commutes, where the user claims it.
//!
//! This is evidence, not proof, and it never changes a plan. It ends where it has taken as long as a build should wait:
//! an operator of very long loops is tried on fewer states, or on none.

use crate::eval::{self, Fuel};
use crate::ir::{Function, Named, Spec};
use crate::law_compare::{Agreement, agree, has_nan};
use crate::law_samples::{self, Samples};
use crate::named_eval;
use crate::print;
use crate::value::Value;

/// Interpreted expressions that the laws of one spec may take, whatever is in its loops: some milliseconds in a debug
/// build of the macro. Operators without long loops need about half of it.
const FUEL: u32 = 40_000;

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
    let laws = Laws {
        spec,
        combine,
        identity,
        fuel: Fuel::new(FUEL),
    };
    let Samples { finite, infinite } = law_samples::samples(spec, combine);
    laws.neutral()
        .or_else(|| laws.identity(&finite, false))
        .or_else(|| laws.associative(&finite, false))
        .or_else(|| laws.identity(&infinite, true))
        .or_else(|| laws.associative(&infinite, true))
        .or_else(|| {
            if commutative {
                laws.commutes(&finite, false)
                    .or_else(|| laws.commutes(&infinite, true))
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
        if agree(&both, self.identity, &[], Agreement::Strict) {
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

    /// Law 2, second half.
    fn associative(&self, states: &[Value], lenient: bool) -> Option<Failure> {
        let pairs: Option<Vec<Vec<Value>>> = states
            .iter()
            .map(|a| states.iter().map(|b| self.combine(a, b)).collect())
            .collect();
        let pairs = pairs?;
        for (i, a) in states.iter().enumerate() {
            for (j, b) in states.iter().enumerate() {
                let ab = &pairs[i][j];
                for (k, c) in states.iter().enumerate() {
                    let bc = &pairs[j][k];
                    let left = self.combine(ab, c)?;
                    let right = self.combine(a, bc)?;
                    if agree(&left, &right, &[a, b, c, ab, bc], Agreement::of(lenient)) {
                        continue;
                    }
                    let name = self.name();
                    let (x, y, z) = (self.show(a), self.show(b), self.show(c));
                    let message = format!(
                        "{name} is not associative: {name}({name}({x}, {y}), {z}) is {}, but {name}({x}, {name}({y}, {z})) is {}\nhelp: a warp combines in a tree; move what breaks this into the function's body or into `finish`, or say `laws = trusted`",
                        self.show(&left),
                        self.show(&right)
                    );
                    return Some(Failure {
                        argument: "op",
                        rule: "law-associative",
                        message,
                    });
                }
            }
        }
        None
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
    let changed = changed.unwrap_or_default();
    let message = format!(
        "{given} is not an identity of {name}{changed}\nhelp: write `identity = {own}`, or seed the row with `init = {given}`"
    );
    Some(Failure {
        argument: "identity",
        rule: "law-named",
        message,
    })
}
