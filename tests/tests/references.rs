//! Softmax, log-softmax, log-sum-exp, RMS norm, layer norm and L2 normalisation against references in `f64`, on rows of
//! 1 to 70,000 columns. Among the rows of every length are those that go wrong elsewhere: `-inf` at one place, `-inf`
//! alone, zeros, one value all along, a million plus noise.

use std::fmt::Display;

use warpfold::{Device, Error, Rows};
use warpfold_tests::answer::{Equal, Fetch};
use warpfold_tests::check::{Check, sizes};
use warpfold_tests::data::{Random, random};
use warpfold_tests::specs::{apply, cases, custom};

/// In a part of a warp, a warp, several turns, a block's registers, shared memory, past all of them; around each edge.
/// The first two stand for all where the tests run under a sanitizer.
const LENGTHS: [usize; 34] = [
    33, 4097, 1, 2, 3, 7, 20, 31, 32, 64, 65, 100, 127, 128, 129, 256, 257, 513, 1000, 1024, 1025, 2048,
    2049, 4095, 4096, 8192, 10_000, 16_384, 16_385, 32_769, 50_000, 65_536, 65_537, 70_000,
];

/// Ordinary rows, and after them the special ones.
const ORDINARY: usize = 2;

/// Where CPU and GPU each have an `exp` and a `ln` of their own, their answers may be this far apart.
const TRANSCENDENTAL: Equal = Equal::Ulps(8);

/// Rows of one length with what each of them is.
struct Sheet {
    cols: usize,
    x: Vec<f32>,
    kinds: Vec<&'static str>,
}

