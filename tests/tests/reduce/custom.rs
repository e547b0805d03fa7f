//! Operators of the user's own: in order at every level.

use half::f16;
use warpfold::Rows;
use warpfold_tests::answer::{Equal, Fetch};
use warpfold_tests::check::{Check, sizes};
use warpfold_tests::data::{Random, random, row};
use warpfold_tests::specs::custom;

/// Rows, columns, stride.
const SHAPES: [(usize, usize, usize); 3] = [(37, 20, 32), (3, 1000, 1001), (1, 70_003, 70_003)];

/// Every custom operator that is exact, over one shape.
#[test]
fn exact_operators() {
    let mut check = Check::new();
    for &(rows, cols, stride) in sizes(&SHAPES) {
        let n = rows * stride;
        let shape = Rows::new(rows, cols).stride(stride);
        let label = |op: &str| format!("{op} over {shape:?}");
        let each = |f: &dyn Fn(usize) -> u32| (0..rows).map(f).collect::<Vec<u32>>();
        let floats: Vec<f32> = random(1, n);
        let words: Vec<u32> = random(2, n);
        let longs: Vec<u64> = random(3, n);
        let bytes: Vec<u8> = random(4, n);
        // Runs of up to a few hundred ones.
        let mut noise = Random::new(5);
        let bits: Vec<bool> = (0..n).map(|_| noise.below(40) != 0).collect();

        let want: Vec<f32> = (0..rows)
            .map(|r| {
                row(&floats, r, cols, stride)
                    .iter()
                    .copied()
                    .fold(f32::NEG_INFINITY, f32::max)
            })
            .collect();
        check.gives(label("max_closure"), &want, |d| {
            custom::max_closure::rows(shape, &d.buffer(&floats)?)?.fetch()
        });

        let want: Vec<u64> = (0..rows)
            .map(|r| row(&longs, r, cols, stride).iter().fold(0, |a, b| a ^ b))
            .collect();
        check.gives(label("xor_closure"), &want, |d| {
            custom::xor_closure::rows(shape, &d.buffer(&longs)?)?.fetch()
        });

        let want = each(&|r| {
            row(&words, r, cols, stride)
                .iter()
                .rev()
                .copied()
                .find(|x| x & 1 == 1)
                .unwrap_or(0)
        });
        check.gives(label("last_odd"), &want, |d| {
            custom::last_odd::rows(shape, &d.buffer(&words)?)?.fetch()
        });

        let product = |r: usize| {
            row(&words, r, cols, stride)
                .iter()
                .fold([1_u32, 0, 0, 1], |[a, b, c, d], &x| {
                    let (e, f, g, h) = (x, 1, 1, x >> 7);
                    let dot =
                        |p: u32, q: u32, r: u32, s: u32| p.wrapping_mul(q).wrapping_add(r.wrapping_mul(s));
                    [dot(a, e, b, g), dot(a, f, b, h), dot(c, e, d, g), dot(c, f, d, h)]
                })
        };
        let want = (
            each(&|r| product(r)[0]),
            each(&|r| product(r)[1]),
            each(&|r| product(r)[2]),
            each(&|r| product(r)[3]),
        );
        check.gives(label("matrices"), &want, |d| {
            custom::matrices::rows(shape, &d.buffer(&words)?)?.fetch()
        });

        let horner = |r: usize| {
            row(&bytes, r, cols, stride)
                .iter()
                .fold(0_u64, |h, &x| h.wrapping_mul(31).wrapping_add(x.into()))
        };
        let want: Vec<u64> = (0..rows).map(horner).collect();
        check.gives(label("horner"), &want, |d| {
            custom::horner::rows(shape, &d.buffer(&bytes)?)?.fetch()
        });

        let longest = |r: usize| {
            row(&bits, r, cols, stride)
                .split(|x| !x)
                .map(|run| run.len() as u32)
                .max()
                .unwrap_or(0)
        };
        check.gives(label("longest_run"), &each(&longest), |d| {
            custom::longest_run::rows(shape, &d.buffer(&bits)?)?.fetch()
        });

        let sixes: Vec<u32> = words.iter().map(|x| (x & 0xffff) * 6).collect();
        let want = each(&|r| {
            row(&sixes, r, cols, stride).iter().fold(0, |a, &b| {
                let (mut a, mut b) = (a, b);
                while b != 0 {
                    (a, b) = (b, a % b);
                }
                a
            })
        });
        check.gives(label("gcd"), &want, |d| {
            custom::gcd::rows(shape, &d.buffer(&sixes)?)?.fetch()
        });

        let largest = |r: usize| {
            let x = row(&floats, r, cols, stride);
            (1..x.len()).fold(0, |best, i| if x[i] > x[best] { i } else { best })
        };
        let want = (
            (0..rows)
                .map(|r| row(&floats, r, cols, stride)[largest(r)])
                .collect(),
            each(&|r| largest(r) as u32),
        );
        check.gives(label("leftmost_largest"), &want, |d| {
            custom::leftmost_largest::rows(shape, &d.buffer(&floats)?)?.fetch()
        });
    }
    check.finish();
}

