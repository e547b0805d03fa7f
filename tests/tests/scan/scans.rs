//! Scans of both kinds and directions, with carries along long rows.

use warpfold::{Buffer, Device, Error, Rows};
use warpfold_tests::answer::{Equal, Fetch};
use warpfold_tests::check::{Check, sizes};
use warpfold_tests::data::{Random, random, whole};
use warpfold_tests::specs::scans;

/// Rows, columns, stride: parts of a warp, a tile, several tiles, more than a span of 32 tiles.
const SHAPES: [(usize, usize, usize); 9] = [
    (37, 20, 32),
    (40, 1, 1),
    (33, 3, 4),
    (5, 33, 33),
    (9, 128, 128),
    (3, 1000, 1001),
    (2, 4097, 4097),
    (1, 40_003, 40_003),
    (0, 7, 7),
];

/// The rows, and the elements of row r.
fn rows_of<T: Copy>(x: &[T], (rows, cols, stride): (usize, usize, usize)) -> Vec<Vec<T>> {
    (0..rows).map(|r| x[r * stride..][..cols].to_vec()).collect()
}

/// A sequential scan of each row: `step` takes the state and an element; what is stored is the state after it, or with
/// `exclusive` the one before it.
fn scanned<T: Copy, S: Copy>(
    rows: &[Vec<T>],
    identity: S,
    exclusive: bool,
    reverse: bool,
    step: impl Fn(S, T) -> S,
) -> Vec<S> {
    let mut all = Vec::new();
    for row in rows {
        let mut state = identity;
        let mut out = Vec::new();
        let order: Vec<T> = if reverse {
            row.iter().rev().copied().collect()
        } else {
            row.clone()
        };
        for x in order {
            let next = step(state, x);
            out.push(if exclusive { state } else { next });
            state = next;
        }
        if reverse {
            out.reverse();
        }
        all.extend(out);
    }
    all
}

#[test]
fn sums_and_offsets() {
    let mut check = Check::new();
    for &dims @ (rows, cols, stride) in sizes(&SHAPES) {
        let shape = Rows::new(rows, cols).stride(stride);
        let label = |op: &str| format!("{op} over {shape:?}");
        let x = whole(1, rows * stride, 20);
        let counts: Vec<u32> = random(2, rows * stride);
        let longs: Vec<u64> = random(3, rows * stride);
        let rounded: Vec<f32> = random(4, rows * stride);
        let (xs, cs, ls) = (rows_of(&x, dims), rows_of(&counts, dims), rows_of(&longs, dims));

        let want = scanned(&xs, -0.0, false, false, |s, x| s + x);
        check.gives(label("sums"), &want, |d| {
            scans::sums::rows(shape, &d.buffer(&x)?)?.fetch()
        });
        let want = scanned(&xs, -0.0, false, true, |s, x| s + x);
        check.gives(label("sums_back"), &want, |d| {
            scans::sums_back::rows(shape, &d.buffer(&x)?)?.fetch()
        });
        let want = scanned(&xs, 0.25, false, false, |s, x| s + x);
        check.gives(label("sums_from_quarter"), &want, |d| {
            scans::sums_from_quarter::rows(shape, &d.buffer(&x)?)?.fetch()
        });
        let want = scanned(&cs, 0_u32, true, false, u32::wrapping_add);
        check.gives(label("offsets"), &want, |d| {
            scans::offsets::rows(shape, &d.buffer(&counts)?)?.fetch()
        });
        let want = scanned(&cs, 0_u32, true, true, u32::wrapping_add);
        check.gives(label("offsets_back"), &want, |d| {
            scans::offsets_back::rows(shape, &d.buffer(&counts)?)?.fetch()
        });
        let want = scanned(&ls, 10_u64, true, false, u64::wrapping_add);
        check.gives(label("offsets_from_ten"), &want, |d| {
            scans::offsets_from_ten::rows(shape, &d.buffer(&longs)?)?.fetch()
        });
        let want = scanned(
            &rows_of(&rounded, dims),
            f32::NEG_INFINITY,
            false,
            false,
            f32::max,
        );
        check.gives(label("peaks"), &want, |d| {
            scans::peaks::rows(shape, &d.buffer(&rounded)?)?.fetch()
        });
        for (name, run) in [
            (
                "sums",
                (|d, s, x| scans::sums::rows(s, &d.buffer(x)?)?.fetch())
                    as fn(&Device, Rows, &[f32]) -> Result<Vec<f32>, Error>,
            ),
            ("sums_back", |d, s, x| {
                scans::sums_back::rows(s, &d.buffer(x)?)?.fetch()
            }),
            ("sums_from_quarter", |d, s, x| {
                scans::sums_from_quarter::rows(s, &d.buffer(x)?)?.fetch()
            }),
        ] {
            check.same(label(&format!("{name}, rounded")), Equal::Bits, |d| {
                run(d, shape, &rounded)
            });
        }
    }
    check.finish();
}

