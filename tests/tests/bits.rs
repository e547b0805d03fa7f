//! The same bits, whatever stands around: pointers, strides, streams, threads, repeats.

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

use std::sync::Barrier;

use cudarc::driver::sys::CUdevice_attribute;
use cudarc::driver::{LaunchConfig, PushKernelArg};
use half::f16;
use warpfold::{Device, Error, Rows};
use warpfold_tests::answer::{Equal, Fetch};
use warpfold_tests::check::{Check, sizes, under_sanitizer};
use warpfold_tests::data::{Sample, random};
use warpfold_tests::own_cuda::Module;
use warpfold_tests::specs::{apply, custom, filters, scans, table};

/// A row's bits do not depend on the stride, nor on the rows beside it.
#[test]
fn strides_and_neighbours() {
    let mut check = Check::new();
    for &cols in sizes(&[33, 1000, 7, 20, 64, 65, 100, 513, 1024, 2049, 4099]) {
        let row: Vec<f32> = random(cols as u64, cols);
        let Some(want) = check.same(format!("alone, {cols}"), Equal::Bits, |d| {
            let data = d.buffer(&row)?;
            let shape = Rows::new(1, cols);
            Ok((
                table::of_f32::sum::rows(shape, &data)?.fetch()?[0],
                custom::sum_in_order::rows(shape, &data)?.fetch()?[0],
                scans::sums::rows(shape, &data)?.fetch()?[cols - 1],
                apply::rms_norm::rows(shape, &data, &d.buffer(&vec![1.0; cols])?, 0.0)?.fetch()?[cols / 2],
            ))
        }) else {
            continue;
        };
        for (rows, stride) in [
            (1, cols + 1),
            (3, cols),
            (3, cols + 1),
            (5, cols + 2),
            (200, cols + 3),
            (2, cols + 32),
            (1000, cols),
        ] {
            let mut x: Vec<f32> = random(9, rows * stride);
            for r in 0..rows {
                x[r * stride..][..cols].copy_from_slice(&row);
            }
            let shape = Rows::new(rows, cols).stride(stride);
            let label = format!("{shape:?}");
            let all = (
                vec![want.0; rows],
                vec![want.1; rows],
                vec![want.2; rows],
                vec![want.3; rows],
            );
            check.gives(label, &all, |d| {
                let data = d.buffer(&x)?;
                let every = |x: Vec<f32>, at: usize| x.chunks(cols).map(|row| row[at]).collect::<Vec<f32>>();
                Ok((
                    table::of_f32::sum::rows(shape, &data)?.fetch()?,
                    custom::sum_in_order::rows(shape, &data)?.fetch()?,
                    every(scans::sums::rows(shape, &data)?.fetch()?, cols - 1),
                    every(
                        apply::rms_norm::rows(shape, &data, &d.buffer(&vec![1.0; cols])?, 0.0)?.fetch()?,
                        cols / 2,
                    ),
                ))
            });
        }
    }
    check.finish();
}

/// Offsets of three segments, the last a long one.
fn thirds(n: usize) -> Vec<u32> {
    [0, n / 7, n / 3, n].map(|at| at as u32).to_vec()
}

/// Five rows of what there is.
const fn five_rows(n: usize) -> Rows {
    Rows::new(5, n / 5)
}

