//! What the results must be: the definition of each work, in `f64`, at a few places of the output.
//!
//! Every program reports its results at [`Cell::positions`]; all of them are compared with these numbers, and
//! their totals with each other. A fast wrong kernel therefore never gets into a table.

use rayon::prelude::*;

use crate::cell::{Cell, DType, Family, Form, Spread, Work};
use crate::data::{self, EPSILON};

/// The expected results at the cell's positions.
pub fn expected(cell: &Cell) -> Vec<f64> {
    let positions = cell.positions();
    if cell.family == Family::Segments {
        return segmented(cell, &positions);
    }
    match cell.work.form() {
        Form::Filter => filtered(cell, &positions),
        Form::Elementwise if cell.family != Family::Rows => along(cell, &positions),
        _ => positions.iter().map(|&place| at(cell, place)).collect(),
    }
}

/// Where line `line`'s element `index` stands in memory. A line is a row, a column or the array.
const fn address(cell: &Cell, line: u64, index: u64) -> u64 {
    match cell.family {
        Family::Columns => index * cell.stride + line,
        _ => line * cell.stride + index,
    }
}

/// Elements of a line; of segments the longest may have as many.
const fn length(cell: &Cell) -> u64 {
    match (cell.family, cell.spread()) {
        (Family::Columns, _) => cell.rows,
        (Family::Segments, Spread::PowerLaw) => 4 << 16,
        (Family::Segments, Spread::Giant) => data::GIANT as u64,
        _ => cell.cols,
    }
}

/// Sums of segments, or running ones.
fn segmented(cell: &Cell, positions: &[u64]) -> Vec<f64> {
    let offsets = data::offsets(cell);
    let sum = |from: u64, to: u64| {
        (from..to)
            .into_par_iter()
            .map(|i| data::element(cell.dtype, i))
            .sum()
    };
    let one = |&place: &u64| {
        if cell.work.form() == Form::Reduce {
            let segment = place as usize;
            return sum(u64::from(offsets[segment]), u64::from(offsets[segment + 1]));
        }
        let next = offsets.partition_point(|&offset| u64::from(offset) <= place);
        sum(u64::from(offsets[next - 1]), place + 1)
    };
    positions.iter().map(one).collect()
}

/// One result of a reduction, or of row-wise work with a result for each element.
fn at(cell: &Cell, place: u64) -> f64 {
    let (line, index) = match cell.work.form() {
        Form::Reduce => (place, 0),
        _ => (place / cell.cols, place % cell.cols),
    };
    let element = |i| data::element(cell.dtype, address(cell, line, i));
    // On all cores: the longest arrays are seconds of work, in which the card would wait.
    let total = |from: &(dyn Fn(f64) -> f64 + Sync)| {
        (0..length(cell)).into_par_iter().map(|i| from(element(i))).sum()
    };
    let n = length(cell) as f64;
    let x = element(index);
    match cell.work {
        Work::Max => largest(length(cell), &element).0,
        Work::Sum => total(&|x| x),
        Work::ArgMax => largest(length(cell), &element).1 as f64,
        Work::Variance => {
            let mean: f64 = total(&|x| x) / n;
            total(&|x| (x - mean) * (x - mean)) / n
        }
        Work::LogSumExp => total(&f64::exp).ln(),
        Work::RunningSum => (0..=index).map(element).sum(),
        Work::RunningSumExclusive => (0..index).map(element).sum(),
        Work::RunningMax => (0..=index).map(element).fold(f64::NEG_INFINITY, f64::max),
        Work::Softmax => x.exp() / total(&f64::exp),
        Work::RmsNorm => x / (total(&|x| x * x) / n + EPSILON).sqrt() * data::gamma(index),
        Work::LayerNorm => {
            let mean: f64 = total(&|x| x) / n;
            let variance = total(&|x| (x - mean) * (x - mean)) / n;
            (x - mean) / (variance + EPSILON).sqrt() * data::gamma(index) + data::beta(index)
        }
        Work::Dot => {
            let second = |i| data::second(cell.work, address(cell, line, i));
            (0..length(cell))
                .into_par_iter()
                .map(|i| element(i) * second(i))
                .sum()
        }
        Work::Count => total(&|x| if x > 0.0 { 1.0 } else { 0.0 }),
        Work::Summary => {
            let least = -largest(length(cell), &|i| -element(i)).0;
            largest(length(cell), &element).0 - least + total(&|x| x) / n
        }
        Work::Recurrence | Work::Filter1 | Work::Filter50 | Work::Filter99 => f64::NAN,
    }
}