/// Sums of floats: the same bits on both, near the exact sum.
#[test]
fn rounded_operators() {
    let mut check = Check::new();
    for &(rows, cols, stride) in sizes(&SHAPES) {
        let n = rows * stride;
        let shape = Rows::new(rows, cols).stride(stride);
        let label = |op: &str| format!("{op} over {shape:?}");
        let (a, b): (Vec<f32>, Vec<f32>) = (random(1, n), random(2, n));
        let (wide, bytes): (Vec<f64>, Vec<u8>) = (random(3, n), random(4, n));
        let halves: Vec<f16> = random(5, n);
        let exact = |f: &dyn Fn(usize) -> f64| -> Vec<f64> {
            (0..rows)
                .map(|r| (0..cols).map(|c| f(r * stride + c)).sum())
                .collect()
        };
        let narrow = |x: Vec<f64>| x.into_iter().map(|x| x as f32).collect::<Vec<f32>>();
        let near = Equal::Within(2e-3);

        let want = narrow(exact(&|i| f64::from(a[i])));
        check.gives_about(label("sum_in_order"), near, &want, |d| {
            custom::sum_in_order::rows(shape, &d.buffer(&a)?)?.fetch()
        });
        check.gives_about(label("sum_any_order"), near, &want, |d| {
            custom::sum_any_order::rows(shape, &d.buffer(&a)?)?.fetch()
        });
        let from_half = want.iter().map(|x| x + 0.5).collect();
        check.gives_about(label("sum_from_half"), near, &from_half, |d| {
            custom::sum_from_half::rows(shape, &d.buffer(&a)?)?.fetch()
        });
        let want = narrow(exact(&|i| f64::from(a[i]) * f64::from(b[i])));
        check.gives_about(label("dot"), near, &want, |d| {
            custom::dot::rows(shape, &d.buffer(&a)?, &d.buffer(&b)?)?.fetch()
        });
        let want = exact(&|i| f64::from(a[i]) * wide[i] + f64::from(bytes[i]));
        check.gives_about(label("three"), Equal::Within(1e-9), &want, |d| {
            custom::three::rows(shape, &d.buffer(&a)?, &d.buffer(&wide)?, &d.buffer(&bytes)?)?.fetch()
        });
        let want = narrow(exact(&|i| halves[i].to_f64()));
        check.gives_about(label("sum_of_halves"), near, &want, |d| {
            custom::sum_of_halves::rows(shape, &d.buffer(&halves)?)?.fetch()
        });
        let want: Vec<u32> = exact(&|i| f64::from(bytes[i]))
            .into_iter()
            .map(|x| x as u32)
            .collect();
        check.gives(label("sum_of_bytes"), &want, |d| {
            custom::sum_of_bytes::rows(shape, &d.buffer(&bytes)?)?.fetch()
        });
        let span: Vec<(f64, f64)> = (0..rows)
            .map(|r| {
                let x = row(&wide, r, cols, stride);
                (
                    x.iter().copied().fold(f64::INFINITY, f64::min),
                    x.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                )
            })
            .collect();
        check.gives(label("span"), &span.into_iter().unzip(), |d| {
            custom::span::rows(shape, &d.buffer(&wide)?)?.fetch()
        });

        // Factors below 1, so that the recurrence forgets.
        let factors: Vec<f32> = a.iter().map(|x| x / 8.0).collect();
        check.same(label("affine_from_three"), Equal::Bits, |d| {
            custom::affine_from_three::rows(shape, &d.buffer(&factors)?, &d.buffer(&b)?)?.fetch()
        });
        let sum_of_exp = |r: usize| {
            let total: f64 = row(&a, r, cols, stride).iter().map(|&x| f64::from(x).exp()).sum();
            total.ln() as f32
        };
        let want: Vec<f32> = (0..rows).map(sum_of_exp).collect();
        let got = check.same(label("log_sum_exp"), Equal::Within(1e-5), |d| {
            custom::log_sum_exp::rows(shape, &d.buffer(&a)?)?.fetch()
        });
        if let Some(got) = got {
            check.equal(label("log_sum_exp"), Equal::Within(1e-4), &got, &want);
        }
    }
    check.finish();
}

/// In order and in any order are different orders: on random floats the bits tell.
#[test]
fn another_order_would_change_the_bits() {
    let mut check = Check::new();
    let x: Vec<f32> = random(11, 64 * 1000);
    let shape = Rows::new(64, 1000);
    let ordered = check.same("in order", Equal::Bits, |d| {
        custom::sum_in_order::rows(shape, &d.buffer(&x)?)?.fetch()
    });
    let striped = check.same("any order", Equal::Bits, |d| {
        custom::sum_any_order::rows(shape, &d.buffer(&x)?)?.fetch()
    });
    if let (Some(ordered), Some(striped)) = (ordered, striped) {
        let differ = ordered
            .iter()
            .zip(&striped)
            .filter(|(a, b)| a.to_bits() != b.to_bits())
            .count();
        check.is(
            "the two orders",
            differ > 32,
            format!("only {differ} of 64 rows tell them apart"),
        );
    }
    check.finish();
}
