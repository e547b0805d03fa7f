//! The operators that normalise a row: softmax and Welford's moments.

#![allow(clippy::doc_markdown, reason = "LeVeque is a name")]

use super::{Float, Neutral, Operator, Tile, TileFold};

/// The steps of a softmax: the maximum, and the sum of `exp(x - maximum)`.
///
/// Online normalisation after Milakov and Gimelshein, "Online normalizer calculation for softmax" (2018).
#[derive(Clone, Copy, Debug)]
pub struct Softmax;

/// The sum of the elements' terms: for each lane and slot over the turns, then the slots from left to right, then the
/// lanes by the any-order plan, the upper half onto the lower.
#[cfg_attr(not(debug_assertions), inline(always))]
fn sum_of_tile<T: Float>(mapped: &[T], shape: Tile, term: impl Fn(T) -> T) -> T {
    // A turn has at most 32 lanes of 16 slots; short rows are not to clear all that.
    match shape.lanes * shape.v {
        0..=32 => sum_of_turns::<T, 32>(mapped, shape, term),
        33..=128 => sum_of_turns::<T, 128>(mapped, shape, term),
        _ => sum_of_turns::<T, 512>(mapped, shape, term),
    }
}

/// The same, of turns of up to `N` elements.
#[cfg_attr(not(debug_assertions), inline(always))]
fn sum_of_turns<T: Float, const N: usize>(mapped: &[T], shape: Tile, term: impl Fn(T) -> T) -> T {
    let mut sums = [T::ZERO; N];
    let sums = &mut sums[..shape.lanes * shape.v];
    for turn in mapped.chunks(sums.len()) {
        for (sum, &x) in sums.iter_mut().zip(turn) {
            *sum = sum.plus(term(x));
        }
    }
    across(sums, shape)
}

/// The slots of each lane from left to right, then the lanes.
fn across<T: Float>(sums: &[T], shape: Tile) -> T {
    // The groups that rows of many lengths have; what is a constant stays in registers.
    match (shape.v, shape.lanes) {
        (1, 32) => group::<T, 1, 32>(sums),
        (4, 8) => group::<T, 4, 8>(sums),
        (4, 32) => group::<T, 4, 32>(sums),
        (v, lanes) => {
            let mut states = [T::ZERO; 32];
            for (lane, slots) in states.iter_mut().zip(sums.chunks_exact(v)) {
                *lane = slots[1..].iter().fold(slots[0], |total, sum| total.plus(*sum));
            }
            let mut half = lanes / 2;
            while half > 0 {
                for lane in 0..half {
                    states[lane] = states[lane].plus(states[lane + half]);
                }
                half /= 2;
            }
            states[0]
        }
    }
}

/// The same of `L` lanes of `V` slots.
#[allow(
    clippy::needless_range_loop,
    reason = "lanes and slots are counted by constants"
)]
#[cfg_attr(not(debug_assertions), inline(always))]
fn group<T: Float, const V: usize, const L: usize>(sums: &[T]) -> T {
    let sums = &sums[..V * L];
    let mut lanes = [T::ZERO; L];
    for lane in 0..L {
        lanes[lane] = sums[lane * V];
        for slot in 1..V {
            lanes[lane] = lanes[lane].plus(sums[lane * V + slot]);
        }
    }
    if L > 8 {
        halve::<T, 16>(&mut lanes, T::plus);
        halve::<T, 8>(&mut lanes, T::plus);
    }
    halve::<T, 4>(&mut lanes, T::plus);
    halve::<T, 2>(&mut lanes, T::plus);
    halve::<T, 1>(&mut lanes, T::plus);
    lanes[0]
}

/// Of the first `2 × HALF` the upper half onto the lower.
#[cfg_attr(not(debug_assertions), inline(always))]
fn halve<T: Float, const HALF: usize>(states: &mut [T], meet: impl Fn(T, T) -> T) {
    for i in 0..HALF {
        states[i] = meet(states[i], states[i + HALF]);
    }
}

/// The largest element. Which of them meet first changes nothing, so that a block goes side by side.
#[cfg_attr(not(debug_assertions), inline(always))]
fn largest<T: Float>(elements: &[T]) -> T {
    const BLOCK: usize = 16;
    let mut most = [T::LOWEST; BLOCK];
    let (blocks, rest) = elements.as_chunks::<BLOCK>();
    for block in blocks {
        for (most, &x) in most.iter_mut().zip(block) {
            *most = most.larger(x);
        }
    }
    for (most, &x) in most.iter_mut().zip(rest) {
        *most = most.larger(x);
    }
    halve::<T, 8>(&mut most, T::larger);
    halve::<T, 4>(&mut most, T::larger);
    halve::<T, 2>(&mut most, T::larger);
    halve::<T, 1>(&mut most, T::larger);
    most[0]
}

/// `exp(x - m)`, which is 1 where `x` is `m`: also where both are infinite and their difference is a `NaN`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn exp_below<T: Float>(x: T, m: T) -> T {
    if x == m { T::ONE } else { x.minus(m).exp() }
}

impl<T: Float> Operator<T> for Softmax {
    type State = (T, T);
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lift(mapped: T, _: u64) -> (T, T) {
        (mapped, T::ONE)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
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
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn identity() -> (T, T) {
        (T::LOWEST, T::ZERO)
    }
}

impl<T: Float> TileFold<T> for Softmax {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fold_tile(mapped: &[T], shape: Tile) -> (T, T) {
        let m = largest(mapped);
        (m, sum_of_tile(mapped, shape, |x| exp_below(x, m)))
    }
}

/// The steps of a variance: the count, the mean, and the sum of squared distances from it.
///
/// The merge of two parts is that of Chan, Golub and LeVeque, "Updating formulae and a pairwise algorithm for
/// computing sample variances" (1979); a tile knows its count beforehand and divides once.
#[derive(Clone, Copy, Debug)]
pub struct Welford;

impl<T: Float> Operator<T> for Welford {
    type State = (T, T, T);
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lift(mapped: T, _: u64) -> (T, T, T) {
        (T::ONE, mapped, T::ZERO)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
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
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn identity() -> (T, T, T) {
        (T::ZERO, T::ZERO, T::ZERO)
    }
}

impl<T: Float> TileFold<T> for Welford {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fold_tile(mapped: &[T], shape: Tile) -> (T, T, T) {
        let Some(&pivot) = mapped.first() else {
            return <Self as Neutral<T>>::identity();
        };
        // Relative to one of them, and then to the mean, no digits are lost.
        let n = T::from_count(mapped.len());
        let shift = sum_of_tile(mapped, shape, |x| x.minus(pivot)).over(n);
        let m2 = sum_of_tile(mapped, shape, |x| {
            let distance = x.minus(pivot).minus(shift);
            distance.times(distance)
        });
        (n, pivot.plus(shift), m2)
    }
}
