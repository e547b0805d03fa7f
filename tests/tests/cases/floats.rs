//! Extremes, NaN, infinities, signed zeros.

use warpfold::{Device, Error, Rows};
use warpfold_tests::answer::{Equal, Fetch};
use warpfold_tests::check::Check;
use warpfold_tests::data::Random;
use warpfold_tests::specs::table::of_f32::{argmax, argmin, max, maximum, min, minimum, sum};
use warpfold_tests::specs::{apply, cases, custom, scans};

/// Lengths in a part of a warp, a warp, two, a tile, several tiles.
const LENGTHS: [usize; 10] = [1, 11, 20, 31, 32, 33, 64, 1000, 1024, 5000];

type Fold = fn(&Device, usize, &[f32]) -> Result<(Vec<f32>, f32, Vec<f32>), Error>;

/// One spec over the same values as rows, as an array of one row, and as segments.
macro_rules! forms {
    ($spec:ident) => {
        (|d, cols, x| {
            let (rows, data) = (x.len() / cols, d.buffer(x)?);
            let offsets: Vec<u64> = (0..=rows).map(|i| (i * cols) as u64).collect();
            let by_row = $spec::rows(Rows::new(rows, cols), &data)?.fetch()?;
            let first = $spec::array(&d.buffer(&x[..cols])?)?;
            let by_segment = $spec::segments(&d.buffer(&offsets)?, &data)?.fetch()?;
            Ok((by_row, first, by_segment))
        }) as Fold
    };
}

fn all_forms(check: &mut Check, name: &str, spec: Fold, cols: usize, rows: &[(Vec<f32>, f32)]) {
    let x: Vec<f32> = rows.iter().flat_map(|(x, _)| x.clone()).collect();
    let want: Vec<f32> = rows.iter().map(|(_, want)| *want).collect();
    check.gives(format!("{name} of {cols}"), &(want.clone(), want[0], want), |d| {
        spec(d, cols, &x)
    });
}

fn with(cols: usize, rest: f32, at: usize, value: f32) -> Vec<f32> {
    let mut x = vec![rest; cols];
    x[at] = value;
    x
}

#[test]
fn case_02_a_width_of_one() {
    let mut check = Check::new();
    for cols in LENGTHS {
        let rows = [(with(cols, -5.0, cols / 2, -1.5), -1.5), (vec![-3.0; cols], -3.0)];
        all_forms(
            &mut check,
            "max by one lane",
            {
                use cases::max_by_one_lane;
                forms!(max_by_one_lane)
            },
            cols,
            &rows,
        );
    }
    check.finish();
}

#[test]
fn case_03_max_of_negative_numbers_is_never_zero() {
    let mut check = Check::new();
    let mut random = Random::new(3);
    for cols in LENGTHS {
        let rows: Vec<(Vec<f32>, f32)> = (0..40)
            .map(|_| {
                let x: Vec<f32> = (0..cols).map(|_| -1.0 - random.below(1_000_000) as f32).collect();
                let top = x.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                (x, top)
            })
            .collect();
        all_forms(&mut check, "max", forms!(max), cols, &rows);
        all_forms(&mut check, "maximum", forms!(maximum), cols, &rows);
    }
    check.finish();
}

#[test]
fn case_04_infinities_and_huge_values() {
    let mut check = Check::new();
    let (low, high) = (f32::NEG_INFINITY, f32::INFINITY);
    for cols in LENGTHS {
        let rows = [
            (vec![low; cols], low),
            (vec![-2e38; cols], -2e38),
            (vec![f32::MIN; cols], f32::MIN),
            (with(cols, low, cols - 1, -3e38), -3e38),
        ];
        all_forms(&mut check, "max", forms!(max), cols, &rows);
        let rows = [
            (vec![high; cols], high),
            (vec![2e38; cols], 2e38),
            (vec![f32::MAX; cols], f32::MAX),
            (with(cols, high, 0, 3e38), 3e38),
        ];
        all_forms(&mut check, "min", forms!(min), cols, &rows);
    }
    check.finish();
}

#[test]
fn case_05_nan() {
    let mut check = Check::new();
    for cols in LENGTHS.into_iter().filter(|&cols| cols > 1) {
        let places = [0, cols / 2, cols - 1];
        let one = |rest: f32, want: f32| places.map(|at| (with(cols, rest, at, f32::NAN), want)).to_vec();
        let all = |want: f32| vec![(vec![f32::NAN; cols], want)];
        all_forms(
            &mut check,
            "max",
            forms!(max),
            cols,
            &[one(-4.0, -4.0), all(f32::NEG_INFINITY)].concat(),
        );
        all_forms(
            &mut check,
            "min",
            forms!(min),
            cols,
            &[one(4.0, 4.0), all(f32::INFINITY)].concat(),
        );
        all_forms(
            &mut check,
            "maximum",
            forms!(maximum),
            cols,
            &[one(-4.0, f32::NAN), all(f32::NAN)].concat(),
        );
        all_forms(
            &mut check,
            "minimum",
            forms!(minimum),
            cols,
            &[one(4.0, f32::NAN), all(f32::NAN)].concat(),
        );
    }
    check.finish();
}

