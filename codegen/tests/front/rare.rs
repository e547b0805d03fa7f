//! Operators that are wrong, but for few states: the laws meet one of these.

use crate::{right, wrong};

/// What is wrong, the start of the message without the states, and the spec.
const RARE: &[(&str, &str, &str)] = &[
    (
        "a largest that forgets two equal ones",
        "op is not associative",
        "#[warp_reduce(identity = -inf, op = |a, b| if a > b { a } else if b > a { b } else if a == f32::NEG_INFINITY { a } else { 0.0 })]
         fn f(x: f32) -> f32 { x }",
    ),
    (
        "a sum that saturates",
        "op is not associative",
        "#[warp_reduce(identity = 0, op = |a, b| a.saturating_add(b))] fn f(x: i32) -> i32 { x }",
    ),
    (
        "a sum that saturates above only",
        "op is not associative",
        "#[warp_reduce(identity = 0, op = |a, b| if a > 0 && b > 0 { a.saturating_add(b) } else { a + b })]
         fn f(x: i64) -> i64 { x }",
    ),
    (
        "a sum that saturates in another type",
        "op is not associative",
        "#[warp_reduce(identity = 0, op = |a, b| (a as i32 + b as i32).clamp(-32768, 32767) as i16)]
         fn f(x: i16) -> i16 { x }",
    ),
    (
        "a sum with a ceiling, of numbers of both signs",
        "op is not associative",
        "#[warp_reduce(identity = 0, op = |a, b| (a + b).min(100))] fn f(x: i32) -> i32 { x.clamp(-100, 100) }",
    ),
    (
        "a sum that leaves out one of two large ones",
        "op is not associative",
        "#[warp_reduce(identity = 0.0, op = |a, b| if a > 2.5 && b > 2.5 { a } else { a + b })] fn f(x: f64) -> f64 { x }",
    ),
    (
        "a tie that goes to the right, said to commute",
        "op does not commute",
        "#[warp_reduce(identity = (-inf, MAX), op = |p, q| if q.0 > p.0 || (q.0 == p.0 && q.1 < u32::MAX) { q } else { p }, commutative = true)]
         fn f(x: f32, #[index] i: u32) -> (f32, u32) { (x, i) }",
    ),
    (
        "the same by longer ways",
        "op does not commute",
        "#[warp_reduce(identity = (MIN, MAX), op = |p, q| {
            let (left, right) = ((p.0 as i64 + 1) * 2, (q.0 as i64 + 1) * 2);
            let largest = left.max(right);
            let (here, there) = (left == largest, right == largest && q.1 != u32::MAX);
            match (here, there) { (true, false) => p, (true, true) => (p.0.max(q.0), q.1), _ => q }
         }, commutative = true)]
         fn f(x: i32, #[index] i: u32) -> (i32, u32) { (x, i) }",
    ),
    (
        "a loser's index that stays, where it is the larger",
        "op is not associative",
        "#[warp_reduce(identity = (-inf, 0), op = |p, q| if q.0 > p.0 || (q.0 == p.0 && q.1 > p.1) { q } else { (p.0, p.1.max(q.1)) })]
         fn f(x: f32, #[index] i: u32) -> (f32, u32) { (x, i) }",
    ),
    (
        "the largest magnitude, of which MIN has none",
        "0 is not an identity of op",
        "#[warp_reduce(identity = 0, op = |a, b| if a.abs() >= b.abs() { a } else { b })] fn f(x: i32) -> i32 { x }",
    ),
    (
        "a least by way of negatives, of which MIN has none",
        "2147483647 is not an identity of op",
        "#[warp_reduce(identity = MAX, op = |a, b| -((-a).max(-b)))] fn f(x: i32) -> i32 { x }",
    ),
    (
        "moments, wrong where there is nothing on the right",
        "(0.0, 0.0, 0.0) is not an identity of op",
        "#[warp_reduce(identity = (0.0, 0.0, 0.0), op = |a, b| if a.0 == 0.0 { b } else {
            let n = a.0 + b.0;
            let d = b.1 - a.1;
            (n, (a.1 + b.1) / 2.0 + 0.0 * d, a.2 + b.2 + d * d * a.0 * b.0 / n)
         })]
         fn f(x: f32) -> (f32, f32, f32) { (1.0, x, 0.0) }",
    ),
    (
        "moments, wrong where both sides are of more than one",
        "op is not associative",
        "#[warp_reduce(identity = (0.0, 0.0, 0.0), op = |a, b| if a.0 == 0.0 { b } else if b.0 == 0.0 { a } else {
            let n = a.0 + b.0;
            let d = b.1 - a.1;
            let shift = if a.0 > 1.0 && b.0 > 1.0 { 0.5 } else { b.0 / n };
            (n, a.1 + d * shift, a.2 + b.2 + d * d * a.0 * b.0 / n)
         })]
         fn f(x: f32) -> (f32, f32, f32) { (1.0, x, 0.0) }",
    ),
    (
        "a largest that stops after three",
        "op is not associative",
        "#[warp_reduce(identity = (0, MIN), op = |p, q| (p.0 + q.0, if p.0 < 3 { p.1.max(q.1) } else { p.1 }))]
         fn f(x: i32) -> (u32, i32) { (1, x) }",
    ),
    (
        "a longest run that does not join two runs of two",
        "op is not associative",
        "#[warp_reduce(identity = (0, 0, 0, 0), op = |p, q| (
            p.0.max(q.0).max(if p.2 > 1 && q.1 > 1 { p.2 } else { p.2 + q.1 }),
            if p.1 == p.3 { p.1 + q.1 } else { p.1 }, if q.2 == q.3 { q.2 + p.2 } else { q.2 }, p.3 + q.3))]
         fn f(x: bool) -> (u32, u32, u32, u32) { let one = x as u32; (one, one, one, 1) }",
    ),
    (
        "a segmented sum that starts again only behind another start",
        "op is not associative",
        "#[warp_scan(identity = (false, 0), op = |p, q| (p.0 || q.0, if q.0 && p.0 { q.1 } else { p.1 + q.1 }))]
         fn f(x: i32, start: bool) -> (bool, i32) { (start, x) }",
    ),
    (
        "products modulo a prime that overflow",
        "op is not associative",
        "#[warp_reduce(identity = 1, op = |a, b| a * b % 1_000_003)] fn f(x: u32) -> u32 { x % 1_000_003 }",
    ),
    (
        "a carry that goes up one bit",
        "op is not associative",
        "#[warp_reduce(identity = 0, op = |a, b| a ^ b ^ ((a & b) << 1))] fn f(x: u32) -> u32 { x }",
    ),
    (
        "bits that both have, of two negative numbers",
        "op is not associative",
        "#[warp_reduce(identity = 0, op = |a, b| if a < 0 && b < 0 { a & b } else { a | b })] fn f(x: i32) -> i32 { x }",
    ),
    (
        "a sum of large numbers that is rounded",
        "0 is not an identity of op",
        "#[warp_reduce(identity = 0, op = |a, b| (a as f64 + b as f64) as u64)] fn f(x: u64) -> u64 { x }",
    ),
    (
        "a sum of large numbers by way of f32",
        "is not",
        "#[warp_reduce(identity = 0, op = |a, b| (a as f32 + b as f32) as i32)] fn f(x: i32) -> i32 { x }",
    ),
    (
        "products of numbers with sixteen bits behind the point",
        "op is not associative",
        "#[warp_reduce(identity = 65536, op = |a, b| ((a as i64 * b as i64) >> 16) as i32)] fn f(x: i32) -> i32 { x }",
    ),
    (
        "matrices with one wrong entry",
        "is not",
        "#[warp_scan(identity = (1, 0, 0, 1), op = |p, q| (
            p.0 * q.0 + p.1 * q.2, p.0 * q.1 + p.1 * q.3, p.2 * q.0 + p.3 * q.2, p.2 * q.1 * p.2 + p.3 * q.3))]
         fn f(a: i32, b: i32) -> (i32, i32, i32, i32) { (a, b, 1, 0) }",
    ),
    (
        "a last one that is lost behind two empty ones",
        "op is not associative",
        "#[warp_scan(identity = (0, false, 0), op = |p, q| {
            if q.1 { (p.0 + q.0, true, q.2) } else if q.0 > 1 { (p.0 + q.0, false, 0) } else { (p.0 + q.0, p.1, p.2) }
         })]
         fn f(x: i32) -> (u32, bool, i32) { if x > 0 { (1, true, x) } else { (1, false, 0) } }",
    ),
];

