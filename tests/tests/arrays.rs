//! Whole arrays and segments: reductions, scans and filters of every length.

#![allow(
    clippy::cast_lossless,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::float_cmp,
    clippy::many_single_char_names,
    clippy::too_many_lines,
    clippy::type_complexity,
    reason = "tests compute what is wanted another way, with numbers of every type side by side"
)]

use warpfold::{Device, Error};
use warpfold_tests::answer::{Equal, Fetch};
use warpfold_tests::check::{Check, under_sanitizer};
use warpfold_tests::data::{Random, random, whole};
use warpfold_tests::specs::{apply, custom, filters, scans, table};

/// Lengths one by one, around tiles and spans, and long ones of odd length.
fn lengths() -> Vec<usize> {
    if under_sanitizer() {
        return vec![0, 33, 4097];
    }
    let around = [
        64, 65, 127, 128, 129, 1023, 1024, 1025, 2048, 2049, 4095, 4096, 4097, 8191, 8192, 8193, 32_767,
        32_768, 32_769, 65_537, 262_143, 1_000_003,
    ];
    (0..=9).chain([15, 16, 17, 31, 32, 33]).chain(around).collect()
}

#[test]
fn reductions() {
    let mut check = Check::new();
    for n in lengths() {
        let label = |op: &str| format!("{op} of {n}");
        let x = whole(n as u64, n, 8);
        let rounded: Vec<f32> = random(1, n);
        let (a, b): (Vec<u32>, Vec<u32>) = (random(2, n), random(3, n));
        check.gives(label("sum"), &x.iter().fold(-0.0, |a, b| a + b), |d| {
            table::of_f32::sum::array(&d.buffer(&x)?)
        });
        check.same(label("sum, rounded"), Equal::Bits, |d| {
            table::of_f32::sum::array(&d.buffer(&rounded)?)
        });
        check.same(label("sum_in_order, rounded"), Equal::Bits, |d| {
            custom::sum_in_order::array(&d.buffer(&rounded)?)
        });
        let want = a.iter().zip(&b).fold((1_u32, 0_u32), |s, (&a, &b)| {
            (s.0.wrapping_mul(a), a.wrapping_mul(s.1).wrapping_add(b))
        });
        check.gives(label("affine"), &want, |d| {
            table::of_u32::affine::array(&d.buffer(&a)?, &d.buffer(&b)?)
        });
        let best = (0..n).fold((f32::NEG_INFINITY, u64::MAX), |best, i| {
            if x[i] > best.0 { (x[i], i as u64) } else { best }
        });
        check.gives(label("argmax"), &best, |d| {
            table::of_f32::argmax::array(&d.buffer(&x)?)
        });
        check.gives(
            label("count"),
            &(x.iter().filter(|&&x| x > 0.0).count() as u64),
            |d| table::count::array(&d.buffer(&x)?),
        );
    }
    check.finish();
}

/// The result stays on the device, one array a field.
#[test]
fn reductions_into() {
    let mut check = Check::new();
    let x = whole(1, 50_001, 8);
    let at = (0..x.len())
        .rev()
        .max_by(|&a, &b| x[a].total_cmp(&x[b]))
        .unwrap_or(0);
    check.gives("argmax", &(vec![x[at]], vec![at as u64]), |d| {
        let (mut value, mut index) = (d.zeros::<f32>(1)?, d.zeros::<u64>(1)?);
        table::of_f32::argmax::array_into(&d.buffer(&x)?, &mut value, &mut index)?;
        Ok((value.fetch()?, index.fetch()?))
    });
    check.finish();
}

#[test]
fn scans_keep_the_length() {
    let mut check = Check::new();
    for n in lengths() {
        let label = |op: &str| format!("{op} of {n}");
        let counts: Vec<u32> = random(1, n);
        let rounded: Vec<f32> = random(2, n);
        let (a, b): (Vec<u32>, Vec<u32>) = (random(3, n), random(4, n));
        let mut sum = 0_u32;
        let mut want = Vec::new();
        for &x in &counts {
            want.push(sum);
            sum = sum.wrapping_add(x);
        }
        check.gives(label("offsets"), &want, |d| {
            scans::offsets::array(&d.buffer(&counts)?)?.fetch()
        });
        let mut sum = 0_u32;
        let mut want: Vec<u32> = Vec::new();
        for &x in counts.iter().rev() {
            want.push(sum);
            sum = sum.wrapping_add(x);
        }
        want.reverse();
        check.gives(label("offsets_back"), &want, |d| {
            scans::offsets_back::array(&d.buffer(&counts)?)?.fetch()
        });
        let mut h = 0_u32;
        let want: Vec<u32> = a
            .iter()
            .zip(&b)
            .map(|(&a, &b)| {
                h = a.wrapping_mul(h).wrapping_add(b);
                h
            })
            .collect();
        check.gives(label("recurrence_exact"), &want, |d| {
            scans::recurrence_exact::array(&d.buffer(&a)?, &d.buffer(&b)?)?.fetch()
        });
        check.same(label("sums, rounded"), Equal::Bits, |d| {
            scans::sums::array(&d.buffer(&rounded)?)?.fetch()
        });
        check.same(label("sums_back, rounded"), Equal::Bits, |d| {
            scans::sums_back::array(&d.buffer(&rounded)?)?.fetch()
        });
    }
    check.finish();
}

