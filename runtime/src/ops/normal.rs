//! The operators that normalise a row: softmax and Welford's moments.

#![allow(clippy::doc_markdown, reason = "LeVeque is a name")]

use super::{Float, LaneFold, Neutral, Operator, live};

/// The steps of a softmax: the maximum, and the sum of `exp(x - maximum)`.
///
/// Online normalisation after Milakov and Gimelshein, "Online normalizer calculation for softmax" (2018).
#[derive(Clone, Copy, Debug)]
pub struct Softmax;

/// The sum of the live elements' terms: a sum for each slot over the turns, then those from left to right.
#[inline(always)]
fn sum_by_slots<T: Float>(
    mapped: &[T],
    v: usize,
    first: u64,
    stride: u64,
    limit: u64,
    term: impl Fn(T) -> T,
) -> T {
    // A pack has 16 bytes, so at most 16 slots.
    let mut sums = [T::ZERO; 16];
    for (turn, t) in mapped.chunks_exact(v).zip(0u64..) {
        let start = first.saturating_add(t.saturating_mul(stride));
        let count = limit.saturating_sub(start).min(v as u64) as usize;
        for (sum, &x) in sums.iter_mut().zip(&turn[..count]) {
            *sum = sum.plus(term(x));
        }
    }
    sums[1..v].iter().fold(sums[0], |total, sum| total.plus(*sum))
}

/// `exp(x - m)`, which is 1 where `x` is `m`: also where both are infinite and their difference is a `NaN`.
#[inline(always)]
fn exp_below<T: Float>(x: T, m: T) -> T {
    if x == m { T::ONE } else { x.minus(m).exp() }
}

impl<T: Float> Operator<T> for Softmax {
    type State = (T, T);
    #[inline(always)]
    fn lift(mapped: T, _: u64) -> (T, T) {
        (mapped, T::ONE)
    }
    #[inline(always)]
    fn combine(left: (T, T), right: (T, T)) -> (T, T) {
        let m = left.0.larger(right.0);
        let l = if left.0 == m {
            left.1
        } else {
            left.1.times(left.0.minus(m).exp())
        };
        let r = if right.0 == m {
            right.1
        } else {
            right.1.times(right.0.minus(m).exp())
        };
        (m, l.plus(r))
    }
}

impl<T: Float> Neutral<T> for Softmax {
    #[inline(always)]
    fn identity() -> (T, T) {
        (T::LOWEST, T::ZERO)
    }
}

impl<T: Float> LaneFold<T> for Softmax {
    #[inline(always)]
    fn fold_lane(mapped: &[T], v: usize, first: u64, stride: u64, limit: u64) -> (T, T) {
        let elements = live(mapped, v, first, stride, limit);
        let m = elements.fold(T::LOWEST, |m, (_, x)| m.larger(x));
        (
            m,
            sum_by_slots(mapped, v, first, stride, limit, |x| exp_below(x, m)),
        )
    }
}

/// The steps of a variance: the count, the mean, and the sum of squared distances from it.
///
/// The merge of two parts is that of Chan, Golub and LeVeque, "Updating formulae and a pairwise algorithm for
/// computing sample variances" (1979); a lane knows its count beforehand and divides once.
#[derive(Clone, Copy, Debug)]
pub struct Welford;

impl<T: Float> Operator<T> for Welford {
    type State = (T, T, T);
    #[inline(always)]
    fn lift(mapped: T, _: u64) -> (T, T, T) {
        (T::ONE, mapped, T::ZERO)
    }
    #[inline(always)]
    fn combine(left: (T, T, T), right: (T, T, T)) -> (T, T, T) {
        let n = left.0.plus(right.0);
        let d = right.1.minus(left.1);
        let w = right.0.over(n);
        let mean = left.1.plus(d.times(w));
        let m2 = left.2.plus(right.2).plus(d.times(d).times(left.0.times(w)));
        if left.0 == T::ZERO {
            right
        } else if right.0 == T::ZERO {
            left
        } else {
            (n, mean, m2)
        }
    }
}

impl<T: Float> Neutral<T> for Welford {
    #[inline(always)]
    fn identity() -> (T, T, T) {
        (T::ZERO, T::ZERO, T::ZERO)
    }
}

impl<T: Float> LaneFold<T> for Welford {
    #[inline(always)]
    fn fold_lane(mapped: &[T], v: usize, first: u64, stride: u64, limit: u64) -> (T, T, T) {
        let count = live(mapped, v, first, stride, limit).count();
        if count == 0 {
            return <Self as Neutral<T>>::identity();
        }
        // The first element is live where any is. Relative to it, and then to the mean, no digits are lost.
        let (pivot, n) = (mapped[0], T::from_count(count));
        let shift = sum_by_slots(mapped, v, first, stride, limit, |x| x.minus(pivot)).over(n);
        let m2 = sum_by_slots(mapped, v, first, stride, limit, |x| {
            let distance = x.minus(pivot).minus(shift);
            distance.times(distance)
        });
        (n, pivot.plus(shift), m2)
    }
}
