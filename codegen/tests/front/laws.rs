//! The laws accept every correct operator of the documentation and refuse the classic mistakes, with a counterexample.

use std::time::{Duration, Instant};

use crate::{right, wrong};

#[test]
fn correct_operators_are_accepted() {
    // The last writer.
    right(
        "#[warp_scan(identity = (false, 0), op = |p, q| if q.0 { q } else { p })] fn f(x: i32) -> (bool, i32) { (x > 0, if x > 0 { x } else { 0 }) }",
    );
    // 2×2 integer matrices.
    right(
        "#[warp_scan(identity = (1, 0, 0, 1), op = |p, q| (p.0 * q.0 + p.1 * q.2, p.0 * q.1 + p.1 * q.3, p.2 * q.0 + p.3 * q.2, p.2 * q.1 + p.3 * q.3))]
         fn f(a: i32, b: i32) -> (i32, i32, i32, i32) { (a, b, 1, 0) }",
    );
    // A segmented sum with a flag in the state.
    right(
        "#[warp_scan(identity = (false, 0.0), op = |p, q| (p.0 || q.0, if q.0 { q.1 } else { p.1 + q.1 }), finish = |s| -> f32 { s.1 })] fn f(x: f32, start: bool) -> (bool, f32) { (start, x) }",
    );
    // Welford's merge with a guard.
    right(
        "#[warp_reduce(identity = (0.0, 0.0, 0.0), op = |a, b| {
            let n = a.0 + b.0;
            if n == 0.0 { a } else {
                let d = b.1 - a.1;
                (n, a.1 + d * b.0 / n, a.2 + b.2 + d * d * a.0 * b.0 / n)
            }
        })]
        fn f(x: f32) -> (f32, f32, f32) { (1.0, x, 0.0) }",
    );
    right(
        "#[warp_reduce(identity = nan, op = |a, b| if a.is_nan() { b } else if b.is_nan() { a } else { a.max(b) })] fn f(x: f32) -> f32 { x }",
    );
    right(
        "#[warp_reduce(identity = (nan, 0), op = |p, q| (if p.1 == 0 { q.0 } else { p.0 }, p.1 | q.1))] fn f(x: f32) -> (f32, u32) { (x, 1) }",
    );
    right("#[warp_reduce(identity = 0, op = |a, b| a ^ b, commutative = true)] fn f(x: u64) -> u64 { x }");
    right(
        "#[warp_reduce(identity = MAX, op = |a, b| a.min(b), commutative = true)] fn f(x: i16) -> i16 { x }",
    );
    right(
        "#[warp_reduce(identity = -inf, op = |a, b| if a > b { a } else { b })] fn f(x: f64) -> f64 { x * 1000.0 }",
    );
    right("#[warp_reduce(identity = 1, op = |a, b| a * b)] fn f(x: i32) -> i32 { x }");
    right(
        "#[warp_reduce(identity = 0.0, op = |a, b| a + b, commutative = true)] fn f(x: f32, y: f32) -> f32 { (x - y) * (x - y) }",
    );
}

#[test]
fn subtraction_is_refused() {
    assert_eq!(
        wrong("#[warp_reduce(identity = 0, op = |a, b| a - b)] fn f(x: i32) -> i32 { x }"),
        [
            "0 is not an identity of op: op(0, 1) is -1\nhelp: give the state that changes nothing, or seed the row with `init = 0`"
        ]
    );
}

#[test]
fn affine_of_two_elements_is_refused() {
    assert!(
        wrong("#[warp_reduce(identity = 1, op = |a, b| a * b + 1)] fn f(x: i32) -> i32 { x }")[0]
            .contains("op(1, 1) is 2, not 1")
    );
    assert!(
        wrong("#[warp_reduce(identity = 0.0, op = |a, b| (a + b) / 2.0)] fn f(x: f32) -> f32 { x }")[0]
            .contains("is not")
    );
}

#[test]
fn a_nan_that_swallows_is_no_identity() {
    assert_eq!(
        wrong("#[warp_reduce(identity = nan, op = |a, b| a + b)] fn f(x: f32) -> f32 { x }")[0],
        "nan is not an identity of op: op(nan, 0.0) is nan\nhelp: give the state that changes nothing, or seed the row with `init = nan`"
    );
}

