//! Every wrong shape and length is a typed error with what to do, before anything runs.

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

use warpfold::{Buffer, Device, Error, Rows};
use warpfold_tests::answer::{Equal, Fetch};
use warpfold_tests::check::Check;
use warpfold_tests::data::Random;
use warpfold_tests::specs::{apply, custom, filters, scans, shuffles, table};

fn too_short(needed: u64, given: u64) -> impl Fn(&Error) -> bool {
    move |error| matches!(error, Error::TooShort { needed: n, given: g, .. } if (*n, *g) == (needed, given))
}

#[test]
fn case_19_inputs_and_outputs_that_are_too_short() {
    let mut check = Check::new();
    let x = [1.0_f32; 100];
    let shape = Rows::new(4, 20).stride(27);
    check.refused("reduce", too_short(101, 100), |d| {
        table::of_f32::sum::rows(shape, &d.buffer(&x)?)
    });
    check.refused("columns", too_short(101, 100), |d| {
        table::of_f32::sum::columns(shape, &d.buffer(&x)?)
    });
    check.refused("apply", too_short(101, 100), |d| {
        apply::softmax::rows(shape, &d.buffer(&x)?)
    });
    check.refused("scan", too_short(101, 100), |d| {
        scans::sums::rows(shape, &d.buffer(&x)?)
    });
    check.refused("filter", too_short(101, 100), |d| {
        filters::positive::rows(shape, &d.buffer(&x)?)
    });
    check.refused("shuffle", too_short(101, 100), |d| {
        shuffles::up_31_of_32::rows(shape, &d.buffer(&[1; 100])?)
    });
    check.refused("second input", too_short(80, 79), |d| {
        custom::dot::rows(Rows::new(4, 20), &d.buffer(&x)?, &d.buffer(&[1.0; 79])?)
    });
    check.refused("per column", too_short(20, 19), |d| {
        apply::rms_norm::rows(Rows::new(4, 20), &d.buffer(&x)?, &d.buffer(&[1.0; 19])?, 0.0)
    });
    check.refused("live", too_short(4, 3), |d| {
        custom::ragged::rows(Rows::new(4, 20), &d.buffer(&x)?, &d.buffer(&[1_u32; 3])?)
    });
    check.refused("output", too_short(4, 3), |d| {
        table::of_f32::sum::rows_into(Rows::new(4, 20), &d.buffer(&x)?, &mut d.zeros(3)?)
    });
    check.refused("second output", too_short(4, 3), |d| {
        table::of_f32::argmax::rows_into(
            Rows::new(4, 20),
            &d.buffer(&x)?,
            &mut d.zeros(4)?,
            &mut d.zeros(3)?,
        )
    });
    check.refused("spread output", too_short(95, 94), |d| {
        scans::sums::rows_into(Rows::new(4, 20).out_stride(25), &d.buffer(&x)?, &mut d.zeros(94)?)
    });
    check.refused("counts", too_short(4, 3), |d| {
        filters::positive::rows_into(
            Rows::new(4, 20),
            &d.buffer(&x)?,
            &mut d.zeros(80)?,
            &mut d.zeros(3)?,
        )
    });
    check.refused("array output", too_short(100, 99), |d| {
        scans::sums::array_into(&d.buffer(&x)?, &mut d.zeros(99)?)
    });
    check.refused("array result", too_short(1, 0), |d| {
        table::of_f32::sum::array_into(&d.buffer(&x)?, &mut d.zeros(0)?)
    });
    check.refused("in place", too_short(101, 100), |d| {
        scans::sums::rows_in_place(shape, &mut d.buffer(&x)?)
    });
    check.finish();
}

/// The text says so.
fn says(text: &str) -> impl Fn(&Error) -> bool {
    move |error| error.to_string().contains(text)
}

#[test]
fn what_a_filter_writes_beside_its_values_is_named() {
    let mut check = Check::new();
    let (x, shape) = ([1.0_f32; 6], Rows::new(2, 3));
    check.refused("rows_into", says("`counts` needs 2 elements and has 1"), |d| {
        filters::positive::rows_into(shape, &d.buffer(&x)?, &mut d.zeros(6)?, &mut d.zeros(1)?)
    });
    check.refused(
        "rows_into, values",
        says("the output needs 6 elements and has 5"),
        |d| filters::positive::rows_into(shape, &d.buffer(&x)?, &mut d.zeros(5)?, &mut d.zeros(2)?),
    );
    check.refused("array_into", says("`counts` needs 1 elements and has 0"), |d| {
        filters::positive::array_into(&d.buffer(&x)?, &mut d.zeros(6)?, &mut d.zeros(0)?)
    });
    check.refused("indices_into", says("`counts` needs 1 elements and has 0"), |d| {
        filters::positive::indices_into(&d.buffer(&x)?, &mut d.zeros(6)?, &mut d.zeros(0)?)
    });
    check.refused(
        "segments_into",
        says("`kept_offsets` needs 3 elements and has 2"),
        |d| {
            filters::positive::segments_into(
                &d.buffer(&[0_u32, 2, 6])?,
                &d.buffer(&x)?,
                &mut d.zeros(6)?,
                &mut d.zeros(2)?,
            )
        },
    );
    check.finish();
}