/// Whether element `i` of `n` is kept.
type Keeps = fn(usize, usize) -> bool;

#[test]
fn filters_keep_the_order() {
    let mut check = Check::new();
    // None, all, every second, only the last, about half.
    let patterns: [(&str, Keeps); 5] = [
        ("none", |_, _| false),
        ("all", |_, _| true),
        ("second", |i, _| i % 2 == 1),
        ("last", |i, n| i + 1 == n),
        ("half", |i, _| i.wrapping_mul(2_654_435_761) >> 7 & 1 == 1),
    ];
    for n in lengths() {
        for (name, keeps) in patterns {
            let label = |op: &str| format!("{op} of {n} keeping {name}");
            let x: Vec<f32> = (0..n)
                .map(|i| if keeps(i, n) { i as f32 + 1.0 } else { -1.0 })
                .collect();
            let want: Vec<f32> = x.iter().copied().filter(|&x| x > 0.0).collect();
            let at: Vec<u64> = (0..n).filter(|&i| keeps(i, n)).map(|i| i as u64).collect();
            check.gives(label("positive"), &want, |d| {
                filters::positive::array(&d.buffer(&x)?)?.fetch()
            });
            check.gives(label("indices"), &at, |d| {
                filters::positive::indices(&d.buffer(&x)?)?.fetch()
            });
        }
        let whole = whole(n as u64, n, 6);
        let want: (Vec<f32>, Vec<u32>) = (0..n)
            .filter(|&i| whole[i] >= 2.0)
            .map(|i| (whole[i] * whole[i], i as u32))
            .unzip();
        check.gives(format!("squares of {n}"), &want, |d| {
            filters::squares::array(&d.buffer(&whole)?, 2.0)?.fetch()
        });
        check.gives(
            format!("squares into, of {n}"),
            &(want.0.clone(), want.1.clone(), vec![want.0.len() as u64]),
            |d| {
                let (mut first, mut second, mut count) =
                    (d.zeros::<f32>(n)?, d.zeros::<u32>(n)?, d.zeros::<u64>(1)?);
                filters::squares::array_into(&d.buffer(&whole)?, 2.0, &mut first, &mut second, &mut count)?;
                let kept = count.fetch()?[0] as usize;
                let (first, second) = (first.fetch()?, second.fetch()?);
                Ok((
                    first[..kept.min(n)].to_vec(),
                    second[..kept.min(n)].to_vec(),
                    count.fetch()?,
                ))
            },
        );
        let bytes: Vec<u8> = random(n as u64, n);
        let want: Vec<u8> = bytes.iter().copied().filter(|x| x & 1 == 1).collect();
        check.gives(format!("odd_bytes of {n}"), &want, |d| {
            filters::odd_bytes::array(&d.buffer(&bytes)?)?.fetch()
        });
    }
    check.finish();
}

/// Offsets of segments: all empty, none, empty first and last, ones of every length, one long.
fn offsets() -> Vec<Vec<u32>> {
    let mut noise = Random::new(3);
    let mut mixed = vec![0];
    for i in 0..400 {
        let length = match i % 5 {
            0 => 0,
            1 => 1,
            2 => noise.below(40) as u32,
            3 => noise.below(300) as u32,
            _ => noise.below(8) as u32,
        };
        mixed.push(mixed[i] + length);
    }
    let mut long = vec![0, 0, 70_003, 70_003, 70_010];
    long.push(70_010);
    vec![
        vec![],
        vec![0],
        vec![0, 0, 0, 0],
        vec![0, 0, 5, 37, 37],
        // Some tiles each, with packs and without.
        vec![0, 1500, 3601, 7201, 7202, 11_302],
        mixed,
        long,
    ]
}

type Sum = fn(&Device, &[u32], &[f32]) -> Result<Vec<f32>, Error>;

