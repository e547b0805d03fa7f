//! Faults planted in the emitted text and in the library it stands on, each found by one program: so the comparison
//! would find them.

use crate::compare::Differences;
use crate::cxx::{compare, compiler, run, source};
use crate::expected::{Expected, everything};
use crate::written::{library, written};

/// A fault: what it is, the text that is replaced wherever it stands, and the number of a program that finds it.
struct Fault {
    what: &'static str,
    from: &'static str,
    to: &'static str,
    program: usize,
}

const fn fault(what: &'static str, from: &'static str, to: &'static str, program: usize) -> Fault {
    Fault {
        what,
        from,
        to,
        program,
    }
}

const FAULTS: &[Fault] = &[
    fault(
        "the distance of a shift is not masked",
        "Wrap<T>(a) << (static_cast<u32>(by) & (Traits<T>::bits - 1))",
        "Wrap<T>(a) << (static_cast<u32>(by) & 31)",
        6,
    ),
    fault(
        "a right shift of a signed integer moves zeros in",
        "static_cast<T>(a >> (",
        "static_cast<T>(static_cast<Unsigned<T>>(a) >> (",
        6,
    ),
    fault(
        "a cast from a float does not saturate at the top",
        "return x >= bound ? max_value<To>() :",
        "return x >= bound ? To(0) :",
        1,
    ),
    fault(
        "x / 0 is x",
        "b == T(0) ? T(0) : division_wraps(a, b)",
        "b == T(0) ? a : division_wraps(a, b)",
        8,
    ),
    fault(
        "x % 0 is 0",
        "b == T(0) ? a : division_wraps(a, b)",
        "b == T(0) ? T(0) : division_wraps(a, b)",
        1,
    ),
    fault(
        "a `NaN` wins in min and max",
        "is_nan(a) ? b : is_nan(b) ? a :",
        "is_nan(a) ? a : is_nan(b) ? b :",
        76,
    ),
    fault(
        "zeros have no sign in min and max",
        "return a < b || (a == b &&",
        "return a < b || (false && a == b &&",
        0,
    ),
    fault(
        "the remainder is that of the nearest quotient",
        "return fmodf(a, b)",
        "return remainderf(a, b)",
        94,
    ),
    fault(
        "halves round to even where they should round to away",
        "WF_UNARY(round, roundf, round)",
        "WF_UNARY(round, rintf, rint)",
        119,
    ),
    fault(
        "rem_euclid may be negative",
        "r >= T(0) ? r : add(r, abs(b))",
        "r >= T(0) ? r : r",
        1,
    ),
    fault(
        "leading_zeros counts those above a narrow type",
        "zeros_before(word_of(x)) - spare_bits<T>",
        "zeros_before(word_of(x))",
        2,
    ),
    fault(
        "a half is cut off, not rounded",
        "kept += rest > middle || (rest == middle && (kept & 1));",
        "",
        89,
    ),
    fault(
        "saturating_add wraps",
        "return sum < a ? max_value<T>() : sum;",
        "return sum;",
        28,
    ),
    fault(
        "rotate_right rotates left",
        "return rotate_left(x, 0u - by)",
        "return rotate_left(x, by)",
        12,
    ),
    fault(
        "the emitter writes `>` for `>=` in ranges of patterns",
        "wf::not_less(",
        "wf::less(",
        0,
    ),
    fault(
        "the emitter casts as C++ does",
        "wf::as_<wf::u8>(",
        "static_cast<wf::u8>(",
        0,
    ),
    fault(
        "the emitter swaps add and sub of narrow integers",
        "wf::add(",
        "wf::sub(",
        1,
    ),
];

/// Whether the comparison notices the fault in a program; one that no longer ends is noticed too.
fn found(fault: &Fault, expected: &Expected, compiler: &str, name: &str) -> bool {
    let (library, emitted) = (library(), written(&[expected]));
    let planted = [&library, &emitted].map(|text| text.replace(fault.from, fault.to));
    assert!(
        planted[0] != library || planted[1] != emitted,
        "`{}`: the text it replaces is not there",
        fault.what
    );
    let source = source(&planted[0], &[expected], &planted[1]);
    let Ok(results) = run(compiler, name, &source, &[expected]) else {
        return true;
    };
    let mut differences = Differences::default();
    compare(&[expected], &results, &mut differences);
    !differences.0.is_empty()
}

#[test]
fn every_planted_fault_is_found() {
    let Some(compiler) = compiler() else { return };
    let everything = everything();
    let mut missed = Vec::new();
    for (i, fault) in FAULTS.iter().enumerate() {
        let program = &everything[fault.program];
        if !found(fault, program, &compiler, &format!("fault_{i}")) {
            missed.push(fault.what);
        }
    }
    assert!(FAULTS.len() >= 12);
    assert!(missed.is_empty(), "not found: {missed:?}");
}