/// It changes no state, and is not what a row of nothing gives: what a NaN does is said, and no seed that would be lost.
#[test]
fn a_nan_is_not_what_max_starts_from() {
    for (name, own) in [("max", "-inf"), ("min", "inf")] {
        assert_eq!(
            wrong(&format!(
                "#[warp_reduce(op = {name}, identity = nan)] fn f(x: f32) -> f32 {{ x }}"
            )),
            [format!(
                "nan is not the identity of {name}: a NaN loses, and of no elements or of NaN alone {name} holds {own}\nhelp: write `identity = {own}`, or let a NaN win with `op = {name}imum`"
            )]
        );
    }
}

#[test]
fn what_is_not_associative_shows_both_trees() {
    let message = &wrong(
        "#[warp_reduce(identity = 0, op = |a, b| if a == 0 { b } else if b == 0 { a } else { a * b + 1 })] fn f(x: i32) -> i32 { x }",
    )[0];
    assert!(message.starts_with("op is not associative: op(op("), "{message}");
}

#[test]
fn a_max_seeded_with_the_wrong_value_is_refused() {
    assert_eq!(
        wrong("#[warp_reduce(op = max, identity = 0.0)] fn f(x: f32) -> f32 { x }"),
        ["0.0 is not an identity of max: max(0.0, -1.0) is 0.0\nhelp: write `identity = -inf`, or seed the row with `init = 0.0`"]
            .map(|m| m.replace("-1.0) is 0.0", "-inf) is 0.0"))
    );
    assert!(
        wrong("#[warp_reduce(op = max, identity = 0)] fn f(x: i32) -> i32 { x }")[0]
            .starts_with("0 is not an identity of max: max(0, -1) is 0")
    );
    right("#[warp_reduce(op = max, identity = 0)] fn f(x: u32) -> u32 { x }");
    let message =
        &wrong("#[warp_reduce(identity = f32::MIN, op = |a, b| a.max(b))] fn f(x: f32) -> f32 { x }")[0];
    assert!(
        message.contains("op(-3.4028235e38, -inf) is -3.4028235e38"),
        "{message}"
    );
    let message = &wrong("#[warp_reduce(identity = 0.0, op = |a, b| a.max(b))] fn f(x: f32) -> f32 { x }")[0];
    assert!(
        message.contains("0.0 is not an identity of op: op(0.0, -1.0) is 0.0"),
        "{message}"
    );
}

#[test]
fn a_softmax_without_its_guard_is_refused() {
    let message = &wrong(
        "#[warp_reduce(identity = (-inf, 0.0), op = |p, q| { let m = p.0.max(q.0); (m, p.1 * (p.0 - m).exp() + q.1 * (q.0 - m).exp()) })]
         fn f(x: f32) -> (f32, f32) { (x, 1.0) }",
    )[0];
    assert!(
        message.contains("op((-inf, 0.0), (-inf, 0.0)) is (-inf, nan)"),
        "{message}"
    );
}

#[test]
fn a_welford_merge_that_divides_by_zero_is_refused() {
    let message = &wrong(
        "#[warp_reduce(identity = (0.0, 0.0, 0.0), op = |a, b| {
            let n = a.0 + b.0;
            let d = b.1 - a.1;
            (n, a.1 + d * b.0 / n, a.2 + b.2 + d * d * a.0 * b.0 / n)
        })]
        fn f(x: f32) -> (f32, f32, f32) { (1.0, x, 0.0) }",
    )[0];
    assert!(message.contains("nan"), "{message}");
}

#[test]
fn a_false_claim_of_commuting_is_refused() {
    let message = &wrong(
        "#[warp_reduce(identity = (1.0, 0.0), op = |p, q| (p.0 * q.0, q.0 * p.1 + q.1), commutative = true)] fn f(a: f32, b: f32) -> (f32, f32) { (a, b) }",
    )[0];
    assert!(message.starts_with("op does not commute: op("), "{message}");
}

#[test]
fn trust_turns_the_laws_off() {
    right("#[warp_reduce(identity = 0, op = |a, b| a - b, laws = trusted)] fn f(x: i32) -> i32 { x }");
}