impl Sheet {
    fn new(cols: usize, special: &[(&'static str, Vec<f32>)]) -> Self {
        let mut sheet = Self {
            cols,
            x: random(cols as u64, ORDINARY * cols),
            kinds: vec!["an ordinary row"; ORDINARY],
        };
        for (kind, row) in special {
            assert_eq!(row.len(), cols);
            sheet.kinds.push(kind);
            sheet.x.extend(row);
        }
        sheet
    }

    /// What softmax and its like meet.
    fn of_exponents(cols: usize) -> Self {
        let low = f32::NEG_INFINITY;
        let mut masked: Vec<f32> = random(cols as u64 + 1, cols);
        masked[cols / 3] = low;
        // Exponentials of these do not fit into any float.
        let large: Vec<f32> = random::<f32>(cols as u64 + 2, cols)
            .iter()
            .map(|x| x * 1e3)
            .collect();
        Self::new(
            cols,
            &[
                ("one -inf", masked),
                ("-inf alone", vec![low; cols]),
                ("large values", large),
            ],
        )
    }

    /// What norms meet.
    fn of_lengths(cols: usize) -> Self {
        let mut noise = Random::new(cols as u64);
        let far = (0..cols)
            .map(|_| 1e6 + noise.below(1000) as f32 * 0.125)
            .collect();
        Self::new(
            cols,
            &[
                ("zeros", vec![0.0; cols]),
                ("one value", vec![3.0; cols]),
                ("a million plus noise", far),
            ],
        )
    }

    fn shape(&self) -> Rows {
        Rows::new(self.kinds.len(), self.cols)
    }

    fn row(&self, r: usize) -> Vec<f64> {
        let row = &self.x[r * self.cols..][..self.cols];
        row.iter().map(|&x| f64::from(x)).collect()
    }

    /// Runs a call; each row of its answer must be what `reference` makes of the row, as `near` says of its kind.
    fn holds(
        &self,
        check: &mut Check,
        label: impl Display,
        (between, near): (Equal, impl Fn(&str) -> Equal),
        reference: impl Fn(&[f64]) -> Vec<f64>,
        call: impl Fn(&Device) -> Result<Vec<f32>, Error>,
    ) {
        let Some(got) = check.same(format!("{label} of {} columns", self.cols), between, call) else {
            return;
        };
        let each = got.len() / self.kinds.len();
        for (r, kind) in self.kinds.iter().enumerate() {
            let want: Vec<f32> = reference(&self.row(r)).into_iter().map(|x| x as f32).collect();
            let label = format!("{label} of {} columns, {kind}", self.cols);
            check.equal(label, near(kind), &got[r * each..][..each].to_vec(), &want);
        }
    }
}

fn largest(row: &[f64]) -> f64 {
    row.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// The logarithm of the sum of the exponentials; of `-inf` alone, that.
fn log_sum_exp(row: &[f64]) -> f64 {
    let top = largest(row);
    if top == f64::NEG_INFINITY {
        return top;
    }
    top + row.iter().map(|x| (x - top).exp()).sum::<f64>().ln()
}

fn mean(row: &[f64], of: impl Fn(f64) -> f64) -> f64 {
    row.iter().map(|&x| of(x)).sum::<f64>() / row.len() as f64
}

/// Of values a thousand times as large the difference to the largest is rounded a thousand times as coarsely.
fn of_exponentials(kind: &str) -> Equal {
    if kind == "large values" {
        Equal::Within(1e-3)
    } else {
        Equal::Ulps(48)
    }
}

#[test]
fn softmax() {
    let mut check = Check::new();
    for &cols in sizes(&LENGTHS) {
        let sheet = Sheet::of_exponents(cols);
        let reference = |row: &[f64]| {
            let all = log_sum_exp(row);
            row.iter().map(|x| (x - all).exp()).collect()
        };
        sheet.holds(
            &mut check,
            "softmax",
            (TRANSCENDENTAL, of_exponentials),
            reference,
            |d| apply::softmax::rows(sheet.shape(), &d.buffer(&sheet.x)?)?.fetch(),
        );
    }
    check.finish();
}

#[test]
fn log_softmax() {
    let mut check = Check::new();
    for &cols in sizes(&LENGTHS) {
        let sheet = Sheet::of_exponents(cols);
        let reference = |row: &[f64]| {
            let all = log_sum_exp(row);
            row.iter().map(|x| x - all).collect()
        };
        let near = |_: &str| Equal::Within(1e-6);
        sheet.holds(
            &mut check,
            "log-softmax",
            (Equal::Within(1e-6), near),
            reference,
            |d| apply::log_softmax::rows(sheet.shape(), &d.buffer(&sheet.x)?)?.fetch(),
        );
    }
    check.finish();
}

#[test]
fn log_sum_exp_of_the_table_and_of_a_closure() {
    let mut check = Check::new();
    for &cols in sizes(&LENGTHS) {
        let sheet = Sheet::of_exponents(cols);
        let how = || (Equal::Within(1e-6), |_: &str| Equal::Within(1e-6));
        let reference = |row: &[f64]| vec![log_sum_exp(row)];
        sheet.holds(&mut check, "log-sum-exp of the table", how(), reference, |d| {
            cases::log_sum_exp::rows(sheet.shape(), &d.buffer(&sheet.x)?)?.fetch()
        });
        sheet.holds(&mut check, "log-sum-exp of a closure", how(), reference, |d| {
            custom::log_sum_exp::rows(sheet.shape(), &d.buffer(&sheet.x)?)?.fetch()
        });
    }
    check.finish();
}

#[test]
fn rms_norm() {
    let mut check = Check::new();
    for &cols in sizes(&LENGTHS) {
        let sheet = Sheet::of_lengths(cols);
        let gamma: Vec<f32> = random(7, cols);
        let reference = |row: &[f64]| {
            let scale = (mean(row, |x| x * x) + 1e-6).sqrt();
            let each = row.iter().zip(&gamma);
            each.map(|(x, &g)| x / scale * f64::from(g)).collect()
        };
        let near = |_: &str| Equal::Ulps(24);
        sheet.holds(&mut check, "RMS norm", (Equal::Bits, near), reference, |d| {
            apply::rms_norm::rows(sheet.shape(), &d.buffer(&sheet.x)?, &d.buffer(&gamma)?, 1e-6)?.fetch()
        });
    }
    check.finish();
}

#[test]
fn layer_norm() {
    let mut check = Check::new();
    for &cols in sizes(&LENGTHS) {
        let sheet = Sheet::of_lengths(cols);
        let (gamma, beta): (Vec<f32>, Vec<f32>) = (random(8, cols), random(9, cols));
        let reference = |row: &[f64]| {
            let middle = mean(row, |x| x);
            let deviation = (mean(row, |x| (x - middle).powi(2)) + 1e-5).sqrt();
            let each = row.iter().zip(&gamma).zip(&beta);
            each.map(|((x, &g), &b)| (x - middle) / deviation * f64::from(g) + f64::from(b))
                .collect()
        };
        // The mean of the far row is known to a sixteenth, of a deviation of 36; the weights go up to 8.
        let near = |kind: &str| {
            Equal::Within(if kind == "a million plus noise" {
                2e-2
            } else {
                1e-5
            })
        };
        sheet.holds(&mut check, "layer norm", (Equal::Bits, near), reference, |d| {
            let (x, gamma, beta) = (d.buffer(&sheet.x)?, d.buffer(&gamma)?, d.buffer(&beta)?);
            apply::layer_norm::rows(sheet.shape(), &x, &gamma, &beta, 1e-5)?.fetch()
        });
    }
    check.finish();
}

#[test]
fn l2_normalise() {
    let mut check = Check::new();
    for &cols in sizes(&LENGTHS) {
        let sheet = Sheet::of_lengths(cols);
        let reference = |row: &[f64]| {
            let length = row.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-12);
            row.iter().map(|x| x / length).collect()
        };
        let near = |_: &str| Equal::Ulps(24);
        sheet.holds(&mut check, "L2 normalise", (Equal::Bits, near), reference, |d| {
            apply::l2_normalise::rows(sheet.shape(), &d.buffer(&sheet.x)?)?.fetch()
        });
    }
    check.finish();
}

/// The comparison must be able to fail: a softmax that is right to 0.0001 of its values is not right.
#[test]
fn a_wrong_answer_is_seen() {
    let failed = std::panic::catch_unwind(|| {
        let mut check = Check::new();
        let sheet = Sheet::of_exponents(1000);
        let how = (TRANSCENDENTAL, of_exponentials);
        let reference = |row: &[f64]| {
            let all = log_sum_exp(row) + 1e-4;
            row.iter().map(|x| (x - all).exp()).collect()
        };
        sheet.holds(&mut check, "softmax", how, reference, |d| {
            apply::softmax::rows(sheet.shape(), &d.buffer(&sheet.x)?)?.fetch()
        });
        check.finish();
    });
    let text = *failed.unwrap_err().downcast::<String>().unwrap();
    assert!(
        text.contains("softmax of 1000 columns, an ordinary row"),
        "{text}"
    );
}