/// The largest element and the first place of it.
fn largest(length: u64, element: &(impl Fn(u64) -> f64 + Sync)) -> (f64, u64) {
    let elements = (0..length).into_par_iter().map(|i| (element(i), i));
    elements.reduce(
        || (f64::NEG_INFINITY, u64::MAX),
        |p, q| {
            if q.0 > p.0 || (q.0 >= p.0 && q.1 < p.1) {
                q
            } else {
                p
            }
        },
    )
}

/// Scans of a whole array or along columns: one pass for all the places.
fn along(cell: &Cell, positions: &[u64]) -> Vec<f64> {
    if cell.family == Family::Columns {
        return positions.iter().map(|&place| column_scan(cell, place)).collect();
    }
    let mut results = Vec::with_capacity(positions.len());
    let mut state = if cell.work == Work::RunningMax {
        f64::NEG_INFINITY
    } else {
        0.0
    };
    let mut places = positions.iter().copied().peekable();
    for index in 0..cell.cols {
        let Some(&place) = places.peek() else { break };
        let before = state;
        let x = data::element(cell.dtype, index);
        state = match cell.work {
            Work::RunningMax => state.max(x),
            Work::Recurrence => data::second(cell.work, index) * state + x,
            // Integers wrap, as they do in every program.
            _ if cell.dtype == DType::I8 => f64::from((state + x) as i64 as i8),
            _ if cell.dtype == DType::I16 => f64::from((state + x) as i64 as i16),
            _ => state + x,
        };
        if index == place {
            results.push(if cell.work == Work::RunningSumExclusive {
                before
            } else {
                state
            });
            places.next();
        }
    }
    results
}

fn column_scan(cell: &Cell, place: u64) -> f64 {
    let (row, column) = (place / cell.cols, place % cell.cols);
    let values = (0..=row).map(|i| data::element(cell.dtype, address(cell, column, i)));
    if cell.work == Work::RunningMax {
        values.fold(f64::NEG_INFINITY, f64::max)
    } else {
        values.sum()
    }
}

fn filtered(cell: &Cell, positions: &[u64]) -> Vec<f64> {
    let limit = data::threshold(cell.work, cell.dtype);
    let limit = if cell.dtype == DType::F32 {
        f64::from(limit as f32)
    } else {
        limit
    };
    let mut kept = (0..cell.cols)
        .map(|i| data::element(cell.dtype, i))
        .filter(|&x| x < limit);
    let mut results = Vec::with_capacity(positions.len());
    let mut next = 0;
    for &place in positions {
        results.push(kept.nth((place - next) as usize).unwrap_or(f64::NAN));
        next = place + 1;
    }
    results
}

/// How far a result may be from the reference.
///
/// Sums of `n` random signs drift by about `sqrt(n)` roundings of their own magnitude, which is what the
/// absolute part allows; `f16` results carry eleven bits.
pub fn tolerance(cell: &Cell, expected: f64) -> f64 {
    if matches!(cell.dtype, DType::I8 | DType::I16 | DType::I32) {
        return 0.0;
    }
    let relative = if cell.dtype == DType::F16 { 4e-3 } else { 2e-4 };
    let absolute = match cell.work {
        Work::Max
        | Work::ArgMax
        | Work::Count
        | Work::RunningMax
        | Work::Filter1
        | Work::Filter50
        | Work::Filter99 => 0.0,
        // Half a step of the subnormal halves.
        Work::Softmax if cell.dtype == DType::F16 => 6e-8,
        Work::Softmax | Work::Variance | Work::LogSumExp => 1e-9,
        // Of the mean.
        Work::Summary => 1e-5,
        _ => (length(cell) as f64).sqrt() * if cell.dtype == DType::F16 { 2e-3 } else { 2e-5 },
    };
    absolute + relative * expected.abs()
}

/// Whether an index names an element as large as the first largest: peers may choose freely among equals.
fn names_as_large(cell: &Cell, line: u64, want: f64, have: f64) -> bool {
    let inside = have >= 0.0 && have < length(cell) as f64 && have.fract() == 0.0;
    let value = |index: f64| data::element(cell.dtype, address(cell, line, index as u64));
    inside && value(have) >= value(want)
}