/// Operators from short to as long as one may write them.
const LONG_AND_SHORT: [(&str, &str); 8] = [
    (
        "two states of two floats",
        "#[warp_reduce(identity = (-inf, 0.0), op = |p, q| {
            let m = p.0.max(q.0);
            let left = if p.0 == m { p.1 } else { p.1 * (p.0 - m).exp() };
            let right = if q.0 == m { q.1 } else { q.1 * (q.0 - m).exp() };
            (m, left + right)
        }, finish = |s| -> f32 { s.0 + s.1.ln() })]
        pub fn log_sum_exp(x: f32) -> (f32, f32) { (x, 1.0) }",
    ),
    (
        "moments",
        "#[warp_reduce(identity = (0.0, 0.0, 0.0), op = |a, b| if a.0 == 0.0 { b } else if b.0 == 0.0 { a } else {
            let n = a.0 + b.0;
            let d = b.1 - a.1;
            (n, a.1 + d * (b.0 / n), a.2 + b.2 + d * d * (a.0 * (b.0 / n)))
        })]
        fn f(x: f64) -> (f64, f64, f64) { (1.0, x, 0.0) }",
    ),
    (
        "matrices",
        "#[warp_scan(identity = (1, 0, 0, 1), op = |p, q| (
            p.0 * q.0 + p.1 * q.2, p.0 * q.1 + p.1 * q.3, p.2 * q.0 + p.3 * q.2, p.2 * q.1 + p.3 * q.3))]
        fn f(a: i32, b: i32) -> (i32, i32, i32, i32) { (a, b, 1, 0) }",
    ),
    (
        "runs",
        "#[warp_reduce(identity = (0, 0, 0, 0), op = |p, q| (
            p.0.max(q.0).max(p.2 + q.1), if p.1 == p.3 { p.1 + q.1 } else { p.1 },
            if q.2 == q.3 { q.2 + p.2 } else { q.2 }, p.3 + q.3))]
        fn f(x: bool) -> (u32, u32, u32, u32) { let one = x as u32; (one, one, one, 1) }",
    ),
    (
        "a commutative operator of many parameters",
        "#[warp_reduce(identity = (inf, -inf), op = |p, q| (p.0.min(q.0), p.1.max(q.1)), commutative = true)]
        fn f(a: f64, b: f64, c: f64, #[uniform] d: f64) -> (f64, f64) { (a.min(b * 4.0), (c - d).max(16.5)) }",
    ),
    (
        "Euclid's algorithm",
        "#[warp_reduce(identity = 0, op = |p, q| {
            let mut a = p;
            let mut b = q;
            for _ in 0..64 { let r = if b == 0 { 0 } else { a % b }; a = if b == 0 { a } else { b }; b = r; }
            a
        }, commutative = true)]
        fn gcd(x: u32) -> u32 { x }",
    ),
    (
        "a loop that ends late",
        "#[warp_reduce(identity = 0, op = |p, q| { let mut a = p; for i in 0..1200 { a ^= i; a ^= i; } a ^ q })]
        fn f(x: u32) -> u32 { x }",
    ),
    (
        "a loop that nobody waits for",
        "#[warp_reduce(identity = 0, op = |p, q| { let mut a = p; for i in 0..10_000_000 { a ^= i; } a ^ q })]
        fn f(x: u32) -> u32 { for _ in 0..10_000_000 {} x }",
    ),
];

/// How long this thread has worked: on a busy machine it may wait for its turn far longer. Where the system does not
/// say, the time since `start`.
fn worked(start: Instant) -> Duration {
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|stat| stat.split_whitespace().next()?.parse().ok())
        .map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// The whole front end of a spec, laws included, in the build that people's debug builds run.
#[test]
fn a_spec_takes_less_than_twenty_milliseconds() {
    let mut slow = Vec::new();
    for (what, text) in LONG_AND_SHORT {
        // The system counts in steps of some milliseconds, so several together.
        let (start, rounds) = (Instant::now(), 10);
        let before = worked(start);
        for _ in 0..rounds {
            right(text);
        }
        let each = worked(start).saturating_sub(before) / rounds;
        println!("{what}: {each:.1?}");
        if each.as_millis() >= 20 {
            slow.push(format!("{what}: {each:.1?}"));
        }
    }
    assert!(slow.is_empty(), "{slow:#?}");
}

#[test]
fn an_identity_that_only_shows_where_nothing_is() {
    assert_eq!(
        wrong("#[warp_reduce(op = last, identity = (false, -1))] fn f(x: i32) -> i32 { x }"),
        [
            "(false, -1) is not an identity of last: of no elements last holds (false, 0)\nhelp: write `identity = (false, 0)`"
        ]
    );
}
