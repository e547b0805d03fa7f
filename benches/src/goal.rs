//! What each cell ought to reach: a share of the limit, and a pace beside the best peer.
//!
//! The numbers are the project's own aims for an H200, written down before the kernels were. A report lists every
//! cell that misses one ([`misses`]); `NOTES.md` says what was tried.

use crate::cell::{Cell, DType, Family, Form, Work};
use crate::cells::cells;
use crate::report::{CellResult, Report};

/// Two runs of one program differ by so much: nobody is called slower for less.
pub const NOISE: f64 = 0.02;

/// How much longer than the table's operator the same operator as a closure may take.
const CLOSURE: f64 = 1.5;

/// The aims of one cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// At most this many times the limit; none where latency decides.
    pub over_limit: Option<f64>,
    /// At least this many times as fast as the best peer.
    pub speedup: f64,
}

/// One aim that a cell misses.
#[derive(Clone, Debug, PartialEq)]
pub struct Miss {
    /// The cell's name.
    pub cell: String,
    /// What was aimed at, in words.
    pub what: &'static str,
    /// The aim.
    pub goal: f64,
    /// What it is.
    pub is: f64,
}

impl Goal {
    /// The aims of a cell.
    pub fn of(cell: &Cell) -> Self {
        match cell.family {
            Family::Arrays => Self::of_array(cell),
            Family::Segments => Self {
                over_limit: Some(1.0 / 0.85),
                speedup: 1.0,
            },
            Family::Rows | Family::Columns => Self {
                over_limit: (!cell.graph()).then(|| Self::share_of_rows(cell)),
                speedup: 1.0,
            },
        }
    }

    fn share_of_rows(cell: &Cell) -> f64 {
        // The length of what becomes one result.
        let length = if cell.family == Family::Columns {
            cell.rows
        } else {
            cell.cols
        };
        match (cell.work.form(), cell.work) {
            (Form::Reduce, _) if length >= 513 => 1.04,
            (Form::Reduce, _) if length >= 100 => 1.06,
            (Form::Reduce, _) => 1.08,
            (_, Work::Softmax) if length <= 16_384 => 1.05,
            (_, Work::Softmax) => 1.15,
            (_, Work::RmsNorm | Work::LayerNorm) if length > crate::bytes::ON_CHIP_COLUMNS => 1.15,
            _ => 1.05,
        }
    }

    fn of_array(cell: &Cell) -> Self {
        let (full, large) = (cell.cols >= crate::cells::FULL, cell.cols >= 1 << 24);
        let narrow = matches!(cell.dtype, DType::I8 | DType::I16);
        let speedup = match (cell.work.form(), cell.work) {
            (Form::Elementwise, _) | (_, Work::ArgMax) if narrow && full => 2.0,
            (Form::Elementwise, _) if narrow => 1.0,
            (Form::Elementwise, _) if full => 1.33,
            (Form::Elementwise, _) if large => 1.2,
            (Form::Filter, Work::Filter50) if full => 1.5,
            (Form::Filter, _) if full => 1.3,
            (Form::Reduce, _) if cell.cols == 1 << 16 => 1.1,
            _ => 1.0,
        };
        let near = matches!(cell.work, Work::ArgMax | Work::LogSumExp | Work::Summary) && !narrow;
        Self {
            over_limit: (near && full).then_some(1.10),
            speedup,
        }
    }
}

/// Every aim that the report's cells miss by more than [`NOISE`], in the report's order.
pub fn misses(report: &Report) -> Vec<Miss> {
    let list = cells(report.family, false);
    let mut found = Vec::new();
    for result in &report.cells {
        if let Some(cell) = list.iter().find(|cell| cell.name() == result.name) {
            add(&mut found, Goal::of(cell), result);
        }
    }
    found
}

