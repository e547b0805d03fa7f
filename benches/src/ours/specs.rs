//! The specs that are measured. `closure` holds the same operators written out, for the same work.

use warpfold::prelude::*;

/// The largest element.
#[warp_reduce(op = max)]
pub fn max(x: f32) -> f32 {
    x
}

/// The sum.
#[warp_reduce(op = sum)]
pub fn sum(x: f32) -> f32 {
    x
}

/// Value and index of the largest element.
#[warp_reduce(op = argmax)]
pub fn argmax(x: f32) -> f32 {
    x
}

/// The biased variance.
#[warp_reduce(op = welford, finish = |s| -> f32 { s.2 / s.0 })]
pub fn variance(x: f32) -> f32 {
    x
}

/// `ln(sum(exp(x)))`.
#[warp_reduce(op = softmax, finish = |s| -> f32 { s.0 + s.1.ln() })]
pub fn log_sum_exp(x: f32) -> f32 {
    x
}

/// The inclusive running sum.
#[warp_scan(op = sum, kind = inclusive)]
pub fn running_sum(x: f32) -> f32 {
    x
}

/// The exclusive running sum.
#[warp_scan(op = sum, kind = exclusive)]
pub fn running_sum_exclusive(x: f32) -> f32 {
    x
}

/// The running maximum.
#[warp_scan(op = max, kind = inclusive)]
pub fn running_max(x: f32) -> f32 {
    x
}

/// The softmax of a row.
#[warp_reduce(op = softmax, land = all, apply = |total| -> f32 { (x - total.0).exp() / total.1 })]
pub fn softmax(x: f32) -> f32 {
    x
}

/// RMS norm with weights.
#[warp_reduce(op = sum, land = all, apply = |total| -> f32 { x * (total / n as f32 + eps).sqrt().recip() * gamma })]
pub fn rms_norm(x: f32, #[per_column] gamma: f32, #[uniform] eps: f32, #[len] n: u32) -> f32 {
    x * x
}

/// Layer norm with weights and biases.
#[warp_reduce(op = welford, land = all,
    apply = |s| -> f32 { (x - s.1) * (s.2 / s.0 + eps).sqrt().recip() * gamma + beta })]
pub fn layer_norm(x: f32, #[per_column] gamma: f32, #[per_column] beta: f32, #[uniform] eps: f32) -> f32 {
    x
}

/// The inner product.
#[warp_reduce(op = sum)]
pub fn dot(a: f32, b: f32) -> f32 {
    a * b
}

/// How many are above 0.
#[warp_reduce(op = count)]
pub fn count(x: f32) -> bool {
    x > 0.0
}

/// `h[t] = a[t] · h[t-1] + b[t]`.
#[warp_scan(op = affine, finish = |s| -> f32 { s.1 })]
pub fn recurrence(a: f32, b: f32) -> (f32, f32) {
    (a, b)
}

/// The elements below a limit.
#[warp_filter]
pub fn below(x: f32, #[uniform] limit: f32) -> bool {
    x < limit
}

/// The same on other types.
pub mod of_f16 {
    use half::f16;
    use warpfold::prelude::*;

    /// The largest element.
    #[warp_reduce(op = max)]
    pub fn max(x: f16) -> f16 {
        x
    }

    /// The sum, kept in `f32`.
    #[warp_reduce(op = sum)]
    pub fn sum(x: f16) -> f32 {
        x.to_f32()
    }

    /// The softmax of a row, computed in `f32`.
    #[warp_reduce(op = softmax, land = all,
        apply = |total| -> f16 { f16::from_f32((x.to_f32() - total.0).exp() / total.1) })]
    pub fn softmax(x: f16) -> f32 {
        x.to_f32()
    }
}

/// The same on other types.
pub mod of_f64 {
    use warpfold::prelude::*;

    /// The largest element.
    #[warp_reduce(op = max)]
    pub fn max(x: f64) -> f64 {
        x
    }

    /// The sum.
    #[warp_reduce(op = sum)]
    pub fn sum(x: f64) -> f64 {
        x
    }

    /// The softmax of a row.
    #[warp_reduce(op = softmax, land = all, apply = |total| -> f64 { (x - total.0).exp() / total.1 })]
    pub fn softmax(x: f64) -> f64 {
        x
    }

    /// The inclusive running sum.
    #[warp_scan(op = sum, kind = inclusive)]
    pub fn running_sum(x: f64) -> f64 {
        x
    }

    /// The exclusive running sum.
    #[warp_scan(op = sum, kind = exclusive)]
    pub fn running_sum_exclusive(x: f64) -> f64 {
        x
    }

    /// The elements below a limit.
    #[warp_filter]
    pub fn below(x: f64, #[uniform] limit: f64) -> bool {
        x < limit
    }
}

/// The same on other types.
pub mod of_i32 {
    use warpfold::prelude::*;

    /// The largest element.
    #[warp_reduce(op = max)]
    pub fn max(x: i32) -> i32 {
        x
    }

    /// The sum.
    #[warp_reduce(op = sum)]
    pub fn sum(x: i32) -> i32 {
        x
    }

