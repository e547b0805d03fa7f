//! The specs that are measured compute what the reference defines, on the CPU, where every machine can check it.

// Counts and indices here are small.
#![allow(clippy::cast_precision_loss)]

use half::f16;
use warpfold::Rows;
use warpfold_benches::cell::{Cell, DType, Family, Work};
use warpfold_benches::data::{self, EPSILON};
use warpfold_benches::ours::specs::{self, closure, of_f16, of_f64, of_i8, of_i16, of_i32, structs};
use warpfold_benches::reference;

fn cell(family: Family, work: Work, dtype: DType, (rows, cols, stride): (u64, u64, u64)) -> Cell {
    Cell {
        family,
        work,
        rows,
        cols,
        stride,
        dtype,
    }
}

fn elements<T>(cell: &Cell, make: impl Fn(f64) -> T) -> Vec<T> {
    (0..cell.span())
        .map(|place| make(data::element(cell.dtype, place)))
        .collect()
}

/// Compares a whole result with the reference at the cell's positions.
fn agree<T: Copy>(cell: &Cell, results: &[T], number: impl Fn(T) -> f64) {
    let at: Vec<f64> = cell
        .positions()
        .iter()
        .map(|&place| number(results[place as usize]))
        .collect();
    if let Err(error) = reference::check(cell, &reference::expected(cell), &at) {
        panic!("{}: {error}", cell.name());
    }
}

const SHAPES: [(u64, u64, u64); 6] = [
    (5, 20, 32),
    (7, 33, 33),
    (3, 100, 100),
    (2, 1000, 1000),
    (1, 2049, 2049),
    (9, 1, 1),
];

#[test]
fn rows() {
    for dims in SHAPES {
        let shape = Rows::new(dims.0 as usize, dims.1 as usize).stride(dims.2 as usize);
        let cell = |work| cell(Family::Rows, work, DType::F32, dims);
        let x = elements(&cell(Work::Max), |x| x as f32);
        let gamma: Vec<f32> = (0..dims.1).map(|c| data::gamma(c) as f32).collect();
        let beta: Vec<f32> = (0..dims.1).map(|c| data::beta(c) as f32).collect();
        let eps = EPSILON as f32;
        let same = |work, results: Result<Vec<f32>, warpfold::Error>| {
            agree(&cell(work), &results.unwrap(), f64::from);
        };
        same(Work::Max, specs::max::rows(shape, &x));
        same(Work::Max, closure::max::rows(shape, &x));
        same(Work::Sum, specs::sum::rows(shape, &x));
        same(Work::Sum, closure::sum::rows(shape, &x));
        same(Work::Variance, specs::variance::rows(shape, &x));
        same(Work::Variance, closure::variance::rows(shape, &x));
        same(Work::LogSumExp, specs::log_sum_exp::rows(shape, &x));
        same(Work::LogSumExp, closure::log_sum_exp::rows(shape, &x));
        same(Work::RunningSum, specs::running_sum::rows(shape, &x));
        same(Work::RunningSum, closure::running_sum::rows(shape, &x));
        same(Work::Softmax, specs::softmax::rows(shape, &x));
        same(Work::Softmax, closure::softmax::rows(shape, &x));
        same(Work::RmsNorm, specs::rms_norm::rows(shape, &x, &gamma, eps));
        same(
            Work::LayerNorm,
            specs::layer_norm::rows(shape, &x, &gamma, &beta, eps),
        );
        let (_, index) = specs::argmax::rows(shape, &x).unwrap();
        agree(&cell(Work::ArgMax), &index, |index| index as f64);
        let index = closure::argmax::rows(shape, &x).unwrap();
        agree(&cell(Work::ArgMax), &index, |index| index as f64);
    }
}

#[test]
fn rows_of_other_types() {
    let dims = (3, 130, 130);
    let shape = Rows::new(3, 130);
    let narrow = |work| cell(Family::Rows, work, DType::F16, dims);
    let x = elements(&narrow(Work::Max), f16::from_f64);
    agree(
        &narrow(Work::Max),
        &of_f16::max::rows(shape, &x).unwrap(),
        f16::to_f64,
    );
    agree(
        &narrow(Work::Sum),
        &of_f16::sum::rows(shape, &x).unwrap(),
        f64::from,
    );
    agree(
        &narrow(Work::Softmax),
        &of_f16::softmax::rows(shape, &x).unwrap(),
        f16::to_f64,
    );
    let wide = |work| cell(Family::Rows, work, DType::F64, dims);
    let x = elements(&wide(Work::Max), |x| x);
    agree(&wide(Work::Max), &of_f64::max::rows(shape, &x).unwrap(), |x| x);
    agree(&wide(Work::Sum), &of_f64::sum::rows(shape, &x).unwrap(), |x| x);
    agree(
        &wide(Work::Softmax),
        &of_f64::softmax::rows(shape, &x).unwrap(),
        |x| x,
    );
}

