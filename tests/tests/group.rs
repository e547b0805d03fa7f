//! Groups whose shards are on GPUs: ranks that share one GPU, and one rank a GPU over NCCL.
//!
//! The answers are those of the CPU over the same shards, which other tests hold to those of one device.

use std::time::Duration;

use cudarc::driver::CudaSlice;
use warpfold::prelude::*;
use warpfold::{Error, Group, Uniform};
use warpfold_tests::check::{gpu, steps_aside, under_sanitizer};
use warpfold_tests::{Lacks, ran_on_gpu, skip};

#[warp_reduce(op = sum)]
fn total(x: f32) -> f32 {
    x
}

#[warp_reduce(op = argmax)]
fn top(x: f32) -> f32 {
    x
}

#[warp_reduce(op = sum, init = 7, finish = |s| -> u64 { s * by + n })]
fn weighted(x: u64, #[uniform] by: u64, #[index] i: u64, #[len] n: u64) -> u64 {
    x * (i + 1)
}

/// h = a·h + b in wrapping integers: exact, and left is not right.
#[warp_reduce(identity = (1, 0), op = |p, q| (p.0 * q.0, q.0 * p.1 + q.1), finish = |s| -> u32 { s.1 })]
fn last_of(a: u32, b: u32) -> (u32, u32) {
    (a, b)
}

#[warp_scan(identity = (1, 0), op = |p, q| (p.0 * q.0, q.0 * p.1 + q.1), init = (3, 5), finish = |s| -> u32 { s.1 })]
fn forward(a: u32, b: u32) -> (u32, u32) {
    (a, b)
}

#[warp_scan(identity = (1, 0), op = |p, q| (p.0 * q.0, q.0 * p.1 + q.1), kind = exclusive, direction = reverse,
    finish = |s| -> u32 { s.1 })]
fn backward(a: u32, b: u32) -> (u32, u32) {
    (a, b)
}

#[warp_scan(op = sum)]
fn running(x: f32) -> f32 {
    x
}

/// The lengths of the shards: uneven, empty at both ends, and long enough for bulk copies.
const LENGTHS: [&[usize]; 5] = [
    &[1024, 1024],
    &[0, 1, 5000, 0],
    &[100_003, 20, 33_000],
    &[0, 0],
    &[6_000_000, 4_500_001],
];

/// What a rank finds: results, and its part of each scan. Floats as bits.
#[derive(Clone, Debug, PartialEq)]
struct Found {
    total: u32,
    top: (u32, u64),
    weighted: u64,
    last: u32,
    forward: Vec<u32>,
    backward: Vec<u32>,
    running: Vec<u32>,
}

struct Data {
    x: Vec<f32>,
    a: Vec<u32>,
    b: Vec<u32>,
    counts: Vec<u64>,
}

fn data(n: usize) -> Data {
    let bits = |i: usize| (i as u32).wrapping_mul(0x9e37_79b9) ^ (i as u32) >> 7;
    Data {
        x: (0..n)
            .map(|i| (bits(i) >> 8) as f32 / 16_777_216.0 - 0.5)
            .collect(),
        a: (0..n).map(|i| bits(i) | 1).collect(),
        b: (0..n).map(|i| bits(i + 1)).collect(),
        counts: (0..n).map(|i| u64::from(bits(i) >> 20)).collect(),
    }
}

/// The part of rank `rank`, on its device.
fn find(group: &mut Group, device: &Device, lengths: &[usize], all: &Data) -> Result<Found, Error> {
    let start: usize = lengths[..group.rank()].iter().sum();
    let part = start..start + lengths[group.rank()];
    let x = device.buffer(&all.x[part.clone()])?;
    let (a, b) = (
        device.buffer(&all.a[part.clone()])?,
        device.buffer(&all.b[part.clone()])?,
    );
    let counts = device.buffer(&all.counts[part])?;
    let top = group.reduce::<top, _>((&x,))?;
    let bits = |x: Vec<f32>| x.into_iter().map(f32::to_bits).collect();
    Ok(Found {
        total: group.reduce::<total, _>((&x,))?.to_bits(),
        top: (top.0.to_bits(), top.1),
        weighted: group.reduce::<weighted, _>((&counts, Uniform(3_u64)))?,
        last: group.reduce::<last_of, _>((&a, &b))?,
        forward: group.scan::<forward, _>((&a, &b))?.to_vec()?,
        backward: group.scan::<backward, _>((&a, &b))?.to_vec()?,
        running: bits(group.scan::<running, _>((&x,))?.to_vec()?),
    })
}

