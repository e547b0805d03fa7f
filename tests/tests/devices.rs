//! Threads and devices: what may be shared between threads, and several GPUs in one process.

use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaSlice};
use warpfold::{Buffer, Device, Error, Group, RawSlice, RawSliceMut, Rows};
use warpfold_tests::answer::Fetch;
use warpfold_tests::check::{Alone, gpu};
use warpfold_tests::data::random;
use warpfold_tests::specs::{apply, custom, filters, scans, table};
use warpfold_tests::{Lacks, ran_on_gpu, skip};

/// What the documentation says of them; it does not compile where that is wrong.
#[test]
fn what_is_shared_between_threads_can_be() {
    fn shared<T: Send + Sync>() {}
    fn sent<T: Send>() {}
    shared::<Device>();
    shared::<Buffer<f32>>();
    shared::<RawSlice<'static, f32>>();
    shared::<RawSliceMut<'static, f32>>();
    shared::<Rows>();
    shared::<Error>();
    shared::<warpfold::Cost>();
    sent::<Group>();
}

/// Bits of one result of each form.
fn answers(x: &Buffer<f32>) -> Result<Vec<u32>, Error> {
    let shape = Rows::new(7, x.len() / 7);
    let mut all = table::of_f32::sum::rows(shape, x)?.fetch()?;
    all.extend(custom::sum_in_order::rows(shape, x)?.fetch()?);
    all.extend(scans::sums::array(x)?.fetch()?);
    all.extend(apply::softmax::rows(shape, x)?.fetch()?);
    all.extend(filters::positive::array(x)?.fetch()?);
    all.push(table::of_f32::sum::array(x)?);
    Ok(all.into_iter().map(f32::to_bits).collect())
}

/// Threads that share one device and one buffer: on a GPU one stream.
#[test]
fn one_buffer_serves_many_threads() {
    let _alone = Alone::new();
    let host: Vec<f32> = random(11, 7 * 3001);
    let check = |device: Device| {
        let x = Arc::new(device.buffer(&host).unwrap());
        let want = answers(&x).unwrap();
        let threads: Vec<_> = (0..6)
            .map(|_| {
                let x = Arc::clone(&x);
                std::thread::spawn(move || answers(&x).unwrap())
            })
            .collect();
        // The buffer goes with the last thread that uses it.
        drop(x);
        for thread in threads {
            assert!(thread.join().unwrap() == want, "another answer on another thread");
        }
    };
    check(Device::cpu());
    let Some(device) = gpu() else {
        return;
    };
    check(device);
    ran_on_gpu();
}

/// A wrapped slice of another context in a call is an error; alone it runs on its own device.
#[test]
fn several_gpus_in_one_process() {
    let _alone = Alone::new();
    let gpus: Vec<Device> = (0..).map_while(|i| Device::gpu(i).ok()).collect();
    if gpus.len() < 2 {
        return skip(Lacks::Gpu, format!("{} of two", gpus.len()));
    }
    let host: Vec<f32> = random(12, 7 * 3001);
    let want: Vec<Vec<u32>> = gpus
        .iter()
        .map(|device| answers(&device.buffer(&host).unwrap()).unwrap())
        .collect();
    assert!(want.iter().all(|answer| *answer == want[0]), "GPUs differ");

    // Each from a thread of its own and at once, and one thread that goes from GPU to GPU.
    std::thread::scope(|scope| {
        for device in &gpus {
            let (host, want) = (&host, &want[0]);
            scope.spawn(move || {
                for _ in 0..5 {
                    assert!(answers(&device.buffer(host).unwrap()).unwrap() == *want);
                }
            });
        }
        for device in gpus.iter().chain(gpus.iter().rev()) {
            assert!(answers(&device.buffer(&host).unwrap()).unwrap() == want[0]);
        }
    });

    let (a, b) = (
        gpus[0].buffer(&[1.0_f32; 10]).unwrap(),
        gpus[1].buffer(&[2.0_f32; 10]).unwrap(),
    );
    let error = custom::dot::array(&a, &b).unwrap_err();
    assert!(matches!(error, Error::OtherPlace { .. }), "{error}");
    let mut elsewhere = gpus[1].zeros::<f32>(1).unwrap();
    let error = table::of_f32::sum::rows_into(Rows::new(1, 10), &a, &mut elsewhere).unwrap_err();
    assert!(matches!(error, Error::OtherPlace { .. }), "{error}");
    assert_eq!(elsewhere.fetch().unwrap(), [0.0], "nothing was written");
    ran_on_gpu();
}

/// The device of a stream that the program made: not the one of `Device::gpu`, and not the default one.
#[test]
fn streams_of_the_programs_own() {
    let _alone = Alone::new();
    if gpu().is_none() {
        return;
    }
    let context = CudaContext::new(0).unwrap();
    let host: Vec<f32> = random(13, 7 * 3001);
    let want = answers(&Device::cpu().buffer(&host).unwrap()).unwrap();
    for stream in [context.default_stream(), context.new_stream().unwrap()] {
        let device = Device::on(&stream).unwrap();
        let x = device.buffer(&host).unwrap();
        let sums = table::of_f32::sum::rows(Rows::new(7, 3001), &x).unwrap();
        let slice: &CudaSlice<f32> = sums.as_cuda().unwrap();
        assert!(
            Arc::ptr_eq(slice.stream(), &stream),
            "a result is on another stream"
        );
        // `exp` is the GPU's own in softmax: the other forms have the CPU's bits.
        let got = answers(&x).unwrap();
        assert_eq!(got.len(), want.len());
        assert!(got[..14 + host.len()] == want[..14 + host.len()]);
    }
    ran_on_gpu();
}