#[test]
fn segments_are_rows_of_their_own_length() {
    let mut check = Check::new();
    for offsets in offsets() {
        let n = offsets.last().copied().unwrap_or(0) as usize;
        let label = |op: &str| format!("{op} over {} segments of {n}", offsets.len().saturating_sub(1));
        let x = whole(1, n, 8);
        let segment = |pair: &[u32]| &x[pair[0] as usize..pair[1] as usize];
        let want: Vec<f32> = offsets
            .windows(2)
            .map(|pair| segment(pair).iter().fold(-0.0, |a, b| a + b))
            .collect();
        let sums: [(&str, Sum); 2] = [
            ("sum", |d, o, x| {
                table::of_f32::sum::segments(&d.buffer(o)?, &d.buffer(x)?)?.fetch()
            }),
            ("sum_in_order", |d, o, x| {
                custom::sum_in_order::segments(&d.buffer(o)?, &d.buffer(x)?)?.fetch()
            }),
        ];
        let rounded: Vec<f32> = random(2, n);
        for (name, sum) in sums {
            check.gives(label(name), &want, |d| sum(d, &offsets, &x));
            check.same(label(&format!("{name}, rounded")), Equal::Bits, |d| {
                sum(d, &offsets, &rounded)
            });
        }
        let best = |pair: &[u32]| {
            let part = segment(pair);
            (0..part.len()).fold((f32::NEG_INFINITY, u64::MAX), |best, i| {
                if part[i] > best.0 {
                    (part[i], i as u64)
                } else {
                    best
                }
            })
        };
        let want: (Vec<f32>, Vec<u64>) = offsets.windows(2).map(best).unzip();
        check.gives(label("argmax"), &want, |d| {
            table::of_f32::argmax::segments(&d.buffer(&offsets)?, &d.buffer(&x)?)?.fetch()
        });
        let counts: Vec<u32> = random(3, n);
        let mut want = Vec::new();
        for pair in offsets.windows(2) {
            let mut sum = 0_u32;
            for &x in &counts[pair[0] as usize..pair[1] as usize] {
                want.push(sum);
                sum = sum.wrapping_add(x);
            }
        }
        check.gives(label("offsets"), &want, |d| {
            scans::offsets::segments(&d.buffer(&offsets)?, &d.buffer(&counts)?)?.fetch()
        });
    }
    check.finish();
}

/// A segment's state goes back to its elements, with parameters of a value a segment; other scans and structs alike.
#[test]
fn segments_with_apply_scans_and_outputs_of_the_callers() {
    let mut check = Check::new();
    for offsets in offsets() {
        let n = offsets.last().copied().unwrap_or(0) as usize;
        let label = |op: &str| format!("{op} over {} segments of {n}", offsets.len().saturating_sub(1));
        let part = |pair: &[u32]| pair[0] as usize..pair[1] as usize;
        let x: Vec<i32> = random(1, n);
        let mut want = Vec::new();
        for pair in offsets.windows(2) {
            let top = x[part(pair)].iter().copied().max().unwrap_or(i32::MIN);
            want.extend(x[part(pair)].iter().map(|x| top.wrapping_sub(*x)));
        }
        check.gives(label("below_top"), &want, |d| {
            apply::below_top::segments(&d.buffer(&offsets)?, &d.buffer(&x)?)?.fetch()
        });
        let (y, gamma): (Vec<f32>, Vec<f32>) = (random(2, n), vec![0.5; n]);
        check.same(label("rms_norm"), Equal::Bits, |d| {
            apply::rms_norm::segments(&d.buffer(&offsets)?, &d.buffer(&y)?, &d.buffer(&gamma)?, 0.5)?.fetch()
        });
        let (a, b): (Vec<u32>, Vec<u32>) = (random(3, n), random(4, n));
        let mut want = Vec::new();
        for pair in offsets.windows(2) {
            let mut h = 0_u32;
            for i in part(pair) {
                h = a[i].wrapping_mul(h).wrapping_add(b[i]);
                want.push(h);
            }
        }
        check.gives(label("recurrence_exact, into"), &want, |d| {
            let mut out = d.zeros::<u32>(n)?;
            let (a, b) = (d.buffer(&a)?, d.buffer(&b)?);
            scans::recurrence_exact::segments_into(&d.buffer(&offsets)?, &a, &b, &mut out)?;
            out.fetch()
        });
        let counts: Vec<u32> = random(5, n);
        let mut want = Vec::new();
        for pair in offsets.windows(2) {
            let mut sum = 0_u32;
            let mut back = Vec::new();
            for &x in counts[part(pair)].iter().rev() {
                back.push(sum);
                sum = sum.wrapping_add(x);
            }
            back.reverse();
            want.extend(back);
        }
        check.gives(label("offsets_back"), &want, |d| {
            scans::offsets_back::segments(&d.buffer(&offsets)?, &d.buffer(&counts)?)?.fetch()
        });
        let ones = vec![1_i32; n];
        let want: Vec<i32> = offsets
            .windows(2)
            .map(|pair| 1 + part(pair).len() as i32)
            .collect();
        check.gives(label("sum_from_one, into"), &want, |d| {
            let mut out = d.zeros::<i32>(want.len())?;
            custom::sum_from_one::segments_into(&d.buffer(&offsets)?, &d.buffer(&ones)?, &mut out)?;
            out.fetch()
        });
    }
    check.finish();
}

