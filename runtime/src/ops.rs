//! The table's operators, as the CPU back end runs them.
//!
//! Each is a type with the same four functions: what a mapped element becomes ([`Operator::lift`]), the neutral
//! state ([`Neutral::identity`]), how two states combine ([`Operator::combine`]) and, for the operators that fold a
//! block of elements their own way, that fold ([`LaneFold::fold_lane`], [`TileFold::fold_tile`]). Their twins in CUDA C++ are in
//! `kernels/ops.cuh`; both take the same steps in the same order, so that both give the same bits.

mod normal;
mod number;
#[cfg(test)]
mod tests;

use crate::spec::Tile;

pub use normal::{Softmax, Welford};
pub use number::{Bits, Float, Number};

/// An operator of the table over what the map returns.
pub trait Operator<T: Copy> {
    /// What is combined.
    type State: Copy;
    /// The state of one element, given its position in the row, segment or array.
    fn lift(mapped: T, index: u64) -> Self::State;
    /// The state of two runs of elements, the one met first on the left.
    fn combine(left: Self::State, right: Self::State) -> Self::State;
}

/// The neutral state of an operator. What is emitted for a spec has it as a constant; the folds in here need it too.
pub trait Neutral<T: Copy>: Operator<T> {
    /// Combined with a state, on either side, it leaves it as it is.
    fn identity() -> Self::State;
}

/// An operator that folds the elements of one lane its own way.
pub trait LaneFold<T: Copy>: Operator<T> {
    /// The state of a lane's live elements; the identity where none is.
    ///
    /// `mapped[turn * v + slot]` has index `first + turn * stride + slot` and is live where that is below `limit`.
    fn fold_lane(mapped: &[T], v: usize, first: u64, stride: u64, limit: u64) -> Self::State;
}

/// An operator that folds the elements of a tile its own way.
pub trait TileFold<T: Copy>: Operator<T> {
    /// The state of the tile's live elements, given position by position; the identity where there is none.
    fn fold_tile(mapped: &[T], shape: Tile) -> Self::State;
}

/// A lane's live elements with their indices, in the order they are visited: turns, and slots within a turn.
#[cfg_attr(not(debug_assertions), inline(always))]
fn live<T: Copy>(
    mapped: &[T],
    v: usize,
    first: u64,
    stride: u64,
    limit: u64,
) -> impl Iterator<Item = (u64, T)> + Clone + '_ {
    mapped.chunks_exact(v).zip(0u64..).flat_map(move |(turn, t)| {
        let start = first.saturating_add(t.saturating_mul(stride));
        // Live elements of a turn are its first ones.
        let count = limit.saturating_sub(start).min(v as u64) as usize;
        turn[..count].iter().zip(start..).map(|(&x, index)| (index, x))
    })
}

/// The state of an element that is its own.
#[cfg_attr(not(debug_assertions), inline(always))]
fn as_it_is<T>(mapped: T) -> T {
    mapped
}

