//! Shapes: odd columns, nothing at all, very long and very many.

use warpfold::Rows;
use warpfold_tests::answer::{Equal, Fetch};
use warpfold_tests::check::{Check, many, under_sanitizer};
use warpfold_tests::data::random;
use warpfold_tests::specs::{cases, custom, filters, scans, table};

#[test]
fn case_17_odd_columns_and_views_that_start_anywhere() {
    let mut check = Check::new();
    for cols in [21, 33, 100, 513, 1000, 2049, 4095] {
        let x: Vec<f32> = random(cols as u64, 4 * cols + 3);
        for start in 0..4 {
            let part = &x[start..start + 4 * cols];
            let shape = Rows::new(4, cols);
            let want: Vec<f32> = part
                .chunks(cols)
                .map(|row| row.iter().copied().fold(f32::NEG_INFINITY, f32::max))
                .collect();
            check.gives(format!("max of {cols} on the host, from {start}"), &want, |d| {
                table::of_f32::max::rows(shape, &d.buffer(part)?)?.fetch()
            });
            let sums = table::of_f32::sum::rows(shape, part);
            let got = check.on_gpu(format!("views of {cols} from {start}"), |d| {
                let stream = d.stream().expect("a GPU has a stream");
                let all = stream.clone_htod(&x)?;
                let view = all.slice(start..start + 4 * cols);
                let top = stream.clone_dtoh(&table::of_f32::max::rows(shape, &view)?)?;
                let sum = stream.clone_dtoh(&table::of_f32::sum::rows(shape, &view)?)?;
                Ok((top, sum))
            });
            if let (Some(got), Ok(sums)) = (got, sums) {
                check.equal(
                    format!("views of {cols} from {start}"),
                    Equal::Bits,
                    &got,
                    &(want, sums),
                );
            }
        }
    }
    check.finish();
}

#[test]
fn case_18_nothing_at_all() {
    let mut check = Check::new();
    let none: [f32; 0] = [];
    let nothing = &none[..];
    check.gives("0 rows", &vec![], |d| {
        table::of_f32::sum::rows(Rows::new(0, 20), &d.buffer(nothing)?)?.fetch()
    });
    check.gives("0 columns", &vec![-0.0; 5], |d| {
        table::of_f32::sum::rows(Rows::new(5, 0), &d.buffer(nothing)?)?.fetch()
    });
    check.gives("max of 0 columns", &vec![f32::NEG_INFINITY; 5], |d| {
        table::of_f32::max::rows(Rows::new(5, 0), &d.buffer(nothing)?)?.fetch()
    });
    check.gives(
        "argmax of 0 columns",
        &(vec![f32::NEG_INFINITY; 2], vec![u64::MAX; 2]),
        |d| table::of_f32::argmax::rows(Rows::new(2, 0), &d.buffer(nothing)?)?.fetch(),
    );
    check.gives("first of 0 columns", &vec![0.0; 2], |d| {
        table::of_f32::first::rows(Rows::new(2, 0), &d.buffer(nothing)?)?.fetch()
    });
    check.gives("init of 0 columns", &vec![1.0; 2], |d| {
        cases::ones_from_one::rows(Rows::new(2, 0), &d.buffer(nothing)?)?.fetch()
    });
    check.gives("sum of no array", &-0.0, |d| {
        table::of_f32::sum::array(&d.buffer(nothing)?)
    });
    check.gives("init of no array", &1.0, |d| {
        cases::ones_from_one::array(&d.buffer(nothing)?)
    });
    check.gives("any of no array", &false, |d| {
        table::any::array(&d.buffer(nothing)?)
    });
    check.gives("all of no array", &true, |d| {
        table::all::array(&d.buffer(nothing)?)
    });
    check.gives("count of no array", &0, |d| {
        table::count::array(&d.buffer(nothing)?)
    });
    check.gives("scan of no array", &vec![], |d| {
        scans::sums::array(&d.buffer(nothing)?)?.fetch()
    });
    check.gives("scan of 0 rows", &vec![], |d| {
        scans::sums::rows(Rows::new(0, 9), &d.buffer(nothing)?)?.fetch()
    });
    check.gives("scan of 0 columns", &vec![], |d| {
        scans::sums::rows(Rows::new(9, 0), &d.buffer(nothing)?)?.fetch()
    });
    check.gives("filter of no array", &vec![], |d| {
        filters::positive::array(&d.buffer(nothing)?)?.fetch()
    });
    check.gives("indices of no array", &vec![], |d| {
        filters::positive::indices(&d.buffer(nothing)?)?.fetch()
    });
    check.gives("filter of 0 columns", &(vec![], vec![0, 0]), |d| {
        let (kept, counts) = filters::positive::rows(Rows::new(2, 0), &d.buffer(nothing)?)?;
        Ok((kept.fetch()?, counts.fetch()?))
    });
    check.gives("down 0 rows", &vec![-0.0; 3], |d| {
        table::of_f32::sum::columns(Rows::new(0, 3), &d.buffer(nothing)?)?.fetch()
    });
    check.finish();
}