#[test]
fn offsets_that_lie_are_refused() {
    let mut check = Check::new();
    let x = [1.0_f32; 10];
    for (name, offsets) in [
        ("fall", vec![0_i64, 5, 4]),
        ("past the end", vec![0, 11]),
        ("negative", vec![-1, 3]),
    ] {
        let lie = |e: &Error| matches!(e, Error::Offsets { .. });
        check.refused(name, lie, |d| {
            table::of_f32::sum::segments(&d.buffer(&offsets)?, &d.buffer(&x)?)
        });
        check.refused(format!("{name}, scan"), lie, |d| {
            scans::sums::segments(&d.buffer(&offsets)?, &d.buffer(&x)?)
        });
        check.refused(format!("{name}, checked alone"), lie, |d| {
            warpfold::check_offsets::<table::of_f32::sum>(&d.buffer(&offsets)?, x.len())
        });
    }
    check.gives("right ones, checked alone", &1.0, |d| {
        let offsets = d.buffer(&[0_u32, 3, 3, 10])?;
        warpfold::check_offsets::<table::of_f32::sum>(&offsets, x.len())?;
        Ok(1.0_f32)
    });
    check.finish();
}

/// Nobody looks at offsets on a GPU before a call that only enqueues: whatever they are, nothing outside the arrays is touched.
#[test]
fn offsets_that_nobody_checked_do_no_harm() {
    const GUARD: usize = 1024;
    let mut check = Check::new();
    let n = 300_000_usize;
    let x = vec![1.0_f32; n];
    let long = n as i64;
    // Segments that overlap: far more long ones than there are elements for.
    let overlapping: Vec<i64> = (0..2001)
        .map(|i| if i % 2 == 0 { i % 7 } else { long - i % 5 })
        .collect();
    let wild: Vec<i64> = random::<i64>(9, 2001);
    for (name, offsets) in [
        ("overlapping", overlapping),
        ("wild", wild),
        ("past the end", vec![0, long + 5]),
    ] {
        let segments = offsets.len() - 1;
        let got = check.on_gpu(name, |d| {
            let stream = d.stream().expect("a GPU has a stream");
            let guarded = |len: usize| vec![7.0_f32; len + 2 * GUARD];
            let (offsets, x) = (stream.clone_htod(&offsets)?, stream.clone_htod(&x)?);
            let mut sums = stream.clone_htod(&guarded(segments))?;
            let mut scan = stream.clone_htod(&guarded(n))?;
            let mut applied = stream.clone_htod(&guarded(n))?;
            let mut kept = stream.clone_htod(&guarded(n))?;
            let mut starts = stream.alloc_zeros::<i64>(segments + 1)?;
            table::of_f32::sum::segments_into(&offsets, &x, &mut sums.slice_mut(GUARD..GUARD + segments))?;
            scans::sums::segments_into(&offsets, &x, &mut scan.slice_mut(GUARD..GUARD + n))?;
            apply::softmax::segments_into(&offsets, &x, &mut applied.slice_mut(GUARD..GUARD + n))?;
            filters::positive::segments_into(
                &offsets,
                &x,
                &mut kept.slice_mut(GUARD..GUARD + n),
                &mut starts,
            )?;
            let mut outside = Vec::new();
            for (array, len) in [(sums, segments), (scan, n), (applied, n), (kept, n)] {
                let array = stream.clone_dtoh(&array)?;
                outside.extend_from_slice(&array[..GUARD]);
                outside.extend_from_slice(&array[GUARD + len..]);
            }
            Ok(outside)
        });
        if let Some(outside) = got {
            check.is(
                name,
                outside.iter().all(|&it| it == 7.0),
                "something was written outside",
            );
        }
    }
    check.finish();
}