#[test]
fn an_offset_below_zero_is_told_with_its_place() {
    let negative = filters::positive::segments(&[0_i32, 1, -7, 2], &[1.0_f32; 6]);
    let text = negative.unwrap_err().to_string();
    assert!(text.contains("segment offsets have -7 at 2"), "{text}");
}

#[test]
fn a_stride_that_is_never_taken_may_be_anything() {
    let mut check = Check::new();
    let x: Vec<f32> = (0..12_u8).map(f32::from).collect();
    let long = Rows::new(1, 12).stride(usize::MAX).out_stride(usize::MAX);
    check.gives("reduce", &vec![66.0_f32], |d| {
        table::of_f32::sum::rows(long, &d.buffer(&x)?)?.fetch()
    });
    check.gives("scan", &vec![0.0_f32, 1.0, 3.0], |d| {
        let shape = Rows::new(1, 3).stride(usize::MAX).out_stride(usize::MAX);
        scans::sums::rows(shape, &d.buffer(&x)?)?.fetch()
    });
    check.gives("columns", &x.clone(), |d| {
        table::of_f32::sum::columns(Rows::new(1, 12).stride(usize::MAX), &d.buffer(&x)?)?.fetch()
    });
    check.gives("no columns", &vec![-0.0_f32; 3], |d| {
        table::of_f32::sum::rows(Rows::new(3, 0).stride(usize::MAX), &d.buffer(&[0.0_f32; 0])?)?.fetch()
    });
    check.finish();
}

#[test]
fn case_19_strides_lengths_and_products() {
    let mut check = Check::new();
    let x = [1.0_f32; 100];
    let stride = |error: &Error| matches!(error, Error::Stride { .. });
    check.refused("stride", stride, |d| {
        table::of_f32::sum::rows(Rows::new(4, 20).stride(19), &d.buffer(&x)?)
    });
    check.refused("out_stride", stride, |d| {
        scans::sums::rows(Rows::new(4, 20).out_stride(19), &d.buffer(&x)?)
    });
    check.refused("out_stride of a reduction", stride, |d| {
        table::of_f32::sum::rows(Rows::new(4, 20).out_stride(0), &d.buffer(&x)?)
    });
    check.refused(
        "lengths",
        |error| {
            matches!(
                error,
                Error::Length {
                    needed: 100,
                    given: 99,
                    ..
                }
            )
        },
        |d| custom::dot::array(&d.buffer(&x)?, &d.buffer(&[1.0; 99])?),
    );
    let overflow = |error: &Error| matches!(error, Error::Overflow { .. } | Error::TooShort { .. });
    for shape in [
        Rows::new(1 << 40, 1).stride(1 << 40),
        Rows::new(usize::MAX, usize::MAX),
        Rows::new(usize::MAX, 1),
        Rows::new(1, usize::MAX),
        Rows::new(2, 1).stride(usize::MAX),
        Rows::new(3, 1).stride(usize::MAX / 2),
    ] {
        check.refused(format!("{shape:?}, reduce"), overflow, |d| {
            table::of_f32::sum::rows(shape, &d.buffer(&x)?)
        });
        check.refused(format!("{shape:?}, scan"), overflow, |d| {
            scans::sums::rows(shape, &d.buffer(&x)?)
        });
        check.refused(format!("{shape:?}, filter"), overflow, |d| {
            filters::positive::rows(shape, &d.buffer(&x)?)
        });
        check.refused(format!("{shape:?}, columns"), overflow, |d| {
            table::of_f32::sum::columns(shape, &d.buffer(&x)?)
        });
    }
    check.finish();
}

