//! What can be done to a file, as specs, and what each operation stores.

use clap::ValueEnum;
use warpfold::Place;
use warpfold::prelude::*;

/// The largest of a row.
#[warp_reduce(op = max, identity = -inf)]
pub fn max(x: f32) -> f32 {
    x
}

/// The sum of a row.
#[warp_reduce(op = sum)]
pub fn sum(x: f32) -> f32 {
    x
}

/// The largest of a row and where it stands.
#[warp_reduce(op = argmax)]
pub fn argmax(x: f32) -> f32 {
    x
}

/// `ln(Σ exp(x))` of a row.
#[warp_reduce(op = softmax, finish = |s| -> f32 { s.0 + s.1.ln() })]
pub fn log_sum_exp(x: f32) -> f32 {
    x
}

/// The variance of a row.
#[warp_reduce(op = welford, finish = |s| -> f32 { s.2 / s.0 })]
pub fn variance(x: f32) -> f32 {
    x
}

/// Each element's share of its row's exponentials.
#[warp_reduce(op = softmax, land = all, apply = |total| -> f32 { (x - total.0).exp() / total.1 })]
pub fn softmax(x: f32) -> f32 {
    x
}

/// The sum up to and with each element of a row.
#[warp_scan(op = sum)]
pub fn cumsum(x: f32) -> f32 {
    x
}

/// The positive elements.
#[warp_filter]
pub fn keep_positive(x: f32) -> bool {
    x > 0.0
}

/// What the blocks of a long row need: the states of [`log_sum_exp`] and [`softmax`].
#[warp_reduce(op = softmax)]
pub fn exponentials(x: f32) -> f32 {
    x
}

/// The states of [`variance`].
#[warp_reduce(op = welford)]
pub fn moments(x: f32) -> f32 {
    x
}

/// [`softmax`] where the state of the row is known: every lane keeps its own.
#[warp_shuffle(from = xor(0))]
pub fn shares(x: f32, #[uniform] largest: f32, #[uniform] total: f32) -> f32 {
    (x - largest).exp() / total
}

/// [`cumsum`] of a block, `before` being the sum of what stands before it.
#[warp_scan(op = sum, finish = |s| -> f32 { before + s })]
pub fn cumsum_from(x: f32, #[per_row] before: f32) -> f32 {
    x
}

/// What can be done to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Operation {
    /// The largest of each row
    Max,
    /// The sum of each row
    Sum,
    /// Where the largest of each row stands, as u64
    Argmax,
    /// The logarithm of the sum of the exponentials of each row
    LogSumExp,
    /// The variance of each row
    Variance,
    /// Each element's share of its row's exponentials
    Softmax,
    /// The sum up to and with each element of a row
    Cumsum,
    /// The positive elements, at the start of each row; the rest of the row is 0
    KeepPositive,
}

/// One launch over a piece of a file. What it stores goes to up to three arrays of `f32` and one of `u64`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Task {
    /// Whole rows.
    Rows(Operation),
    /// A block of a long row, to the state of its operation.
    State(Operation),
    /// A block of a long row, whose state is known.
    Shares {
        /// The row's largest element.
        largest: f32,
        /// The row's sum of exponentials from there.
        total: f32,
    },
    /// A block of a long row, to the sums up to each element.
    CumsumFrom,
    /// A block of a long row, to its positive elements and how many they are.
    Kept,
}

/// What a [`Task`] stores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stores {
    /// Whether the first array of `f32` has one value an element; otherwise it has one a row.
    pub each_element: bool,
    /// Arrays of `f32`.
    pub floats: usize,
    /// Whether there is one `u64` a row: a position or a count.
    pub longs: bool,
}

impl Task {
    /// What it stores.
    pub const fn stores(self) -> Stores {
        use Operation::{Argmax, Cumsum, KeepPositive, LogSumExp, Softmax, Variance};
        let (each_element, floats, longs) = match self {
            Self::Rows(KeepPositive) | Self::Kept => (true, 1, true),
            Self::Rows(Softmax | Cumsum) | Self::Shares { .. } | Self::CumsumFrom => (true, 1, false),
            Self::Rows(Argmax) | Self::State(Argmax) => (false, 1, true),
            Self::State(LogSumExp | Softmax) => (false, 2, false),
            Self::State(Variance) => (false, 3, false),
            Self::Rows(_) | Self::State(_) => (false, 1, false),
        };
        Stores {
            each_element,
            floats,
            longs,
        }
    }

    /// Runs it where the data lives; on a GPU it only enqueues.
    pub fn launch<P, X, F, L>(
        self,
        shape: Rows,
        x: X,
        before: X,
        [first, second, third]: [F; 3],
        longs: L,
    ) -> Result<(), warpfold::Error>
    where
        P: Place,
        X: Input<f32, Place = P>,
        F: Output<f32, Place = P>,
        L: Output<u64, Place = P>,
    {
        use Operation::{Argmax, Cumsum, KeepPositive, LogSumExp, Max, Softmax, Sum, Variance};
        match self {
            Self::Rows(Max) | Self::State(Max) => max::rows_into(shape, x, first),
            Self::Rows(Sum) | Self::State(Sum) => sum::rows_into(shape, x, first),
            Self::Rows(Argmax) | Self::State(Argmax) => argmax::rows_into(shape, x, first, longs),
            Self::Rows(LogSumExp) => log_sum_exp::rows_into(shape, x, first),
            Self::Rows(Variance) => variance::rows_into(shape, x, first),
            Self::Rows(Softmax) => softmax::rows_into(shape, x, first),
            Self::Rows(Cumsum) => cumsum::rows_into(shape, x, first),
            Self::State(LogSumExp | Softmax) => exponentials::rows_into(shape, x, first, second),
            Self::State(Variance) => moments::rows_into(shape, x, first, second, third),
            Self::Shares { largest, total } => shares::rows_into(shape, x, largest, total, first),
            Self::CumsumFrom | Self::State(Cumsum) => cumsum_from::rows_into(shape, x, before, first),
            Self::Rows(KeepPositive) | Self::Kept | Self::State(KeepPositive) => {
                keep_positive::rows_into(shape, x, first, longs)
            }
        }
    }
}
