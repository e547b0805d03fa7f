//! The same bits from every grid: a device that is planned for few of its multiprocessors starts fewer blocks, each of which
//! takes more of the work, and other kernels where few blocks do better. Every form, over sizes that choose among those.

#![allow(
    clippy::cast_possible_truncation,
    reason = "positions in arrays of these sizes fit 32 bits"
)]

use cudarc::driver::sys::CUdevice_attribute;
use warpfold::{Device, Error, Rows};
use warpfold_tests::answer::{Answer, Equal, Fetch};
use warpfold_tests::check::{Check, many, sizes, under_sanitizer};
use warpfold_tests::data::random;
use warpfold_tests::specs::{apply, custom, filters, scans, shuffles, table};

/// Multiprocessors that devices are planned for, where the GPU has as many; all of them come first.
const PLANNED: [usize; 4] = [33, 7, 2, 1];

/// As many as the first GPU has.
fn all(device: &Device) -> Result<usize, Error> {
    let stream = device.stream().expect("a GPU has a stream");
    let count = stream
        .context()
        .attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
    Ok(usize::try_from(count).expect("a count"))
}

/// The call must answer the same, whatever its device is planned for.
fn planned<A: Answer>(check: &mut Check, label: &str, call: impl Fn(&Device) -> Result<A, Error>) {
    let Some(want) = check.same(label, Equal::Bits, &call) else {
        return;
    };
    for &count in sizes(&PLANNED) {
        let label = format!("{label}, planned for {count}");
        let got = check.on_gpu(&label, |device| {
            if count > all(device)? {
                return Ok(None);
            }
            // A stream of its own: the others are to have all.
            call(&Device::gpu(0)?.with_multiprocessors(count)?).map(Some)
        });
        if let Some(Some(got)) = got {
            check.equal(label, Equal::Bits, &got, &want);
        }
    }
}

/// Lengths of arrays: some blocks, as many as run at once and more.
fn lengths() -> [usize; 2] {
    [many(200_003), many(5_000_003)]
}

#[test]
fn arrays_reduced() {
    let mut check = Check::new();
    for n in lengths() {
        let x: Vec<f32> = random(n as u64, n);
        planned(&mut check, &format!("sum of {n}"), |d| {
            table::of_f32::sum::array(&d.buffer(&x)?)
        });
        planned(&mut check, &format!("sum in order of {n}"), |d| {
            custom::sum_in_order::array(&d.buffer(&x)?)
        });
    }
    check.finish();
}

#[test]
fn arrays_scanned() {
    let mut check = Check::new();
    for n in lengths() {
        let x: Vec<f32> = random(n as u64, n);
        planned(&mut check, &format!("running sum of {n}"), |d| {
            scans::sums::array(&d.buffer(&x)?)?.fetch()
        });
    }
    check.finish();
}

#[test]
fn arrays_filtered() {
    let mut check = Check::new();
    for n in lengths() {
        let x: Vec<f32> = random(n as u64, n);
        planned(&mut check, &format!("kept of {n}"), |d| {
            filters::positive::array(&d.buffer(&x)?)?.fetch()
        });
    }
    let x: Vec<f32> = random(3, many(200_003));
    planned(&mut check, "indices", |d| {
        filters::positive::indices(&d.buffer(&x)?)?.fetch()
    });
    check.finish();
}

#[test]
fn rows_reduced() {
    let mut check = Check::new();
    for &(rows, cols) in sizes(&[(3, 300_007), (40, 20_000), (300, 3000), (70_000, 21), (5000, 100)]) {
        let shape = Rows::new(rows, cols);
        let x: Vec<f32> = random(cols as u64, rows * cols);
        planned(&mut check, &format!("sums of {rows} rows of {cols}"), |d| {
            table::of_f32::sum::rows(shape, &d.buffer(&x)?)?.fetch()
        });
    }
    check.finish();
}

#[test]
fn rows_scanned() {
    let mut check = Check::new();
    for &(rows, cols) in sizes(&[(3, 300_007), (300, 3000), (70_000, 21), (5000, 100)]) {
        let shape = Rows::new(rows, cols);
        let x: Vec<f32> = random(cols as u64, rows * cols);
        planned(
            &mut check,
            &format!("running sums of {rows} rows of {cols}"),
            |d| scans::sums::rows(shape, &d.buffer(&x)?)?.fetch(),
        );
    }
    check.finish();
}

#[test]
fn rows_applied() {
    let mut check = Check::new();
    for &(rows, cols) in sizes(&[(17, 65_536), (3, 300_007), (300, 3000), (5000, 100)]) {
        let shape = Rows::new(rows, cols);
        let x: Vec<f32> = random(cols as u64, rows * cols);
        planned(&mut check, &format!("{rows} rows of {cols} normalised"), |d| {
            apply::l2_normalise::rows(shape, &d.buffer(&x)?)?.fetch()
        });
    }
    check.finish();
}

#[test]
fn rows_filtered_and_exchanged() {
    let mut check = Check::new();
    let shape = Rows::new(3000, 100);
    let x: Vec<f32> = random(1, 3000 * 100);
    planned(&mut check, "kept of rows", |d| {
        let (kept, counts) = filters::positive::rows(shape, &d.buffer(&x)?)?;
        Ok((kept.fetch()?, counts.fetch()?))
    });
    planned(&mut check, "neighbours", |d| {
        shuffles::neighbour::rows(shape, &d.buffer(&x)?)?.fetch()
    });
    check.finish();
}