#[test]
fn columns() {
    let dims = (70, 5, 5);
    let cell = |work| cell(Family::Columns, work, DType::F32, dims);
    let x = elements(&cell(Work::Max), |x| x as f32);
    let shape = Rows::new(70, 5);
    agree(
        &cell(Work::Sum),
        &specs::sum::columns(shape, &x).unwrap(),
        f64::from,
    );
    agree(
        &cell(Work::Max),
        &specs::max::columns(shape, &x).unwrap(),
        f64::from,
    );
}

#[test]
fn arrays_of_floats() {
    for n in [1, 31, 1000, 70_001] {
        let cell = |work| cell(Family::Arrays, work, DType::F32, (1, n, n));
        let x = elements(&cell(Work::Max), |x| x as f32);
        let second = |work| -> Vec<f32> { (0..n).map(|place| data::second(work, place) as f32).collect() };
        let one =
            |work, result: Result<f32, warpfold::Error>| agree(&cell(work), &[result.unwrap()], f64::from);
        let all = |work, results: Result<Vec<f32>, warpfold::Error>| {
            agree(&cell(work), &results.unwrap(), f64::from);
        };
        one(Work::Max, specs::max::array(&x));
        one(Work::Sum, specs::sum::array(&x));
        one(Work::LogSumExp, specs::log_sum_exp::array(&x));
        one(Work::Summary, structs::summary::array(&x));
        one(Work::Dot, specs::dot::array(&x, &second(Work::Dot)));
        agree(&cell(Work::Count), &[specs::count::array(&x).unwrap()], |count| {
            count as f64
        });
        agree(
            &cell(Work::ArgMax),
            &[specs::argmax::array(&x).unwrap().1],
            |index| index as f64,
        );
        all(Work::RunningSum, specs::running_sum::array(&x));
        all(Work::RunningSumExclusive, specs::running_sum_exclusive::array(&x));
        all(Work::RunningMax, specs::running_max::array(&x));
        all(
            Work::Recurrence,
            specs::recurrence::array(&second(Work::Recurrence), &x),
        );
        all(
            Work::Recurrence,
            closure::recurrence::array(&second(Work::Recurrence), &x),
        );
        for work in [Work::Filter1, Work::Filter50, Work::Filter99] {
            if n >= 1000 {
                all(
                    work,
                    specs::below::array(&x, data::threshold(work, DType::F32) as f32),
                );
            }
        }
    }
}

#[test]
fn arrays_of_integers() {
    let n = 5000;
    let cell = |work, dtype| cell(Family::Arrays, work, dtype, (1, n, n));
    let x = elements(&cell(Work::Max, DType::I32), |x| x as i32);
    let number = |x: i32| f64::from(x);
    agree(
        &cell(Work::Max, DType::I32),
        &[of_i32::max::array(&x).unwrap()],
        number,
    );
    agree(
        &cell(Work::Sum, DType::I32),
        &[of_i32::sum::array(&x).unwrap()],
        number,
    );
    agree(
        &cell(Work::RunningSum, DType::I32),
        &of_i32::running_sum::array(&x).unwrap(),
        number,
    );
    agree(
        &cell(Work::RunningSumExclusive, DType::I32),
        &of_i32::running_sum_exclusive::array(&x).unwrap(),
        number,
    );
    let limit = data::threshold(Work::Filter50, DType::I32) as i32;
    agree(
        &cell(Work::Filter50, DType::I32),
        &of_i32::below::array(&x, limit).unwrap(),
        number,
    );
    let x = elements(&cell(Work::Max, DType::I16), |x| x as i16);
    agree(
        &cell(Work::RunningSum, DType::I16),
        &of_i16::running_sum::array(&x).unwrap(),
        f64::from,
    );
    let x = elements(&cell(Work::Max, DType::I8), |x| x as i8);
    agree(
        &cell(Work::RunningSum, DType::I8),
        &of_i8::running_sum::array(&x).unwrap(),
        f64::from,
    );
    agree(
        &cell(Work::ArgMax, DType::I8),
        &[of_i8::argmax::array(&x).unwrap().1],
        |index| index as f64,
    );
}
