//! The operators that normalise a row: softmax and Welford's moments.

use super::{Float, LaneFold, Neutral, Operator, live};

/// The steps of a softmax: the maximum, and the sum of `exp(x - maximum)`.
///
/// Online normalisation after Milakov and Gimelshein, "Online normalizer calculation for softmax" (2018).
#[derive(Clone, Copy, Debug)]
pub struct Softmax;

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
        let m = elements.clone().fold(T::LOWEST, |m, (_, x)| m.larger(x));
        let s = elements.fold(T::ZERO, |s, (_, x)| s.plus(exp_below(x, m)));
        (m, s)
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
        let elements = live(mapped, v, first, stride, limit);
        let mut rest = elements.clone();
        let Some((_, x)) = rest.next() else {
            return <Self as Neutral<T>>::identity();
        };
        let (count, sum) = rest.fold((1, x), |(count, sum), (_, x)| (count + 1, T::plus(sum, x)));
        let n = T::from_count(count);
        let mean = sum.over(n);
        let m2 = elements.fold(T::ZERO, |m2, (_, x)| {
            let d = x.minus(mean);
            m2.plus(d.times(d))
        });
        (n, mean, m2)
    }
}