/// An operator whose state is what the map returns.
macro_rules! plain {
    ($(#[$doc:meta] $name:ident<$bound:ident>: $identity:ident, $lift:expr, $combine:expr;)*) => {$(
        #[$doc]
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl<T: $bound> Operator<T> for $name {
            type State = T;
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lift(mapped: T, _: u64) -> T {
                $lift(mapped)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn combine(left: T, right: T) -> T {
                $combine(left, right)
            }
        }

        impl<T: $bound> Neutral<T> for $name {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn identity() -> T {
                T::$identity
            }
        }
    )*};
}

plain! {
    /// The sum; of nothing it is `-0.0` for floats, as Rust's is.
    Sum<Number>: NOTHING, as_it_is, T::plus;
    /// The product.
    Product<Number>: ONE, as_it_is, T::times;
    /// The smallest; a `NaN` loses, to the identity too: a row of `NaN` alone gives the identity.
    Min<Number>: HIGHEST, |x: T| if x.is_nan() { T::HIGHEST } else { x }, T::smaller;
    /// The largest; a `NaN` loses, to the identity too: a row of `NaN` alone gives the identity.
    Max<Number>: LOWEST, |x: T| if x.is_nan() { T::LOWEST } else { x }, T::larger;
    /// The smallest; a `NaN` wins.
    Minimum<Number>: HIGHEST, as_it_is, T::least;
    /// The largest; a `NaN` wins.
    Maximum<Number>: LOWEST, as_it_is, T::greatest;
    /// Bitwise and.
    And<Bits>: ALL, as_it_is, T::both;
    /// Bitwise or.
    Or<Bits>: NONE, as_it_is, T::either;
    /// Bitwise exclusive or.
    Xor<Bits>: NONE, as_it_is, T::differ;
}

/// A vote: the map returns `bool`.
macro_rules! votes {
    ($(#[$doc:meta] $name:ident: $state:ty, $identity:expr, $lift:expr, $combine:expr;)*) => {$(
        #[$doc]
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl Operator<bool> for $name {
            type State = $state;
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lift(mapped: bool, index: u64) -> $state {
                $lift(mapped, index)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn combine(left: $state, right: $state) -> $state {
                $combine(left, right)
            }
        }

        impl Neutral<bool> for $name {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn identity() -> $state {
                $identity
            }
        }

    )*};
}

votes! {
    /// Whether the map is true somewhere.
    Any: bool, false, |x, _| x, |p: bool, q: bool| p | q;
    /// Whether the map is true everywhere.
    All: bool, true, |x, _| x, |p: bool, q: bool| p & q;
    /// How often the map is true.
    Count: u64, 0, |x, _| u64::from(x), u64::wrapping_add;
    /// One bit a column.
    Ballot: u32, 0, |x, index: u64| u32::from(x) << (index & 31), |p: u32, q: u32| p | q;
}

/// Votes that fold a lane's elements their own way.
macro_rules! votes_of_lanes {
    ($($name:ident)*) => {$(
        impl LaneFold<bool> for $name {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn fold_lane(
                mapped: &[bool],
                v: usize,
                first: u64,
                stride: u64,
                limit: u64,
            ) -> <Self as Operator<bool>>::State {
                live(mapped, v, first, stride, limit)
                    .fold(Self::identity(), |s, (index, x)| Self::combine(s, Self::lift(x, index)))
            }
        }
    )*};
}

votes_of_lanes! { Any All Ballot }

impl TileFold<bool> for Count {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fold_tile(mapped: &[bool], _: Tile) -> u64 {
        mapped.iter().map(|&x| u64::from(x)).sum()
    }
}

/// The extreme element and where it stands; a `NaN` beats all numbers, the lowest index wins among equals.
macro_rules! extremes {
    ($(#[$doc:meta] $name:ident: $identity:ident, $beats:tt;)*) => {$(
        #[$doc]
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl<T: Number> Operator<T> for $name {
            type State = (T, u64);
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lift(mapped: T, index: u64) -> (T, u64) {
                (mapped, index)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn combine(left: (T, u64), right: (T, u64)) -> (T, u64) {
                let earlier = right.1 < left.1;
                let better = right.0 $beats left.0 || (right.0 == left.0 && earlier);
                let takes_right = if right.0.is_nan() { !left.0.is_nan() || earlier } else { !left.0.is_nan() && better };
                if takes_right { right } else { left }
            }
        }

        impl<T: Number> Neutral<T> for $name {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn identity() -> (T, u64) {
                (T::$identity, u64::MAX)
            }
        }

        impl<T: Number> TileFold<T> for $name {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn fold_tile(mapped: &[T], shape: Tile) -> (T, u64) {
                mapped
                    .iter()
                    .zip(shape.first..)
                    .fold(Self::identity(), |s, (&x, index)| <Self as Operator<T>>::combine(s, (x, index)))
            }
        }
    )*};
}

extremes! {
    /// The smallest element and where it stands.
    Argmin: HIGHEST, <;
    /// The largest element and where it stands.
    Argmax: LOWEST, >;
}

/// One element of the row; the state says whether there was one.
macro_rules! ends {
    ($(#[$doc:meta] $name:ident: $combine:expr;)*) => {$(
        #[$doc]
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl<T: Copy> Operator<T> for $name {
            type State = (bool, T);
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lift(mapped: T, _: u64) -> (bool, T) {
                (true, mapped)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn combine(left: (bool, T), right: (bool, T)) -> (bool, T) {
                $combine(left, right)
            }
        }
    )*};
}

ends! {
    /// The first element.
    First: |left: (bool, T), right| if left.0 { left } else { right };
    /// The last element.
    Last: |left, right: (bool, T)| if right.0 { right } else { left };
}

/// A linear recurrence: the state `(a, b)` stands for `h -> a * h + b`.
#[derive(Clone, Copy, Debug)]
pub struct Affine;

impl<T: Number> Operator<(T, T)> for Affine {
    type State = (T, T);
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lift(mapped: (T, T), _: u64) -> (T, T) {
        mapped
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn combine(left: (T, T), right: (T, T)) -> (T, T) {
        (left.0.times(right.0), right.0.times(left.1).plus(right.1))
    }
}

impl<T: Number> Neutral<(T, T)> for Affine {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn identity() -> (T, T) {
        (T::ONE, T::ZERO)
    }
}