#[test]
fn case_05_nan_in_scans() {
    let mut check = Check::new();
    for cols in LENGTHS.into_iter().filter(|&cols| cols > 1) {
        let first = cols / 2;
        let x: Vec<f32> = (0..cols)
            .map(|i| if i == first { 1.5 } else { f32::NAN })
            .collect();
        let want: Vec<f32> = (0..cols)
            .map(|i| if i < first { f32::NEG_INFINITY } else { 1.5 })
            .collect();
        check.gives(format!("array of {cols}"), &want, |d| {
            scans::peaks::array(&d.buffer(&x)?)?.fetch()
        });
        check.gives(format!("rows of {cols}"), &want, |d| {
            scans::peaks::rows(Rows::new(1, cols), &d.buffer(&x)?)?.fetch()
        });
    }
    check.finish();
}

#[test]
fn signed_zeros_are_ordered() {
    let mut check = Check::new();
    for cols in LENGTHS.into_iter().filter(|&cols| cols > 1) {
        let mixed = |want: f32| {
            vec![
                (with(cols, -0.0, cols / 2, 0.0), want),
                (with(cols, 0.0, cols - 1, -0.0), want),
            ]
        };
        all_forms(&mut check, "max", forms!(max), cols, &mixed(0.0));
        all_forms(&mut check, "maximum", forms!(maximum), cols, &mixed(0.0));
        all_forms(&mut check, "min", forms!(min), cols, &mixed(-0.0));
        all_forms(&mut check, "minimum", forms!(minimum), cols, &mixed(-0.0));
    }
    check.finish();
}

#[test]
fn case_06_ties_and_nan_in_argmax() {
    let mut check = Check::new();
    for cols in [32, 33, 100, 1000, 5000] {
        let rows = [
            (vec![1.0; cols], 0_u64),
            (with(cols, 1.0, 7, f32::NAN), 7),
            (with(cols, 1.0, cols - 1, 2.0), cols as u64 - 1),
            (with(cols, -0.0, 20, 0.0), 0),
            (vec![f32::NAN; cols], 0),
        ];
        let x: Vec<f32> = rows.iter().flat_map(|(x, _)| x.clone()).collect();
        let want: (Vec<f32>, Vec<u64>) = rows.iter().map(|(x, at)| (x[*at as usize], *at)).unzip();
        let shape = Rows::new(rows.len(), cols);
        check.gives(format!("argmax of {cols}"), &want, |d| {
            argmax::rows(shape, &d.buffer(&x)?)?.fetch()
        });
        for (row, (value, at)) in rows.iter().zip(want.0.iter().zip(&want.1)) {
            check.gives(format!("argmax of an array of {cols}"), &(*value, *at), |d| {
                argmax::array(&d.buffer(&row.0)?)
            });
        }
        let negated: Vec<f32> = x.iter().map(|x| -x).collect();
        let want = (want.0.iter().map(|x| -x).collect(), want.1);
        check.gives(format!("argmin of {cols}"), &want, |d| {
            argmin::rows(shape, &d.buffer(&negated)?)?.fetch()
        });
    }
    check.finish();
}

#[test]
fn case_11_sums_of_negative_zeros() {
    let mut check = Check::new();
    for cols in LENGTHS {
        let rows = [(vec![-0.0; cols], -0.0), (with(cols, -0.0, cols - 1, 0.0), 0.0)];
        all_forms(&mut check, "sum", forms!(sum), cols, &rows);
        all_forms(
            &mut check,
            "sum in order",
            {
                use custom::sum_in_order;
                forms!(sum_in_order)
            },
            cols,
            &rows,
        );
        let x = vec![-0.0_f32; 3 * cols];
        check.gives(format!("scan of {cols}"), &x, |d| {
            scans::sums::rows(Rows::new(3, cols), &d.buffer(&x)?)?.fetch()
        });
        check.gives(format!("scan of an array of {cols}"), &x, |d| {
            scans::sums::array(&d.buffer(&x)?)?.fetch()
        });
    }
    check.finish();
}

#[test]
fn case_14_softmax_of_minus_infinity() {
    let mut check = Check::new();
    for cols in LENGTHS.into_iter().filter(|&cols| cols > 1) {
        let shape = Rows::new(3, cols);
        let one = with(cols, 0.5, cols / 3, f32::NEG_INFINITY);
        let x = [one, vec![f32::NEG_INFINITY; cols], vec![0.5; cols]].concat();
        let share = |n: usize| 1.0 / n as f32;
        let mut want = with(cols, share(cols - 1), cols / 3, 0.0);
        want.extend(vec![f32::NAN; cols]);
        want.extend(vec![share(cols); cols]);
        check.gives(format!("softmax of {cols}"), &want, |d| {
            apply::softmax::rows(shape, &d.buffer(&x)?)?.fetch()
        });

        let want = vec![
            0.5 + ((cols - 1) as f32).ln(),
            f32::NEG_INFINITY,
            0.5 + (cols as f32).ln(),
        ];
        let closure = check.same(format!("closure of {cols}"), Equal::Ulps(8), |d| {
            custom::log_sum_exp::rows(shape, &d.buffer(&x)?)?.fetch()
        });
        let table = check.same(format!("log_sum_exp of {cols}"), Equal::Ulps(8), |d| {
            cases::log_sum_exp::rows(shape, &d.buffer(&x)?)?.fetch()
        });
        for got in [closure, table].into_iter().flatten() {
            check.equal(format!("log_sum_exp of {cols}"), Equal::Within(1e-6), &got, &want);
        }
    }
    check.finish();
}
