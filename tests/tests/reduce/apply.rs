//! Results that go back to every element.

use warpfold::{Buffer, Rows};
use warpfold_tests::answer::{Equal, Fetch};
use warpfold_tests::check::{Check, sizes};
use warpfold_tests::data::{Random, random, whole};
use warpfold_tests::specs::apply;

/// In a part of a warp, a warp, a block's registers, shared memory, and past all of them.
const SHAPES: [(usize, usize, usize); 7] = [
    (37, 20, 32),
    (5, 33, 33),
    (9, 512, 512),
    (3, 1000, 1001),
    (2, 4097, 4097),
    (2, 20_000, 20_000),
    (1, 70_003, 70_003),
];

#[test]
fn norms_and_softmax() {
    let mut check = Check::new();
    for &(rows, cols, stride) in sizes(&SHAPES) {
        let shape = Rows::new(rows, cols).stride(stride);
        let label = |op: &str| format!("{op} over {shape:?}");
        let x: Vec<f32> = random(1, rows * stride);
        let (gamma, beta): (Vec<f32>, Vec<f32>) = (random(2, cols), random(3, cols));
        let wide = |r: usize| {
            x[r * stride..][..cols]
                .iter()
                .map(|&x| f64::from(x))
                .collect::<Vec<f64>>()
        };
        let totals: Vec<f64> = (0..rows)
            .map(|r| {
                let row = wide(r);
                let m = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                row.iter().map(|x| (x - m).exp()).sum()
            })
            .collect();
        let tops: Vec<f64> = (0..rows)
            .map(|r| wide(r).into_iter().fold(f64::NEG_INFINITY, f64::max))
            .collect();
        let want: Vec<f32> = (0..rows * cols)
            .map(|i| {
                ((f64::from(x[i / cols * stride + i % cols]) - tops[i / cols]).exp() / totals[i / cols])
                    as f32
            })
            .collect();
        let got = check.same(label("softmax"), Equal::Within(1e-5), |d| {
            apply::softmax::rows(shape, &d.buffer(&x)?)?.fetch()
        });
        if let Some(got) = got {
            check.equal(label("softmax"), Equal::Ulps(3000), &got, &want);
        }

        let squares: Vec<f64> = (0..rows)
            .map(|r| wide(r).iter().map(|x| x * x).sum::<f64>())
            .collect();
        let want: Vec<f32> = (0..rows * cols)
            .map(|i| {
                let (r, c) = (i / cols, i % cols);
                (f64::from(x[r * stride + c]) / (squares[r] / cols as f64 + 1e-6).sqrt()
                    * f64::from(gamma[c])) as f32
            })
            .collect();
        check.gives_about(label("rms_norm"), Equal::Within(1e-4), &want, |d| {
            apply::rms_norm::rows(shape, &d.buffer(&x)?, &d.buffer(&gamma)?, 1e-6)?.fetch()
        });

        let moments: Vec<(f64, f64)> = (0..rows)
            .map(|r| {
                let row = wide(r);
                let mean = row.iter().sum::<f64>() / cols as f64;
                (
                    mean,
                    row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / cols as f64,
                )
            })
            .collect();
        let want: Vec<f32> = (0..rows * cols)
            .map(|i| {
                let (r, c) = (i / cols, i % cols);
                let (mean, variance) = moments[r];
                ((f64::from(x[r * stride + c]) - mean) / (variance + 1e-5).sqrt() * f64::from(gamma[c])
                    + f64::from(beta[c])) as f32
            })
            .collect();
        check.gives_about(label("layer_norm"), Equal::Within(1e-3), &want, |d| {
            apply::layer_norm::rows(shape, &d.buffer(&x)?, &d.buffer(&gamma)?, &d.buffer(&beta)?, 1e-5)?
                .fetch()
        });
    }
    check.finish();
}