/// Past 2^31 bytes, on the GPU alone: the host would take too long.
#[test]
fn case_22_more_than_two_gigabytes() {
    let mut check = Check::new();
    // Beside the 2 GiB of input the tools keep as much for themselves.
    let n = if under_sanitizer() {
        (1_usize << 20) + 5
    } else {
        (1 << 31) + 5
    };
    let got = check.on_gpu("2^31 + 5 bytes", |d| {
        let stream = d.stream().expect("a GPU has a stream");
        let mut x = stream.alloc_zeros::<u8>(n)?;
        // The last bytes alone are not zero: an index that wraps misses them.
        let ends = [3_u8, 5, 7, 9, 11];
        stream.memcpy_htod(&ends, &mut x.slice_mut(n - 5..))?;
        let sum = custom::sum_of_bytes::array(&x)?;
        let kept = filters::odd_bytes::array(&x)?;
        let at = filters::odd_bytes::indices(&x)?;
        Ok((sum, stream.clone_dtoh(&kept)?, stream.clone_dtoh(&at)?))
    });
    if let Some(got) = got {
        let at: Vec<u64> = (n as u64 - 5..n as u64).collect();
        check.equal(
            "2^31 + 5 bytes",
            Equal::Bits,
            &got,
            &(35, vec![3, 5, 7, 9, 11], at),
        );
    }
    let rows = check.on_gpu("2^31 bytes as rows", |d| {
        let stream = d.stream().expect("a GPU has a stream");
        let mut x = stream.alloc_zeros::<u8>(n)?;
        stream.memcpy_htod(&[1_u8], &mut x.slice_mut(n - 1..))?;
        let tall = custom::sum_of_bytes::rows(Rows::new(n / 23, 23), &x)?;
        let one = custom::sum_of_bytes::rows(Rows::new(1, n), &x)?;
        Ok((stream.clone_dtoh(&one)?, tall.len()))
    });
    if let Some(got) = rows {
        check.equal("2^31 bytes as rows", Equal::Bits, &got, &(vec![1], n / 23));
    }
    check.finish();
}

#[test]
fn case_30_one_very_long_row_and_very_many_short_ones() {
    let mut check = Check::new();
    let rows = many(3_000_000);
    for (rows, cols) in [(1, many(1_000_003)), (rows, 1), (rows / 3, 2)] {
        let x: Vec<u32> = random(1, rows * cols);
        let shape = Rows::new(rows, cols);
        let want: Vec<u32> = x
            .chunks(cols)
            .map(|row| row.iter().fold(0, |a: u32, &b| a.wrapping_add(b)))
            .collect();
        check.gives(format!("sum over {shape:?}"), &want, |d| {
            table::of_u32::sum::rows(shape, &d.buffer(&x)?)?.fetch()
        });
        check.same(format!("scan over {shape:?}"), Equal::Bits, |d| {
            table::of_u32::running_sum::rows(shape, &d.buffer(&x)?)?.fetch()
        });
    }
    check.finish();
}