/// The first place where results differ from the reference, in words.
///
/// # Errors
/// Says which result is off, what it is and what it should be.
pub fn check(cell: &Cell, expected: &[f64], got: &[f64]) -> Result<(), String> {
    if expected.len() != got.len() {
        return Err(format!("{} results instead of {}", got.len(), expected.len()));
    }
    for ((&want, &have), place) in expected.iter().zip(got).zip(cell.positions()) {
        // Written so that a NaN fails.
        let close = if cell.work == Work::ArgMax {
            names_as_large(cell, place, want, have)
        } else {
            (have - want).abs() <= tolerance(cell, want)
        };
        if !close {
            return Err(format!("result {place} is {have:e} instead of {want:e}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(family: Family, work: Work, rows: u64, cols: u64) -> Cell {
        Cell {
            family,
            work,
            rows,
            cols,
            stride: cols,
            dtype: DType::F32,
        }
    }

    #[test]
    fn a_softmax_row_adds_up() {
        let cell = cell(Family::Rows, Work::Softmax, 1, 8);
        let results = expected(&cell);
        assert_eq!(results.len(), 8);
        assert!((results.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_running_sum_ends_in_the_sum() {
        let last = *expected(&cell(Family::Rows, Work::RunningSum, 1, 8))
            .last()
            .unwrap();
        let sum = expected(&cell(Family::Rows, Work::Sum, 1, 8))[0];
        assert!((last - sum).abs() < 1e-12);
        let array = expected(&cell(Family::Arrays, Work::RunningSum, 1, 8));
        assert_eq!(array, expected(&cell(Family::Rows, Work::RunningSum, 1, 8)));
    }

    #[test]
    fn small_integers_wrap() {
        let cell = Cell {
            dtype: DType::I8,
            ..cell(Family::Arrays, Work::RunningSum, 1, 1000)
        };
        let wrapped = cell.positions().into_iter().map(|place| {
            let sum = (0..=place).fold(0_i8, |sum, i| sum.wrapping_add(data::element(DType::I8, i) as i8));
            f64::from(sum)
        });
        assert_eq!(expected(&cell), wrapped.collect::<Vec<f64>>());
    }

    #[test]
    fn columns_read_down() {
        let results = expected(&cell(Family::Columns, Work::Max, 3, 2));
        let want = |c: u64| {
            (0..3)
                .map(|r| data::element(DType::F32, 2 * r + c))
                .fold(f64::NEG_INFINITY, f64::max)
        };
        assert_eq!(results, [want(0), want(1)]);
    }

    #[test]
    fn segments_start_anew() {
        let one = |work, rows, stride| Cell {
            stride,
            ..cell(Family::Segments, work, rows, 3)
        };
        let element = |i| data::element(DType::F32, i);
        let sums = expected(&one(Work::Sum, 8, 0));
        assert_eq!(
            sums[1].to_bits(),
            (element(3) + element(4) + element(5)).to_bits()
        );
        let running = expected(&one(Work::RunningSum, 1, 0));
        assert_eq!(running[1].to_bits(), (element(0) + element(1)).to_bits());
        for stride in [1, 3] {
            let cell = one(Work::Sum, 8, stride);
            let offsets = data::offsets(&cell);
            let want = |k: usize| {
                (offsets[k]..offsets[k + 1])
                    .map(|i| element(u64::from(i)))
                    .sum::<f64>()
            };
            let close = |(k, got): (usize, &f64)| (want(k) - got).abs() < 1e-9;
            assert!(expected(&cell).iter().enumerate().all(close), "{}", cell.name());
        }
    }

    #[test]
    fn a_filter_keeps_the_order() {
        let cell = cell(Family::Arrays, Work::Filter50, 1, 64);
        let all: Vec<f64> = (0..64)
            .map(|i| data::element(DType::F32, i))
            .filter(|&x| x < 0.0)
            .collect();
        let want: Vec<f64> = cell.positions().iter().map(|&p| all[p as usize]).collect();
        assert_eq!(expected(&cell), want);
    }

    #[test]
    fn an_argmax_may_choose_among_equals_but_not_among_others() {
        let cell = Cell {
            dtype: DType::I8,
            ..cell(Family::Arrays, Work::ArgMax, 1, 10_000)
        };
        let first = expected(&cell)[0];
        let top = data::element(DType::I8, first as u64);
        let next = (first as u64 + 1..10_000)
            .find(|&i| data::element(DType::I8, i) >= top)
            .unwrap();
        assert_eq!(check(&cell, &[first], &[next as f64]), Ok(()));
        assert!(check(&cell, &[first], &[first + 1.0]).is_err());
        assert!(check(&cell, &[first], &[-1.0]).is_err());
        assert!(check(&cell, &[first], &[f64::NAN]).is_err());
    }

    #[test]
    fn a_wrong_or_missing_result_is_named() {
        let cell = cell(Family::Rows, Work::Max, 4, 20);
        let want = expected(&cell);
        assert_eq!(check(&cell, &want, &want), Ok(()));
        let mut off = want.clone();
        off[2] += 1e-3;
        assert!(check(&cell, &want, &off).unwrap_err().starts_with("result 2 is "));
        off[2] = f64::NAN;
        assert!(check(&cell, &want, &off).is_err());
        assert!(check(&cell, &want, &want[1..]).is_err());
    }
}