    /// The inclusive running sum.
    #[warp_scan(op = sum, kind = inclusive)]
    pub fn running_sum(x: i32) -> i32 {
        x
    }

    /// The exclusive running sum.
    #[warp_scan(op = sum, kind = exclusive)]
    pub fn running_sum_exclusive(x: i32) -> i32 {
        x
    }

    /// The elements below a limit.
    #[warp_filter]
    pub fn below(x: i32, #[uniform] limit: i32) -> bool {
        x < limit
    }
}

/// The same on other types.
pub mod of_i8 {
    use warpfold::prelude::*;

    /// The inclusive running sum, wrapping.
    #[warp_scan(op = sum, kind = inclusive)]
    pub fn running_sum(x: i8) -> i8 {
        x
    }

    /// Value and index of the largest element.
    #[warp_reduce(op = argmax)]
    pub fn argmax(x: i8) -> i8 {
        x
    }
}

/// The same on other types.
pub mod of_i16 {
    use warpfold::prelude::*;

    /// The inclusive running sum, wrapping.
    #[warp_scan(op = sum, kind = inclusive)]
    pub fn running_sum(x: i16) -> i16 {
        x
    }
}

/// A struct of 16 bytes that the user made, with an operator of a few instructions.
#[warp_module]
pub mod structs {
    /// What is kept of elements.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Summary {
        /// The least.
        pub low: f32,
        /// The largest.
        pub high: f32,
        /// Their sum.
        pub sum: f32,
        /// How many they are.
        pub count: u32,
    }

    fn merge(a: Summary, b: Summary) -> Summary {
        Summary {
            low: a.low.min(b.low),
            high: a.high.max(b.high),
            sum: a.sum + b.sum,
            count: a.count + b.count,
        }
    }

    /// `max - min + mean`.
    #[warp_reduce(identity = Summary { low: inf, high: -inf, sum: 0.0, count: 0 }, op = merge, commutative = true,
        finish = |s| -> f32 { s.high - s.low + s.sum / s.count as f32 })]
    pub fn summary(x: f32) -> Summary {
        Summary {
            low: x,
            high: x,
            sum: x,
            count: 1,
        }
    }
}

/// The table's operators written as closures: combined in order, and without the folds of their own.
pub mod closure {
    use warpfold::prelude::*;

    /// The largest element.
    #[warp_reduce(identity = -inf, op = |p, q| p.max(q), commutative = true)]
    pub fn max(x: f32) -> f32 {
        x
    }

    /// The sum.
    #[warp_reduce(identity = 0.0, op = |p, q| p + q)]
    pub fn sum(x: f32) -> f32 {
        x
    }

    /// Where the largest element is, the first of equals.
    #[warp_reduce(identity = (-inf, 18446744073709551615), op = |p, q| {
        if q.0 > p.0 || q.0 == p.0 && q.1 < p.1 { q } else { p }
    }, finish = |s| -> u64 { s.1 })]
    pub fn argmax(x: f32, #[index] i: u64) -> (f32, u64) {
        (x, i)
    }

    /// The biased variance.
    #[warp_reduce(identity = (0.0, 0.0, 0.0), op = |p, q| {
        let n = p.0 + q.0;
        let share = if n == 0.0 { 0.0 } else { q.0 / n };
        let step = (q.1 - p.1) * share;
        (n, p.1 + step, p.2 + q.2 + step * p.0 * (q.1 - p.1))
    }, finish = |s| -> f32 { s.2 / s.0 })]
    pub fn variance(x: f32) -> (f32, f32, f32) {
        (1.0, x, 0.0)
    }

    /// `ln(sum(exp(x)))`.
    #[warp_reduce(identity = (-inf, 0.0), op = |p, q| {
        let m = p.0.max(q.0);
        let left = if p.0 == m { p.1 } else { p.1 * (p.0 - m).exp() };
        let right = if q.0 == m { q.1 } else { q.1 * (q.0 - m).exp() };
        (m, left + right)
    }, finish = |s| -> f32 { s.0 + s.1.ln() })]
    pub fn log_sum_exp(x: f32) -> (f32, f32) {
        (x, 1.0)
    }

    /// The softmax of a row.
    #[warp_reduce(identity = (-inf, 0.0), land = all, op = |p, q| {
        let m = p.0.max(q.0);
        let left = if p.0 == m { p.1 } else { p.1 * (p.0 - m).exp() };
        let right = if q.0 == m { q.1 } else { q.1 * (q.0 - m).exp() };
        (m, left + right)
    }, apply = |total| -> f32 { (x - total.0).exp() / total.1 })]
    pub fn softmax(x: f32) -> (f32, f32) {
        (x, 1.0)
    }

    /// The inclusive running sum.
    #[warp_scan(identity = 0.0, op = |p, q| p + q)]
    pub fn running_sum(x: f32) -> f32 {
        x
    }

    /// `h[t] = a[t] · h[t-1] + b[t]`.
    #[warp_scan(identity = (1.0, 0.0), op = |p, q| (p.0 * q.0, q.0 * p.1 + q.1), finish = |s| -> f32 { s.1 })]
    pub fn recurrence(a: f32, b: f32) -> (f32, f32) {
        (a, b)
    }
}
