//! Reductions by operators of the user's own, and ones with parameters of every kind.

use half::f16;
use warpfold::prelude::*;

/// The table's sum as a closure: in order, so that its bits may differ from the table's.
#[warp_reduce(identity = -0.0, op = |p, q| p + q)]
pub fn sum_in_order(x: f32) -> f32 {
    x
}

/// The same, claimed commutative.
#[warp_reduce(identity = -0.0, op = |p, q| p + q, commutative = true)]
pub fn sum_any_order(x: f32) -> f32 {
    x
}

#[warp_reduce(identity = -inf, op = |p, q| p.max(q))]
pub fn max_closure(x: f32) -> f32 {
    x
}

#[warp_reduce(identity = 0, op = |p, q| p ^ q)]
pub fn xor_closure(x: u64) -> u64 {
    x
}

#[warp_reduce(identity = (-inf, 0.0), op = |p, q| {
    let m = p.0.max(q.0);
    let left = if p.0 == m { p.1 } else { p.1 * (p.0 - m).exp() };
    let right = if q.0 == m { q.1 } else { q.1 * (q.0 - m).exp() };
    (m, left + right)
}, finish = |s| -> f32 { s.0 + s.1.ln() })]
pub fn log_sum_exp(x: f32) -> (f32, f32) {
    (x, 1.0)
}

/// The last writer: right unless it is empty.
#[warp_reduce(identity = (false, 0), op = |p, q| if q.0 { q } else { p }, finish = |s| -> u32 { s.1 })]
pub fn last_odd(x: u32) -> (bool, u32) {
    if x & 1 == 1 { (true, x) } else { (false, 0) }
}

/// Products of 2×2 matrices [[a, b], [c, d]] modulo 2^32: in order, exact.
#[warp_reduce(identity = (1, 0, 0, 1), op = |p, q| (
    p.0 * q.0 + p.1 * q.2, p.0 * q.1 + p.1 * q.3,
    p.2 * q.0 + p.3 * q.2, p.2 * q.1 + p.3 * q.3,
))]
pub fn matrices(x: u32) -> (u32, u32, u32, u32) {
    (x, 1, 1, x >> 7)
}

/// A polynomial's value: (h, power of x so far).
#[warp_reduce(identity = (0, 1), op = |p, q| (p.0 * q.1 + q.0, p.1 * q.1), finish = |s| -> u64 { s.0 })]
pub fn horner(digit: u8) -> (u64, u64) {
    (digit as u64, 31)
}

/// The longest run of ones: (longest, at the start, at the end, elements).
#[warp_reduce(identity = (0, 0, 0, 0), op = |p, q| (
    p.0.max(q.0).max(p.2 + q.1),
    if p.1 == p.3 { p.1 + q.1 } else { p.1 },
    if q.2 == q.3 { q.2 + p.2 } else { q.2 },
    p.3 + q.3,
), finish = |s| -> u32 { s.0 })]
pub fn longest_run(x: bool) -> (u32, u32, u32, u32) {
    let one = x as u32;
    (one, one, one, 1)
}

/// The smallest and the largest at once.
#[warp_reduce(identity = (inf, -inf), op = |p, q| (p.0.min(q.0), p.1.max(q.1)), commutative = true)]
pub fn span(x: f64) -> (f64, f64) {
    (x, x)
}

/// The greatest common divisor by steps of a fixed number.
#[warp_reduce(identity = 0, op = |p, q| {
    let mut a = p;
    let mut b = q;
    for _ in 0..64 {
        let r = if b == 0 { 0 } else { a % b };
        a = if b == 0 { a } else { b };
        b = r;
    }
    a
}, commutative = true, laws = trusted)]
pub fn gcd(x: u32) -> u32 {
    x
}

/// Leftmost of the largest, as the table's argmax, without its rule for NaN.
#[warp_reduce(identity = (-inf, 0xffff_ffff), op = |p, q| if q.0 > p.0 || (q.0 == p.0 && q.1 < p.1) { q } else { p })]
pub fn leftmost_largest(x: f32, #[index] i: u32) -> (f32, u32) {
    (x, i)
}

#[warp_reduce(op = sum)]
pub fn dot(a: f32, b: f32) -> f32 {
    a * b
}

#[warp_reduce(op = sum)]
pub fn three(a: f32, b: f64, c: u8) -> f64 {
    a as f64 * b + c as f64
}

#[warp_reduce(op = sum, init = 1)]
pub fn sum_from_one(x: i32) -> i32 {
    x
}

#[warp_reduce(op = sum, init = 0.5)]
pub fn sum_from_half(x: f32) -> f32 {
    x
}

#[warp_reduce(identity = (1.0, 0.0), op = |p, q| (p.0 * q.0, q.0 * p.1 + q.1), init = (1.0, 3.0))]
pub fn affine_from_three(a: f32, b: f32) -> (f32, f32) {
    (a, b)
}

#[warp_reduce(op = sum)]
pub fn sum_of_halves(x: f16) -> f32 {
    x.to_f32()
}

#[warp_reduce(op = sum)]
pub fn sum_of_bytes(x: u8) -> u32 {
    x as u32
}

/// Parameters of every kind.
#[warp_reduce(op = sum, finish = |s| -> f32 { s * scale + bias + r as f32 + n as f32 * 0.5 })]
pub fn every_kind(
    x: f32,
    #[per_column] weight: f32,
    #[per_row] scale: f32,
    #[uniform] bias: f32,
    #[index] i: u32,
    #[row] r: u64,
    #[len] n: u32,
) -> f32 {
    x * weight + (i & 3) as f32
}

#[warp_reduce(op = sum)]
pub fn ragged(x: f32, #[live] k: u32) -> f32 {
    x
}

#[warp_reduce(op = argmax)]
pub fn ragged_top(x: f32, #[live] k: u32) -> f32 {
    x
}

#[warp_reduce(identity = -0.0, op = |p, q| p + q)]
pub fn ragged_in_order(x: f32, #[live] k: u32) -> f32 {
    x
}

/// No plain use of the element at all.
#[warp_reduce(op = sum)]
pub fn positions(x: u8, #[index] i: u64) -> u64 {
    i * i
}

macro_rules! widths {
    ($($sum:ident $ordered:ident $width:literal)*) => { $(
        #[warp_reduce(op = sum, width = $width)]
        pub fn $sum(x: f32) -> f32 { x }
        #[warp_reduce(identity = (1, 0), op = |p, q| (p.0 * q.0, q.0 * p.1 + q.1), width = $width)]
        pub fn $ordered(a: u32, b: u32) -> (u32, u32) { (a, b) }
    )* };
}
widths! {
    sum_1 ordered_1 1 sum_2 ordered_2 2 sum_4 ordered_4 4
    sum_8 ordered_8 8 sum_16 ordered_16 16 sum_32 ordered_32 32
}

/// The mask and the landing lane are the emitted warp function's; `rows` gives what it gives without them.
#[warp_reduce(op = sum, width = 16, mask = 0x0000_ffff, land = 5)]
pub fn sum_masked(x: f32) -> f32 {
    x
}

#[warp_reduce(op = sum, width = 16, land = all)]
pub fn sum_to_all(x: f32) -> f32 {
    x
}