fn add(found: &mut Vec<Miss>, goal: Goal, result: &CellResult) {
    let mut miss = |what, goal, is| {
        found.push(Miss {
            cell: result.name.clone(),
            what,
            goal,
            is,
        });
    };
    if let (Some(most), Some(is)) = (goal.over_limit, result.over_limit()) {
        // The limit is measured in the same run, as often as the cell: no allowance for noise.
        if rounded(is) > rounded(most) {
            miss("times the limit", most, is);
        }
        for us in result.variants.values() {
            let is = us / result.limit_us;
            if rounded(is) > rounded(most * CLOSURE) {
                miss("times the limit, as a closure", most * CLOSURE, is);
            }
        }
    }
    if let Some(is) = result.speedup()
        && is < goal.speedup * (1.0 - NOISE)
    {
        miss("times as fast as the best peer", goal.speedup, is);
    }
}

/// To the two decimals that the tables show.
fn rounded(ratio: f64) -> f64 {
    (ratio * 100.0).round()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::sample;

    fn goal(family: Family, name: &str) -> Goal {
        let list = cells(family, false);
        let cell = list.iter().find(|cell| cell.name() == name);
        Goal::of(cell.unwrap_or_else(|| panic!("{name} is no cell")))
    }

    #[test]
    fn rows_are_held_to_the_memory_by_their_length() {
        let share = |name| goal(Family::Rows, name).over_limit;
        assert_eq!(share("max f32 8388608x20/32"), Some(1.08));
        assert_eq!(share("sum f32 2097152x128"), Some(1.06));
        assert_eq!(share("argmax f32 65536x4096"), Some(1.04));
        assert_eq!(share("running_sum f32 268x1000003"), Some(1.05));
        assert_eq!(share("softmax f32 16384x16384"), Some(1.05));
        assert_eq!(share("softmax f32 4096x65536"), Some(1.15));
        assert_eq!(share("layer_norm f32 4096x65536"), Some(1.05));
        assert_eq!(share("layer_norm f32 268x1000003"), Some(1.15));
        assert_eq!(share("max f32 8205x20/32"), None);
    }

    #[test]
    fn arrays_are_held_to_the_best_peer_by_their_size() {
        let pace = |name| goal(Family::Arrays, name).speedup.to_bits();
        assert_eq!(pace("running_sum f32 268435456"), 1.33_f64.to_bits());
        assert_eq!(pace("running_sum f64 268435456"), 1.33_f64.to_bits());
        assert_eq!(pace("recurrence f32 16777216"), 1.2_f64.to_bits());
        assert_eq!(pace("running_sum f32 1048576"), 1.0_f64.to_bits());
        assert_eq!(pace("running_sum i16 268435456"), 2.0_f64.to_bits());
        assert_eq!(pace("argmax i8 268435456"), 2.0_f64.to_bits());
        assert_eq!(pace("filter_50 f32 268435456"), 1.5_f64.to_bits());
        assert_eq!(pace("filter_1 f32 268435456"), 1.3_f64.to_bits());
        assert_eq!(pace("sum f32 65536"), 1.1_f64.to_bits());
        assert_eq!(pace("sum f32 268435456"), 1.0_f64.to_bits());
        assert_eq!(
            goal(Family::Arrays, "argmax f32 268435456").over_limit,
            Some(1.10)
        );
    }

    #[test]
    fn a_miss_names_the_cell_and_both_numbers() {
        let mut report = sample();
        // 265 µs of a peer to 250 of ours, 1.02 times the limit; then a peer at 240, and ours at 1.2 times it.
        assert_eq!(misses(&report), []);
        report.cells[0].best_peer_us = Some(240.0);
        report.cells[0].limit_us = 250.0 / 1.2;
        let found = misses(&report);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[0].cell, "max f32 8388608x20/32");
        assert!((found[0].is - 1.2).abs() < 1e-9 && (found[0].goal - 1.08).abs() < 1e-9);
        assert!((found[1].is - 0.96).abs() < 1e-9 && (found[1].goal - 1.0).abs() < 1e-9);
    }

    #[test]
    fn noise_is_no_miss_and_a_slow_closure_is_one() {
        let mut report = sample();
        report.cells[0].best_peer_us = Some(246.0);
        assert_eq!(misses(&report), []);
        report.cells[0].variants.insert("closure".to_owned(), 245.0 * 1.7);
        let found = misses(&report);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].what.contains("closure"));
    }
}