#[test]
fn columns() {
    let mut check = Check::new();
    for &(rows, cols) in sizes(&[(20_000, 37), (300, 3000)]) {
        let shape = Rows::new(rows, cols);
        let x: Vec<f32> = random(cols as u64, rows * cols);
        planned(&mut check, &format!("sums of {cols} columns of {rows}"), |d| {
            table::of_f32::sum::columns(shape, &d.buffer(&x)?)?.fetch()
        });
        planned(
            &mut check,
            &format!("running sums of {cols} columns of {rows}"),
            |d| scans::sums::columns(shape, &d.buffer(&x)?)?.fetch(),
        );
    }
    check.finish();
}

/// Offsets of segments of a few elements, of none, of a thousand or so, and one of all the rest.
fn uneven(n: usize) -> Vec<u32> {
    let mut offsets: Vec<u32> = (0..2000).map(|i| i * 7 / 2).collect();
    offsets.extend((0..40).map(|i| 7000 + i * 1001));
    offsets.push(n as u32);
    offsets
}

#[test]
fn segments() {
    let mut check = Check::new();
    let n = many(600_011);
    let x: Vec<f32> = random(5, n);
    let offsets = uneven(n);
    planned(&mut check, "sums", |d| {
        table::of_f32::sum::segments(&d.buffer(&offsets)?, &d.buffer(&x)?)?.fetch()
    });
    planned(&mut check, "running sums", |d| {
        scans::sums::segments(&d.buffer(&offsets)?, &d.buffer(&x)?)?.fetch()
    });
    planned(&mut check, "normalised", |d| {
        apply::l2_normalise::segments(&d.buffer(&offsets)?, &d.buffer(&x)?)?.fetch()
    });
    planned(&mut check, "kept", |d| {
        let (kept, offsets) = filters::positive::segments(&d.buffer(&offsets)?, &d.buffer(&x)?)?;
        Ok((kept.fetch()?, offsets.fetch()?))
    });
    check.finish();
}

/// Offsets of segments of which one block has most to itself, where blocks are few: such as fill tiles and packs, odd ones,
/// short ones between them and one that is longer.
fn long() -> Vec<u32> {
    let lengths = [
        40_000, 32_768, 65_537, 100_000, 20_003, 131_072, 7, 5000, 140_001, 98_304,
    ];
    let ends = (0..30).scan(0, |end, i| {
        *end += lengths[i * 7 % lengths.len()];
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

#[test]
fn long_segments() {
    if under_sanitizer() {
        return;
    }
    let mut check = Check::new();
    let offsets = long();
    let n = offsets[offsets.len() - 1] as usize;
    let (x, y): (Vec<f32>, Vec<u32>) = (random(6, n), random(7, n));
    planned(&mut check, "running sums", |d| {
        scans::sums::segments(&d.buffer(&offsets)?, &d.buffer(&x)?)?.fetch()
    });
    planned(&mut check, "running sums from the end", |d| {
        scans::sums_back::segments(&d.buffer(&offsets)?, &d.buffer(&x)?)?.fetch()
    });
    planned(&mut check, "offsets", |d| {
        scans::offsets::segments(&d.buffer(&offsets)?, &d.buffer(&y)?)?.fetch()
    });
    planned(&mut check, "recurrence", |d| {
        scans::recurrence_exact::segments(&d.buffer(&offsets)?, &d.buffer(&y)?, &d.buffer(&y)?)?.fetch()
    });
    // Few of them, and so one that many blocks share, which starts between two packs; of narrow elements too, and in place.
    let giant: Vec<u32> = [1, 6, 9000, 9003, 30_002, 30_102]
        .into_iter()
        .chain([n as u32])
        .collect();
    let z: Vec<i16> = random(8, n);
    planned(&mut check, "running sums of a giant", |d| {
        scans::sums::segments(&d.buffer(&giant)?, &d.buffer(&x)?)?.fetch()
    });
    planned(&mut check, "running sums of a giant from the end", |d| {
        scans::sums_back::segments(&d.buffer(&giant)?, &d.buffer(&x)?)?.fetch()
    });
    planned(&mut check, "narrow running sums of a giant", |d| {
        table::of_i16::running_sum::segments(&d.buffer(&giant)?, &d.buffer(&z)?)?.fetch()
    });
    check.finish();
}

/// What no device can be planned for is refused, and leaves the device as it was.
#[test]
fn numbers_that_no_device_has() {
    let mut check = Check::new();
    check.refused(
        "none",
        |error| matches!(error, Error::Multiprocessors { given: 0, .. }),
        |device| device.clone().with_multiprocessors(0),
    );
    let refused = check.on_gpu("one too many", |device| {
        let most = all(device)?;
        let error = device.clone().with_multiprocessors(most + 1);
        let right = matches!(
            error,
            Err(Error::Multiprocessors { given, most: named }) if given == most + 1 && named == most as u64
        );
        Ok((right, device.clone().with_multiprocessors(most).is_ok()))
    });
    if let Some(refused) = refused {
        check.equal("one too many", Equal::Bits, &refused, &(true, true));
    }
    check.finish();
}