#[test]
fn data_in_two_places() {
    let mut check = Check::new();
    if let Some(gpu) = check.gpu() {
        let cpu = Device::cpu();
        let elsewhere = |error: &Error| matches!(error, Error::OtherPlace { .. });
        check.refused("second input on the host", elsewhere, |_| {
            custom::dot::array(&gpu.buffer(&[1.0])?, &cpu.buffer(&[1.0])?)
        });
        check.refused("second input on the device", elsewhere, |_| {
            custom::dot::array(&cpu.buffer(&[1.0])?, &gpu.buffer(&[1.0])?)
        });
        check.refused("output on the host", elsewhere, |_| {
            table::of_f32::sum::rows_into(Rows::new(1, 1), &gpu.buffer(&[1.0])?, &mut cpu.zeros(1)?)
        });
        check.refused("output on the device", elsewhere, |_| {
            table::of_f32::sum::rows_into(Rows::new(1, 1), &cpu.buffer(&[1.0])?, &mut gpu.zeros(1)?)
        });
    }
    check.finish();
}

/// Shapes at random, right and wrong: an answer of the right length, or a typed error; the same on both.
#[test]
fn shapes_at_random() {
    let mut check = Check::new();
    let mut random = Random::new(1);
    let x = vec![1.0_f32; 3000];
    for round in 0..400 {
        // Few different column counts, so that few kernels are compiled.
        let cols = [0, 1, 3, 20, 33, 64, 500][random.below(7) as usize];
        let rows = random.below(60) as usize;
        let mut shape = Rows::new(rows, cols);
        if random.below(2) == 0 {
            shape = shape.stride((cols + random.below(8) as usize).saturating_sub(2));
        }
        let gap = random.below(6) as usize;
        if random.below(3) == 0 {
            shape = shape.out_stride((cols + gap).saturating_sub(1));
        }
        let n = random.below(3000) as usize;
        let part = &x[..n];
        let right = shape.input_stride() >= cols
            && (rows == 0 || cols == 0 || (rows - 1) * shape.input_stride() + cols <= n);
        let label = format!("round {round}: {shape:?} of {n}");
        let sum = check.same_text(&label, |d| {
            said(
                d.buffer(part)
                    .and_then(|x| table::of_f32::sum::rows(shape.out_stride(1 + gap), &x)?.fetch()),
            )
        });
        if let Some((answer, error)) = sum {
            check.is(
                &label,
                error.is_empty() == right,
                format!("reduce says `{error}`"),
            );
            let length = if rows == 0 { 0 } else { (rows - 1) * (1 + gap) + 1 };
            check.is(
                &label,
                !right || answer.len() == length,
                format!("{} results", answer.len()),
            );
        }
        check.same_text(&label, |d| {
            said(d.buffer(part).and_then(|x| scans::sums::rows(shape, &x)?.fetch()))
        });
        check.same_text(&label, |d| {
            said(
                d.buffer(part)
                    .and_then(|x| filters::positive::rows(shape, &x)?.0.fetch()),
            )
        });
    }
    check.finish();
}

/// An answer, or the words of its refusal, which must not depend on where a call runs. What the driver or the compiler says is no
/// refusal.
fn said<A: Default>(result: Result<A, Error>) -> Result<(A, String), Error> {
    match result {
        Ok(answer) => Ok((answer, String::new())),
        Err(error @ (Error::Driver(_) | Error::Compile { .. })) => Err(error),
        Err(error) => Ok((A::default(), error.to_string())),
    }
}

/// The other forms, their parameters too long, too short or right: the same answer or the same words on both.
#[test]
fn other_forms_at_random() {
    let mut check = Check::new();
    let mut random = Random::new(2);
    let (x, words) = (vec![1.0_f32; 3000], vec![7_i32; 3000]);
    let (mut right, mut wrong) = (0, 0);
    for round in 0..300 {
        let cols = [0, 1, 3, 20, 33, 64][random.below(6) as usize];
        let rows = random.below(40) as usize;
        let near = |random: &mut Random, n: usize| (n + random.below(4) as usize).saturating_sub(1);
        let mut shape = Rows::new(rows, cols);
        if random.below(2) == 0 {
            shape = shape.stride(near(&mut random, cols));
        }
        let needed = if rows == 0 || cols == 0 {
            0
        } else {
            (rows - 1) * shape.input_stride() + cols
        };
        let n = near(&mut random, needed).min(x.len());
        let (part, numbers) = (&x[..n], &words[..n]);
        let gamma = &x[..near(&mut random, cols)];
        let other = &x[..near(&mut random, n).min(x.len())];
        let label = |form: &str| format!("round {round}: {form}, {shape:?} of {n}");
        let mut count = |said: Option<String>| match said {
            Some(words) if words.is_empty() => right += 1,
            _ => wrong += 1,
        };
        let columns = check.same_text(label("columns"), |d| {
            said(
                d.buffer(part)
                    .and_then(|x| table::of_f32::sum::columns(shape, &x)?.fetch()),
            )
        });
        count(columns.map(|(_, words)| words));
        let applied = check.same_text(label("apply"), |d| {
            said((|| {
                apply::rms_norm::rows(shape, &d.buffer(part)?, &d.buffer(gamma)?, 0.5)?.fetch()
            })())
        });
        count(applied.map(|(_, words)| words));
        let moved = check.same_text(label("shuffle"), |d| {
            said((|| {
                shuffles::up_31_of_32::rows(shape, &d.buffer(numbers)?)?.fetch()
            })())
        });
        count(moved.map(|(_, words)| words));
        let in_place = check.same_text(label("in place"), |d| {
            let mut x = d.buffer(part)?;
            let refused = scans::sums::rows_in_place(shape, &mut x).err();
            // Whatever was wrong, what was there is there still: it is compared too.
            Ok((
                x.fetch()?,
                refused.map(|error| error.to_string()).unwrap_or_default(),
            ))
        });
        if let Some((after, words)) = &in_place {
            check.is(
                label("in place"),
                words.is_empty() || after == part,
                "something was written",
            );
        }
        count(in_place.map(|(_, words)| words));
        let dot = check.same_text(label("two inputs"), |d| {
            said((|| {
                Ok(vec![custom::dot::array(&d.buffer(part)?, &d.buffer(other)?)?])
            })())
        });
        count(dot.map(|(_, words)| words));
    }
    check.is(
        "the test itself",
        right > 300 && wrong > 300,
        format!("{right} right calls, {wrong} wrong ones"),
    );
    check.finish();
}

