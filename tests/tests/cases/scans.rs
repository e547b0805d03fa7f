//! Order, exclusive scans, recurrences.

use warpfold::Rows;
use warpfold_tests::answer::{Equal, Fetch};
use warpfold_tests::check::Check;
use warpfold_tests::data::random;
use warpfold_tests::specs::{cases, scans};

#[test]
fn case_13_the_first_of_an_exclusive_scan_is_the_identity() {
    let mut check = Check::new();
    for n in [1, 20, 32, 33, 1000, 40_000] {
        let x = vec![1.5_f32; n];
        // Made by subtracting, an infinity or a large value would spoil what is before it.
        let mut huge = x.clone();
        huge[n / 2] = f32::INFINITY;
        let want: Vec<f32> = (0..n)
            .map(|i| {
                if i > n / 2 {
                    f32::INFINITY
                } else if i == 0 {
                    -0.0
                } else {
                    1.5 * i as f32
                }
            })
            .collect();
        check.gives(format!("array of {n}"), &want, |d| {
            cases::sums_before::array(&d.buffer(&huge)?)?.fetch()
        });
        check.gives(format!("rows of {n}"), &[&want[..], &want].concat(), |d| {
            cases::sums_before::rows(Rows::new(2, n), &d.buffer(&[&huge[..], &huge].concat())?)?.fetch()
        });
        let mut want = vec![1.5; n];
        want[0] = f32::NEG_INFINITY;
        check.gives(format!("max, array of {n}"), &want, |d| {
            cases::peaks_before::array(&d.buffer(&x)?)?.fetch()
        });
        let want: Vec<i32> = (0..n as i32).map(|i| 8 + i).collect();
        check.gives(format!("from seven, array of {n}"), &want, |d| {
            cases::sums_from_seven::array(&d.buffer(&vec![1; n])?)?.fetch()
        });
    }
    check.finish();
}

#[test]
fn case_16_recurrences() {
    let mut check = Check::new();
    for n in [1, 2, 31, 32, 33, 100, 1000, 5000] {
        let b: Vec<f32> = random(1, n);
        for (name, a) in [
            ("a = 0", vec![0.0_f32; n]),
            ("underflow", vec![1e-30; n]),
            ("slow", vec![0.999; n]),
            ("growing", vec![1.001; n]),
        ] {
            let mut h = 0.0_f64;
            let want: Vec<f32> = a
                .iter()
                .zip(&b)
                .map(|(&a, &b)| {
                    h = f64::from(a) * h + f64::from(b);
                    h as f32
                })
                .collect();
            check.gives_about(format!("{name}, array of {n}"), Equal::Within(2e-3), &want, |d| {
                scans::recurrence::array(&d.buffer(&a)?, &d.buffer(&b)?)?.fetch()
            });
            check.gives_about(format!("{name}, row of {n}"), Equal::Within(2e-3), &want, |d| {
                scans::recurrence::rows(Rows::new(1, n), &d.buffer(&a)?, &d.buffer(&b)?)?.fetch()
            });
        }
    }
    check.finish();
}