#[test]
fn operators_in_order() {
    let mut check = Check::new();
    for &dims @ (rows, cols, stride) in sizes(&SHAPES) {
        let shape = Rows::new(rows, cols).stride(stride);
        let label = |op: &str| format!("{op} over {shape:?}");
        let n = rows * stride;
        let mut noise = Random::new(5);
        // Odd numbers are rare, so that runs of empty states are long.
        let words: Vec<u32> = (0..n)
            .map(|_| noise.bits() as u32 & if noise.below(50) == 0 { u32::MAX } else { !1 })
            .collect();
        let ws = rows_of(&words, dims);
        let last = |s: u32, x: u32| if x & 1 == 1 { x } else { s };
        let want = scanned(&ws, 0, false, false, last);
        check.gives(label("last_odd"), &want, |d| {
            scans::last_odd::rows(shape, &d.buffer(&words)?)?.fetch()
        });
        let want = scanned(&ws, 0, true, true, last);
        check.gives(label("next_odd"), &want, |d| {
            scans::next_odd::rows(shape, &d.buffer(&words)?)?.fetch()
        });

        let step = |[a, b, c, d]: [u32; 4], x: u32| {
            let dot = |p: u32, q: u32, r: u32, s: u32| p.wrapping_mul(q).wrapping_add(r.wrapping_mul(s));
            [
                dot(a, x, b, 1),
                dot(a, 1, b, x >> 7),
                dot(c, x, d, 1),
                dot(c, 1, d, x >> 7),
            ]
        };
        let all = scanned(&ws, [1, 0, 0, 1], false, false, step);
        let field = |i: usize| all.iter().map(|m| m[i]).collect::<Vec<u32>>();
        check.gives(
            label("matrices"),
            &(field(0), field(1), field(2), field(3)),
            |d| scans::matrices::rows(shape, &d.buffer(&words)?)?.fetch(),
        );

        let (a, b): (Vec<u32>, Vec<u32>) = (random(6, n), random(7, n));
        let pairs: Vec<Vec<(u32, u32)>> = rows_of(
            &a.iter().copied().zip(b.iter().copied()).collect::<Vec<_>>(),
            dims,
        );
        let want = scanned(&pairs, 0, false, false, |h: u32, (a, b)| {
            a.wrapping_mul(h).wrapping_add(b)
        });
        check.gives(label("recurrence_exact"), &want, |d| {
            scans::recurrence_exact::rows(shape, &d.buffer(&a)?, &d.buffer(&b)?)?.fetch()
        });

        let starts: Vec<bool> = (0..n).map(|_| noise.below(30) == 0).collect();
        let values: Vec<i64> = random(8, n);
        let pairs = rows_of(
            &starts
                .iter()
                .copied()
                .zip(values.iter().copied())
                .collect::<Vec<_>>(),
            dims,
        );
        let want = scanned(
            &pairs,
            0,
            false,
            false,
            |s: i64, (start, x)| if start { x } else { s.wrapping_add(x) },
        );
        check.gives(label("restarted"), &want, |d| {
            scans::restarted::rows(shape, &d.buffer(&starts)?, &d.buffer(&values)?)?.fetch()
        });

        let factors: Vec<f32> = random::<f32>(9, n).iter().map(|x| x / 8.0).collect();
        let steps: Vec<f32> = random(10, n);
        let pairs = rows_of(
            &factors
                .iter()
                .copied()
                .zip(steps.iter().copied())
                .collect::<Vec<_>>(),
            dims,
        );
        let want: Vec<f32> = scanned(&pairs, 0.0, false, false, |h: f64, (a, b)| {
            f64::from(a) * h + f64::from(b)
        })
        .iter()
        .map(|&h| h as f32)
        .collect();
        check.gives_about(label("recurrence"), Equal::Within(1e-4), &want, |d| {
            scans::recurrence::rows(shape, &d.buffer(&factors)?, &d.buffer(&steps)?)?.fetch()
        });
    }
    check.finish();
}

#[test]
fn finish_sees_every_kind_of_parameter() {
    let mut check = Check::new();
    for &(rows, cols, stride) in sizes(&SHAPES) {
        let shape = Rows::new(rows, cols).stride(stride);
        let (x, gamma, scale) = (whole(1, rows * stride, 5), whole(2, cols, 3), whole(3, rows, 3));
        let mut want = Vec::new();
        for r in 0..rows {
            let mut s = -0.0;
            for c in 0..cols {
                let x = x[r * stride + c];
                s += x;
                want.push(s * gamma[c] + scale[r] + x + (c + cols) as f32 + r as f32 + 2.0);
            }
        }
        check.gives(format!("every_kind over {shape:?}"), &want, |d| {
            scans::every_kind::rows(shape, &d.buffer(&x)?, &d.buffer(&gamma)?, &d.buffer(&scale)?, 2.0)?
                .fetch()
        });
    }
    check.finish();
}

