//! Order of integers, variances and structs, in every form that they can take.

use warpfold::Rows;
use warpfold_tests::answer::{Equal, Fetch};
use warpfold_tests::check::{Check, sizes};
use warpfold_tests::data::{Random, random};
use warpfold_tests::lines::{SHAPES, after_each};
use warpfold_tests::specs::structs::stats::{self, Mixed};
use warpfold_tests::specs::{cases, table};
use warpfold_tests::{filters, reaches_every_lane, reduces, scans};

/// `rest` everywhere but at some elements, far apart, that are `telling`.
fn few<T: Copy>(n: usize, rest: T, telling: T) -> Vec<T> {
    (0..n)
        .map(|i| if i % 47 == 13 { telling } else { rest })
        .collect()
}

#[test]
fn case_10_signed_and_unsigned_order() {
    let mut check = Check::new();
    for &of in sizes(&SHAPES) {
        let n = of.0 * of.2;
        macro_rules! order {
            ($module:ident $ty:ident $far:ident $none:expr, $high:expr, $low:expr, $above:expr) => {
                for x in &[few(n, 5, $high), few(n, 5, $low), random(1, n)] {
                    let far = |line: &[$ty]| line.iter().copied().fold($none, $ty::$far);
                    reduces!(
                        check,
                        of,
                        Equal::Bits,
                        x,
                        cases::$module::max,
                        |line: &[$ty]| { line.iter().copied().fold($ty::MIN, $ty::max) }
                    );
                    reduces!(
                        check,
                        of,
                        Equal::Bits,
                        x,
                        cases::$module::min,
                        |line: &[$ty]| { line.iter().copied().fold($ty::MAX, $ty::min) }
                    );
                    reaches_every_lane!(check, of, Equal::Bits, x, cases::$module::everywhere, far);
                    scans!(
                        check,
                        of,
                        Equal::Bits,
                        x,
                        cases::$module::so_far,
                        |line: &[$ty]| { after_each(line, $none, |s: $ty, x| s.$far(x)) }
                    );
                    filters!(check, of, x, cases::$module::above, |x: &$ty| *x > $above);
                }
            };
        }
        order!(unsigned u32 max 0, 3_000_000_000, 0, 1 << 31);
        order!(signed i32 min i32::MAX, i32::MAX, i32::MIN, -5);
    }
    check.finish();
}

/// In f64, from the mean; of nothing there is none.
fn variance(line: &[f32]) -> f32 {
    let n = line.len() as f64;
    let mean = line.iter().map(|&x| f64::from(x)).sum::<f64>() / n;
    (line.iter().map(|&x| (f64::from(x) - mean).powi(2)).sum::<f64>() / n) as f32
}

/// The same of each beginning of a line.
fn variances(line: &[f32]) -> Vec<f32> {
    // Against the first element, so that the squares stay small.
    let (mut sum, mut squares) = (0.0, 0.0);
    let each = line.iter().zip(1..).map(|(&x, n)| {
        let x = f64::from(x) - f64::from(line[0]);
        (sum, squares) = (sum + x, squares + x * x);
        let mean = sum / f64::from(n);
        (squares / f64::from(n) - mean * mean) as f32
    });
    each.collect()
}

#[test]
fn case_15_variance() {
    let mut check = Check::new();
    let mut noise = Random::new(15);
    let how = Equal::Within(3e-3);
    let short = [(4, 11, 11), (4, 1, 1), (3, 33, 33)];
    for of in sizes(&short).iter().chain(sizes(&SHAPES)) {
        let far = |noise: &mut Random| 1e6 + noise.below(1000) as f32 * 0.125;
        let x: &Vec<f32> = &(0..of.0 * of.2).map(|_| far(&mut noise)).collect();
        reduces!(check, *of, how, x, cases::variance, variance);
        reaches_every_lane!(check, *of, how, x, cases::variance_everywhere, variance);
        scans!(check, *of, how, x, cases::variance_so_far, variances);
    }
    let one = [1e6_f32; 5];
    check.gives("variances of one element each", &vec![0.0; 5], |d| {
        cases::variance::rows(Rows::new(5, 1), &d.buffer(&one)?)?.fetch()
    });
    let merged = table::floats_of_f32::welford::combine((0.0, 0.0, 0.0), (3.0, 2.0, 1.0));
    check.equal("an empty part first", Equal::Bits, &merged, &(3.0, 2.0, 1.0));
    let merged = table::floats_of_f32::welford::combine((3.0, 2.0, 1.0), (0.0, 0.0, 0.0));
    check.equal("an empty part last", Equal::Bits, &merged, &(3.0, 2.0, 1.0));
    check.finish();
}

fn merged(s: Mixed, x: Mixed) -> Mixed {
    Mixed {
        low: s.low.wrapping_add(x.low),
        wide: if x.wide > s.wide { x.wide } else { s.wide },
        flag: s.flag | x.flag,
    }
}

#[test]
fn case_21_a_struct_of_three_sizes() {
    let mut check = Check::new();
    let none = Mixed {
        low: 0,
        wide: f64::NEG_INFINITY,
        flag: false,
    };
    for &of in sizes(&SHAPES) {
        let n = of.0 * of.2;
        let (low, wide): (Vec<i16>, Vec<f64>) = (random(1, n), random(2, n));
        let mixed = |i: usize| Mixed {
            low: low[i],
            wide: wide[i],
            flag: i % 31 == 30,
        };
        let x: &Vec<Mixed> = &(0..n).map(mixed).collect();
        let total = |line: &[Mixed]| line.iter().copied().fold(none, merged);
        reduces!(check, of, Equal::Bits, x, stats::mixed_elements, total);
        reaches_every_lane!(check, of, Equal::Bits, x, stats::mixed_everywhere, total);
        scans!(
            check,
            of,
            Equal::Bits,
            x,
            stats::mixed_scan,
            |line: &[Mixed]| { after_each(line, none, merged) }
        );
        filters!(check, of, x, stats::flagged, |x: &Mixed| x.flag);
        let (rows, cols) = (n / 32, 32);
        let rotated: Vec<Mixed> = (0..rows * cols).map(|i| x[i / 32 * 32 + (i + 1) % 32]).collect();
        check.gives(format!("rotated in {rows} rows"), &rotated, |d| {
            stats::mixed_rotate::rows(Rows::new(rows, cols), &d.buffer(&x[..rows * cols])?)?.fetch()
        });
    }
    check.finish();
}