/// Every offset of 0 to 15 bytes that the type allows, of input and output.
#[test]
fn pointers_at_every_offset() {
    fn offsets<T: Sample + warpfold::Element>(
        check: &mut Check,
        name: &str,
        run: impl Fn(&Device, &cudarc::driver::CudaView<'_, T>) -> Result<Vec<u64>, Error>,
        host: impl Fn(&[T]) -> Result<Vec<u64>, Error>,
    ) {
        for &n in sizes(&[5000_usize, 33, 5, 20, 1000, 100_003]) {
            let x: Vec<T> = random(n as u64, n);
            let Ok(want) = host(&x) else {
                check.fault(name, "the cpu refused");
                continue;
            };
            for start in 0..16 / size_of::<T>() {
                let label = format!("{name} of {n} from {start}");
                let got = check.on_gpu(&label, |d| {
                    let stream = d.stream().expect("a GPU has a stream");
                    let mut padded: Vec<T> = vec![x[0]; start];
                    padded.extend_from_slice(&x);
                    let all = stream.clone_htod(&padded)?;
                    run(d, &all.slice(start..))
                });
                if let Some(got) = got {
                    check.equal(label, Equal::Bits, &got, &want);
                }
            }
        }
    }
    let mut check = Check::new();
    let float = |x: Vec<f32>| {
        x.into_iter()
            .map(|x| u64::from(x.to_bits()))
            .collect::<Vec<u64>>()
    };
    offsets::<f32>(
        &mut check,
        "sum of f32",
        |_, x| Ok(vec![table::of_f32::sum::array(x)?.to_bits().into()]),
        |x| Ok(vec![table::of_f32::sum::array(x)?.to_bits().into()]),
    );
    offsets::<f32>(
        &mut check,
        "scan of f32",
        |d, x| {
            let out = scans::sums::array(x)?;
            Ok(float(d.stream().expect("a stream").clone_dtoh(&out)?))
        },
        |x| Ok(float(scans::sums::array(x)?)),
    );
    offsets::<f32>(
        &mut check,
        "apply of f32, results one in",
        |d, x| {
            let stream = d.stream().expect("a stream");
            let ones = stream.clone_htod(&vec![1.0_f32; x.len()])?;
            let mut out = stream.alloc_zeros::<f32>(x.len() + 1)?;
            apply::rms_norm::rows_into(Rows::new(1, x.len()), x, &ones, 0.5, &mut out.slice_mut(1..))?;
            Ok(float(stream.clone_dtoh(&out)?[1..].to_vec()))
        },
        |x| {
            Ok(float(apply::rms_norm::rows(
                Rows::new(1, x.len()),
                x,
                &vec![1.0; x.len()],
                0.5,
            )?))
        },
    );
    offsets::<f32>(
        &mut check,
        "columns and segments of f32",
        |d, x| {
            let stream = d.stream().expect("a stream");
            let starts = stream.clone_htod(&thirds(x.len()))?;
            let mut all = stream.clone_dtoh(&table::of_f32::sum::columns(five_rows(x.len()), x)?)?;
            all.extend(stream.clone_dtoh(&table::of_f32::sum::segments(&starts, x)?)?);
            all.extend(stream.clone_dtoh(&scans::sums::segments(&starts, x)?)?);
            all.extend(stream.clone_dtoh(&scans::sums::rows(five_rows(x.len()), x)?)?);
            Ok(float(all))
        },
        |x| {
            let starts = thirds(x.len());
            let mut all = table::of_f32::sum::columns(five_rows(x.len()), x)?;
            all.extend(table::of_f32::sum::segments(&starts, x)?);
            all.extend(scans::sums::segments(&starts, x)?);
            all.extend(scans::sums::rows(five_rows(x.len()), x)?);
            Ok(float(all))
        },
    );
    offsets::<f16>(
        &mut check,
        "sum of f16",
        |_, x| Ok(vec![custom::sum_of_halves::array(x)?.to_bits().into()]),
        |x| Ok(vec![custom::sum_of_halves::array(x)?.to_bits().into()]),
    );
    offsets::<u8>(
        &mut check,
        "sum and filter of u8",
        |d, x| {
            let kept = d
                .stream()
                .expect("a stream")
                .clone_dtoh(&filters::odd_bytes::array(x)?)?;
            Ok(kept
                .into_iter()
                .map(u64::from)
                .chain([custom::sum_of_bytes::array(x)?.into()])
                .collect())
        },
        |x| {
            let kept = filters::odd_bytes::array(x)?;
            Ok(kept
                .into_iter()
                .map(u64::from)
                .chain([custom::sum_of_bytes::array(x)?.into()])
                .collect())
        },
    );
    offsets::<f64>(
        &mut check,
        "sum of f64",
        |_, x| Ok(vec![table::of_f64::sum::array(x)?.to_bits()]),
        |x| Ok(vec![table::of_f64::sum::array(x)?.to_bits()]),
    );
    check.finish();
}

/// Segments of a few elements, of none, and one that many blocks share.
fn uneven(n: usize) -> Vec<u32> {
    let mut offsets: Vec<u32> = (0..400).map(|i| i * 7 / 2).collect();
    offsets.push(n as u32);
    offsets
}

/// What one thread runs again and again: rows, columns, segments, an array, scans, filters.
fn work(device: &Device, x: &[f32]) -> Result<Vec<u32>, Error> {
    let data = device.buffer(x)?;
    let mut bits = vec![table::of_f32::sum::array(&data)?.to_bits()];
    bits.extend(
        table::of_f32::sum::rows(Rows::new(37, 1000), &data)?
            .fetch()?
            .iter()
            .map(|x| x.to_bits()),
    );
    bits.extend(
        custom::sum_in_order::rows(Rows::new(1, x.len()), &data)?
            .fetch()?
            .iter()
            .map(|x| x.to_bits()),
    );
    let offsets = device.buffer(&uneven(x.len()))?;
    for floats in [
        table::of_f32::sum::columns(Rows::new(1000, 37), &data)?.fetch()?,
        table::of_f32::sum::segments(&offsets, &data)?.fetch()?,
        scans::sums::segments(&offsets, &data)?.fetch()?,
        filters::positive::segments(&offsets, &data)?.0.fetch()?,
        scans::sums::columns(Rows::new(1000, 37), &data)?.fetch()?,
        apply::rms_norm::rows(Rows::new(37, 1000), &data, &device.buffer(&x[..1000])?, 0.5)?.fetch()?,
    ] {
        bits.extend(floats.iter().map(|x| x.to_bits()));
    }
    bits.extend(scans::sums::array(&data)?.fetch()?.iter().map(|x| x.to_bits()));
    bits.extend(
        filters::positive::array(&data)?
            .fetch()?
            .iter()
            .map(|x| x.to_bits()),
    );
    Ok(bits)
}

/// 8 threads, each with a stream of its own, 25 times each.
#[test]
fn two_hundred_runs_on_eight_streams() {
    let mut check = Check::new();
    let x: Vec<f32> = random(1, 37 * 1000 + 3);
    let Some(want) = check.same("once", Equal::Bits, |d| work(d, &x)) else {
        return check.finish();
    };
    if check.gpu().is_some() {
        let barrier = Barrier::new(8);
        let faults: Vec<String> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|thread| {
                    let (barrier, x, want) = (&barrier, &x, &want);
                    scope.spawn(move || {
                        let device = Device::gpu(0);
                        barrier.wait();
                        let device = device.map_err(|error| error.to_string())?;
                        for run in 0..if under_sanitizer() { 2 } else { 25 } {
                            let got = work(&device, x)
                                .map_err(|error| format!("thread {thread}, run {run}: {error}"))?;
                            if got != *want {
                                let at = (0..got.len().min(want.len())).find(|&i| got[i] != want[i]);
                                return Err(format!("thread {thread}, run {run}: other bits at {at:?}"));
                            }
                        }
                        Ok(())
                    })
                })
                .collect();
            threads
                .into_iter()
                .filter_map(|thread| {
                    thread
                        .join()
                        .unwrap_or_else(|_| Err("a thread panicked".into()))
                        .err()
                })
                .collect()
        });
        for fault in faults {
            check.fault("eight streams", fault);
        }
    }
    check.finish();
}