#[test]
fn exact_answers() {
    let mut check = Check::new();
    for &(rows, cols, stride) in sizes(&SHAPES) {
        let shape = Rows::new(rows, cols).stride(stride);
        let label = |op: &str| format!("{op} over {shape:?}");
        let x: Vec<i32> = random(1, rows * stride);
        let (a, b): (Vec<u32>, Vec<u32>) = (random(2, rows * stride), random(3, rows * stride));
        let dense = |f: &dyn Fn(usize, usize) -> i32| -> Vec<i32> {
            (0..rows * cols).map(|i| f(i / cols, i % cols)).collect()
        };
        let tops: Vec<i32> = (0..rows)
            .map(|r| x[r * stride..][..cols].iter().copied().max().unwrap_or(i32::MIN))
            .collect();
        check.gives(
            label("below_top"),
            &dense(&|r, c| tops[r].wrapping_sub(x[r * stride + c])),
            |d| apply::below_top::rows(shape, &d.buffer(&x)?)?.fetch(),
        );

        let total = |r: usize| {
            (r * stride..r * stride + cols).fold((1_u32, 0_u32), |s, i| {
                (s.0.wrapping_mul(a[i]), a[i].wrapping_mul(s.1).wrapping_add(b[i]))
            })
        };
        let totals: Vec<(u32, u32)> = (0..rows).map(total).collect();
        let want: (Vec<u32>, Vec<u64>) = (0..rows * cols)
            .map(|i| {
                let (r, c) = (i / cols, i % cols);
                (totals[r].0 ^ a[r * stride + c], u64::from(totals[r].1) + c as u64)
            })
            .unzip();
        check.gives(label("pairs"), &want, |d| {
            apply::pairs::rows(shape, &d.buffer(&a)?, &d.buffer(&b)?)?.fetch()
        });
    }
    check.finish();
}

#[test]
fn ragged_rows_of_every_kind_of_parameter() {
    let mut check = Check::new();
    for &(rows, cols, stride) in sizes(&SHAPES) {
        let shape = Rows::new(rows, cols).stride(stride);
        let (x, gamma, scale) = (whole(1, rows * stride, 9), whole(2, cols, 5), whole(3, rows, 3));
        let mut noise = Random::new(4);
        let live: Vec<u32> = (0..rows).map(|_| noise.below(cols as u64 + 2) as u32).collect();
        let totals: Vec<f32> = (0..rows)
            .map(|r| {
                x[r * stride..][..cols.min(live[r] as usize)]
                    .iter()
                    .fold(-0.0, |a, b| a + b)
            })
            .collect();
        let want: Vec<f32> = (0..rows * cols)
            .map(|i| {
                let (r, c) = (i / cols, i % cols);
                if (c as u32) < live[r] {
                    totals[r] * scale[r] + x[r * stride + c] * gamma[c] + r as f32
                } else {
                    0.0
                }
            })
            .collect();
        check.gives(format!("ragged_share over {shape:?}"), &want, |d| {
            apply::ragged_share::rows(
                shape,
                &d.buffer(&x)?,
                &d.buffer(&gamma)?,
                &d.buffer(&scale)?,
                &d.buffer(&live)?,
            )?
            .fetch()
        });
    }
    check.finish();
}

#[test]
fn in_place_and_into_give_what_rows_gives() {
    let mut check = Check::new();
    for (rows, cols) in [(37, 20), (3, 1000), (1, 70_003)] {
        let shape = Rows::new(rows, cols);
        let x: Vec<f64> = random(1, rows * cols);
        let rows_of = |name: &str| format!("{name} over {shape:?}");
        let want = check.same(rows_of("rows"), Equal::Bits, |d| {
            apply::share::rows(shape, &d.buffer(&x)?)?.fetch()
        });
        let Some(want) = want else { continue };
        check.gives(rows_of("in place"), &want, |d| {
            let mut data = d.buffer(&x)?;
            apply::share::rows_in_place(shape, &mut data)?;
            data.fetch()
        });
        // Results two elements apart, between values that must stay.
        check
            .same(rows_of("into gaps"), Equal::Bits, |d| {
                let mut out: Buffer<f64> = d.buffer(&vec![-5.0; rows * (cols + 2)])?;
                apply::share::rows_into(shape.out_stride(cols + 2), &d.buffer(&x)?, &mut out)?;
                out.fetch()
            })
            .inspect(|out| {
                let right = out
                    .chunks(cols + 2)
                    .zip(want.chunks(cols))
                    .all(|(got, want)| got[..cols] == *want && got[cols..] == [-5.0; 2]);
                assert!(right, "the gaps changed, or what is between them");
            });
    }
    check.finish();
}