#[test]
fn what_is_wrong_for_few_states_is_refused() {
    let mut missed = Vec::new();
    for (what, message, text) in RARE {
        match std::panic::catch_unwind(|| wrong(text)) {
            Err(_) => missed.push(format!("{what}: accepted")),
            Ok(messages) if !messages[0].contains(message) => missed.push(format!("{what}: {}", messages[0])),
            Ok(_) => {}
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

/// Operators that look like some of the wrong ones.
#[test]
fn what_only_looks_wrong_is_accepted() {
    for text in [
        "#[warp_reduce(identity = 0, op = |a, b| a.saturating_add(b))] fn f(x: u32) -> u32 { x }",
        "#[warp_reduce(identity = 0, op = |a, b| (a + b).min(100))] fn f(x: u32) -> u32 { x.min(100) }",
        "#[warp_reduce(identity = (-inf, MAX), op = |p, q| if q.0 > p.0 || (q.0 == p.0 && q.1 < u32::MAX) { q } else { p })] fn f(x: f32, #[index] i: u32) -> (f32, u32) { (x, i) }",
        "#[warp_reduce(identity = 1, op = |a, b| (a as u64 * b as u64 % 1_000_003) as u32)] fn f(x: u32) -> u32 { x % 1_000_003 }",
        "#[warp_reduce(identity = 0.0, op = |a, b| (a * a + b * b).sqrt())] fn f(x: f32) -> f32 { x.abs() }",
        "#[warp_reduce(identity = 0.0, op = |a, b| a + b - a * b)] fn f(x: f64) -> f64 { x }",
        "#[warp_reduce(identity = (0.0, 0.0), op = |p, q| {
            let (s, t) = (p.0 + q.0, p.0 + q.0 - p.0);
            (s, p.1 + q.1 + ((p.0 - (s - t)) + (q.0 - t)))
         })] fn f(x: f32) -> (f32, f32) { (x * 0.1, 0.0) }",
        "#[warp_reduce(identity = (-inf, 0.0), op = |p, q| {
            let m = p.0.max(q.0);
            let (left, right) = (if p.0 == m { p.1 } else { p.1 * (p.0 - m).exp() }, if q.0 == m { q.1 } else { q.1 * (q.0 - m).exp() });
            (m, left + right)
         })] fn f(x: f32) -> (f32, f32) { (x * 10.0, 1.0) }",
    ] {
        right(text);
    }
}