/// A call over segments of elements.
type Call = fn(&Buffer<i64>, &Buffer<f32>) -> Result<(), Error>;

/// Offsets that rise, fall, pass the end or begin below 0: all that are right are taken, and no others.
#[test]
fn offsets_at_random() {
    let mut check = Check::new();
    let mut random = Random::new(3);
    let x = vec![1.0_f32; 3000];
    let (mut right, mut wrong) = (0, 0);
    for round in 0..150 {
        let n = random.below(3000) as usize;
        let mut offsets: Vec<i64> = (0..=random.below(30))
            .map(|_| random.below(n as u64 + 1) as i64)
            .collect();
        offsets.sort_unstable();
        if random.below(2) == 0 {
            let at = random.below(offsets.len() as u64) as usize;
            offsets[at] =
                [-1, n as i64 + 1, 0, i64::MIN, i64::MAX, offsets[at] / 2][random.below(6) as usize];
        }
        let is_right = offsets[0] >= 0
            && offsets.windows(2).all(|pair| pair[0] <= pair[1])
            && offsets.last().is_some_and(|&end| end <= n as i64);
        if is_right {
            right += 1;
        } else {
            wrong += 1;
        }
        let label = |form: &str| format!("round {round}: {form}, {offsets:?} of {n}");
        let part = &x[..n];
        let refused = |result: Result<(), Error>| match result {
            Ok(()) => Ok((0_u32, String::new())),
            Err(Error::Offsets { .. }) => Ok((0, "offsets".to_owned())),
            Err(error) => Err(error),
        };
        let calls: [(&str, Call); 4] = [
            ("reduce", |o, x| table::of_f32::sum::segments(o, x).map(drop)),
            ("scan", |o, x| scans::sums::segments(o, x).map(drop)),
            ("apply", |o, x| apply::softmax::segments(o, x).map(drop)),
            ("filter", |o, x| filters::positive::segments(o, x).map(drop)),
        ];
        for (form, call) in calls {
            let told = check.same_text(label(form), |d| {
                refused(call(&d.buffer(&offsets)?, &d.buffer(part)?))
            });
            if let Some((_, words)) = told {
                check.is(
                    label(form),
                    words.is_empty() == is_right,
                    format!("it says `{words}`"),
                );
            }
        }
    }
    check.is(
        "the test itself",
        right > 40 && wrong > 40,
        format!("{right} right, {wrong} wrong"),
    );
    check.finish();
}

/// On an error nothing has been written.
#[test]
fn nothing_is_half_written() {
    let mut check = Check::new();
    check.gives("outputs stay", &(vec![7.0_f32; 3], vec![9_u64; 4]), |d| {
        let (mut values, mut at) = (d.buffer(&[7.0_f32; 3])?, d.buffer(&[9_u64; 4])?);
        let refused =
            table::of_f32::argmax::rows_into(Rows::new(4, 2), &d.buffer(&[1.0; 8])?, &mut values, &mut at);
        assert!(refused.is_err());
        Ok((values.fetch()?, at.fetch()?))
    });
    check.equal("the test itself", Equal::Bits, &1, &1);
    check.finish();
}