type Affine = fn(&Device, Rows, &[u32], &[u32]) -> Result<(Vec<u32>, Vec<u32>), Error>;
macro_rules! widths {
    ($($name:ident)*) => { [$((stringify!($name), |d, shape, a, b| {
        scans::$name::rows(shape, &d.buffer(a)?, &d.buffer(b)?)?.fetch()
    })),*] };
}

#[test]
fn every_width() {
    let specs: [(&str, Affine); 6] = widths!(affine_1 affine_2 affine_4 affine_8 affine_16 affine_32);
    let mut check = Check::new();
    for dims @ (rows, cols, stride) in [(33, 1, 1), (17, 24, 25), (5, 130, 130), (3, 1111, 1111)] {
        let shape = Rows::new(rows, cols).stride(stride);
        let (a, b): (Vec<u32>, Vec<u32>) = (random(1, rows * stride), random(2, rows * stride));
        let pairs = rows_of(
            &a.iter().copied().zip(b.iter().copied()).collect::<Vec<_>>(),
            dims,
        );
        let want: (Vec<u32>, Vec<u32>) = scanned(&pairs, (1_u32, 0_u32), false, false, |s, (a, b)| {
            (s.0.wrapping_mul(a), a.wrapping_mul(s.1).wrapping_add(b))
        })
        .into_iter()
        .unzip();
        for (name, scan) in specs {
            check.gives(format!("{name} over {shape:?}"), &want, |d| {
                scan(d, shape, &a, &b)
            });
        }
    }
    check.finish();
}

/// Every number of columns to a little past two tiles of the smallest group, and around larger tiles.
#[test]
fn every_length() {
    let mut check = Check::new();
    let around = [
        33, 1025, 127, 128, 129, 255, 256, 257, 1023, 1024, 2048, 2049, 32_768, 32_769, 33_793,
    ];
    let all: Vec<usize> = around.into_iter().chain(0..=66).collect();
    for &cols in sizes(&all) {
        let rows = if cols < 256 { 9 } else { 2 };
        let shape = Rows::new(rows, cols);
        let counts: Vec<u32> = random(cols as u64, rows * cols);
        let want = scanned(
            &rows_of(&counts, (rows, cols, cols)),
            0_u32,
            true,
            false,
            u32::wrapping_add,
        );
        check.gives(format!("offsets of {rows} x {cols}"), &want, |d| {
            scans::offsets::rows(shape, &d.buffer(&counts)?)?.fetch()
        });
    }
    check.finish();
}

#[test]
fn in_place_and_into_give_what_rows_gives() {
    let mut check = Check::new();
    for (rows, cols) in [(37, 20), (3, 1000), (1, 40_003)] {
        let shape = Rows::new(rows, cols);
        let x: Vec<f32> = random(1, rows * cols);
        let label = |op: &str| format!("{op} over {shape:?}");
        let Some(want) = check.same(label("rows"), Equal::Bits, |d| {
            scans::sums::rows(shape, &d.buffer(&x)?)?.fetch()
        }) else {
            continue;
        };
        check.gives(label("in place"), &want, |d| {
            let mut data = d.buffer(&x)?;
            scans::sums::rows_in_place(shape, &mut data)?;
            data.fetch()
        });
        let gaps: Vec<f32> = want
            .chunks(cols)
            .flat_map(|row| row.iter().copied().chain([7.0, 7.0, 7.0]))
            .collect();
        check.gives(label("into gaps"), &gaps, |d| {
            let mut out: Buffer<f32> = d.buffer(&vec![7.0; rows * (cols + 3)])?;
            scans::sums::rows_into(shape.out_stride(cols + 3), &d.buffer(&x)?, &mut out)?;
            out.fetch()
        });
    }
    check.finish();
}

#[test]
fn an_array_in_place_gives_what_array_gives() {
    let mut check = Check::new();
    for &n in sizes(&[0, 40_003, 1, 33, 5000, 3_000_001]) {
        let x: Vec<f32> = random(1, n);
        let sums = check.same(format!("sums of {n}"), Equal::Bits, |d| {
            scans::sums::array(&d.buffer(&x)?)?.fetch()
        });
        if let Some(want) = sums {
            check.gives(format!("sums of {n} in place"), &want, |d| {
                let mut data = d.buffer(&x)?;
                scans::sums::array_in_place(&mut data)?;
                data.fetch()
            });
        }
        let counts: Vec<u32> = (0..n as u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
        let offsets: Vec<u32> = counts
            .iter()
            .scan(0_u32, |sum, &count| {
                let before = *sum;
                *sum = sum.wrapping_add(count);
                Some(before)
            })
            .collect();
        check.gives(format!("offsets of {n} in place"), &offsets, |d| {
            let mut data = d.buffer(&counts)?;
            scans::offsets::array_in_place(&mut data)?;
            data.fetch()
        });
    }
    check.finish();
}