/// Every rank of the groups that `ranks` makes finds what ranks on the CPU find.
fn agree(
    ranks: impl Fn(usize) -> Result<Vec<Group>, Error>,
    device: impl Fn(&Group) -> Device + Sync,
    sizes: &[usize],
) {
    for lengths in LENGTHS.iter().filter(|lengths| sizes.contains(&lengths.len())) {
        let all = data(lengths.iter().sum());
        let cpu = Group::run(Group::threads(lengths.len()), |group| {
            find(group, &Device::cpu(), lengths, &all).unwrap()
        });
        let gpu = Group::run(ranks(lengths.len()).unwrap(), |group| {
            let device = device(group);
            find(group, &device, lengths, &all).unwrap()
        });
        for (rank, (gpu, cpu)) in gpu.iter().zip(&cpu).enumerate() {
            assert_eq!(gpu.total, cpu.total, "total of {lengths:?}");
            assert_eq!(
                (gpu.top, gpu.weighted, gpu.last),
                (cpu.top, cpu.weighted, cpu.last),
                "{lengths:?}"
            );
            assert!(gpu.forward == cpu.forward, "forward, rank {rank} of {lengths:?}");
            assert!(
                gpu.backward == cpu.backward,
                "backward, rank {rank} of {lengths:?}"
            );
            assert!(gpu.running == cpu.running, "running, rank {rank} of {lengths:?}");
        }
    }
}

#[test]
fn ranks_that_share_a_gpu_find_what_ranks_on_the_cpu_find() {
    let Some(device) = gpu() else {
        return;
    };
    let ranks: &[usize] = if under_sanitizer() { &[2] } else { &[2, 3, 4] };
    agree(|size| Ok(Group::threads(size)), |_| device.clone(), ranks);
    ran_on_gpu();
}

/// The groups that need two GPUs and NCCL; otherwise what is lacking.
fn two_gpus() -> Result<Vec<Group>, Error> {
    Group::gpus(&[0, 1])
}

/// Whether compute-sanitizer watches: our part of these tests runs under the tools where ranks share a GPU.
#[track_caller]
fn watched() -> bool {
    steps_aside("it would report NCCL's own kernels")
}

#[test]
fn gpus_find_over_nccl_what_ranks_on_the_cpu_find() {
    if watched() {
        return;
    }
    if let Err(error) = two_gpus() {
        return skip(Lacks::Gpu, format!("two with NCCL: {error}"));
    }
    agree(|_| two_gpus(), |group| group.device().clone(), &[2]);
    let gathered = Group::run(two_gpus().unwrap(), |group| {
        let own = vec![group.rank() as u16 + 5; 3 - group.rank()];
        group.gather(&own).unwrap()
    });
    assert_eq!(gathered, vec![vec![5, 5, 5, 6, 6]; 2]);
    ran_on_gpu();
}

#[test]
fn gpus_whose_calls_differ_learn_it_and_go_on() {
    if watched() {
        return;
    }
    let ranks = match two_gpus() {
        Ok(ranks) => ranks,
        Err(error) => return skip(Lacks::Gpu, format!("two with NCCL: {error}")),
    };
    let sums = Group::run(ranks, |group| {
        let x = group.device().buffer(&[1.0_f32; 100]).unwrap();
        let error = if group.rank() == 0 {
            group.reduce::<total, _>((&x,)).unwrap_err()
        } else {
            group.scan::<running, _>((&x,)).unwrap_err()
        };
        assert!(matches!(error, Error::GroupDiffers { .. }), "{error}");
        group.reduce::<total, _>((&x,)).unwrap()
    });
    assert_eq!(sums, [200.0, 200.0]);
    ran_on_gpu();
}

#[test]
fn a_gpu_that_ends_gives_the_other_an_error_in_time() {
    if watched() {
        return;
    }
    let ranks = match two_gpus() {
        Ok(ranks) => ranks,
        Err(error) => return skip(Lacks::Gpu, format!("two with NCCL: {error}")),
    };
    let here = std::sync::Barrier::new(2);
    Group::run(ranks, |group| {
        if group.rank() == 1 {
            // Its seat stays until the other has given up: a process that hangs, not one that says goodbye.
            here.wait();
            return;
        }
        let mut hasty = std::mem::replace(group, Group::alone()).timeout(Duration::from_secs(3));
        let x = hasty.device().buffer(&[1.0_f32; 100]).unwrap();
        let error = hasty.reduce::<total, _>((&x,)).unwrap_err();
        assert!(matches!(error, Error::GroupLost { .. }), "{error}");
        let again = hasty.reduce::<total, _>((&x,)).unwrap_err();
        assert!(again.to_string().contains("earlier call"), "{again}");
        // The device is whole: other work goes on.
        let slice: &CudaSlice<f32> = x.as_cuda().unwrap();
        assert_eq!(total::array(slice).unwrap(), 100.0);
        here.wait();
    });
    ran_on_gpu();
}