/// With all multiprocessors but half of one taken by another kernel: no result depends on how many blocks run at once,
/// and none waits for a block that cannot start.
#[test]
fn beside_a_busy_kernel() {
    const BUSY: &str = r#"extern "C" __global__ void busy(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {}
}"#;
    let mut check = Check::new();
    let x: Vec<f32> = random(3, 5_000_003);
    let Some(want) = check.same("alone", Equal::Bits, |d| work(d, &x)) else {
        return check.finish();
    };
    let got = check.on_gpu("beside a busy kernel", |d| {
        let busy = Module::new(BUSY)
            .map_err(|missing| format!("{missing:?}"))
            .expect("a GPU is here");
        let places = busy
            .stream
            .context()
            .attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
        let threads = busy
            .stream
            .context()
            .attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR)?;
        let blocks = places * threads / 1024 - 1;
        let config = LaunchConfig {
            grid_dim: (blocks.unsigned_abs(), 1, 1),
            block_dim: (1024, 1, 1),
            shared_mem_bytes: 0,
        };
        // About a third of a second: longer than the work takes even so.
        let cycles = if under_sanitizer() {
            1_000_000_i64
        } else {
            600_000_000
        };
        // SAFETY: the kernel takes one 64-bit number and touches no memory.
        unsafe {
            busy.stream
                .launch_builder(&busy.function)
                .arg(&cycles)
                .launch(config)
        }?;
        let bits = work(d, &x)?;
        busy.stream.synchronize()?;
        Ok(bits)
    });
    if let Some(got) = got {
        check.is("beside a busy kernel", got == want, "other bits than alone");
    }
    check.finish();
}

/// Data of another stream is ordered by events: what it is still writing is waited for.
#[test]
fn data_of_another_stream_is_waited_for() {
    let mut check = Check::new();
    let n = 1 << 22;
    let got = check.on_gpu("two streams", |d| {
        let first = d.stream().expect("a GPU has a stream");
        let second = first.context().new_stream()?;
        let a = first.clone_htod(&vec![1.0_f32; n])?;
        let mut sums = Vec::new();
        for round in 0..5 {
            let b = second.clone_htod(&vec![round as f32; n])?;
            sums.push(custom::dot::array(&a, &b)?);
        }
        Ok(sums)
    });
    if let Some(got) = got {
        let want: Vec<f32> = (0..5).map(|round| (round * n) as f32).collect();
        check.equal("two streams", Equal::Bits, &got, &want);
    }
    check.finish();
}

/// Buffers may go while work on them is in flight.
#[test]
fn buffers_dropped_in_flight() {
    let mut check = Check::new();
    let n = 1 << 20;
    let got = check.on_gpu("dropped", |d| {
        let mut results = Vec::new();
        for round in 0..20 {
            let data = d.buffer(&vec![round as f32; n])?;
            results.push(table::of_f32::max::rows(Rows::new(4, n / 4), &data)?);
            drop(data);
        }
        results
            .iter()
            .map(|result| Ok(result.fetch()?[3]))
            .collect::<Result<Vec<f32>, Error>>()
    });
    if let Some(got) = got {
        check.equal(
            "dropped",
            Equal::Bits,
            &got,
            &(0..20).map(|round| round as f32).collect(),
        );
    }
    check.finish();
}
