//! Shuffles: what comes out of the emitted kernels is what the tables of the instruction say.

use std::ops::Range;

use warpfold::{Device, Error, Rows};
use warpfold_tests::answer::Fetch;
use warpfold_tests::check::Check;
use warpfold_tests::data::random;
use warpfold_tests::specs::shuffles;

type Run = fn(&Device, Rows, &[i32]) -> Result<Vec<i32>, Error>;
macro_rules! runs {
    ($($name:ident)*) => { [$((stringify!($name), |d, shape, x| shuffles::$name::rows(shape, &d.buffer(x)?)?.fetch())),*] };
}

/// Of `from_K_of_W`: where position `i` of a row of `cols` takes its value from.
fn source(name: &str, i: usize, cols: usize) -> usize {
    let mut words = name.split('_');
    let (from, k) = (
        words.next().unwrap(),
        words.next().unwrap().parse::<usize>().unwrap(),
    );
    let width: usize = words.nth(1).unwrap().parse().unwrap();
    let (base, lane) = (i / width * width, i % width);
    let wanted = match from {
        "lane" => Some(k),
        "up" => lane.checked_sub(k),
        "down" => Some(lane + k),
        "xor" => Some(lane ^ k),
        "rotate" => Some((lane + k) % width),
        other => panic!("{other}"),
    };
    // Past the end of the group or of the row a lane keeps its own.
    wanted
        .filter(|&lane| lane < width && base + lane < cols)
        .map_or(i, |lane| base + lane)
}

#[test]
fn every_source_at_several_widths() {
    let specs: [(&str, Run); 14] = runs!(
        lane_5_of_32 lane_5_of_16 up_5_of_16 down_5_of_16 xor_16_of_32 lane_0_of_1 up_1_of_2 down_3_of_4 xor_5_of_8
        xor_31_of_32 rotate_3_of_8 rotate_31_of_32 rotate_1_of_2 up_31_of_32
    );
    let mut check = Check::new();
    for (rows, cols, stride) in [
        (3, 32, 32),
        (7, 20, 32),
        (40, 1, 1),
        (5, 33, 33),
        (2, 1000, 1003),
        (1, 70_001, 70_001),
    ] {
        let shape = Rows::new(rows, cols).stride(stride);
        let x: Vec<i32> = random(1, rows * stride);
        for (name, run) in specs {
            let want: Vec<i32> = (0..rows * cols)
                .map(|i| x[i / cols * stride + source(name, i % cols, cols)])
                .collect();
            check.gives(format!("{name} over {shape:?}"), &want, |d| run(d, shape, &x));
        }
    }
    check.finish();
}

/// The five tables of the instruction that a legal lane gives, for v = thread id.
#[test]
fn tables_of_the_instruction() {
    let both = |first: Range<i32>| first.clone().chain(first.map(|x| x + 16)).collect::<Vec<i32>>();
    let up: Vec<i32> = [(0..5), (0..11), (16..21), (16..27)]
        .into_iter()
        .flatten()
        .collect();
    let down: Vec<i32> = [(5..16), (11..16), (21..32), (27..32)]
        .into_iter()
        .flatten()
        .collect();
    let fives = [[5; 16], [21; 16]].concat();
    let tables: [(&str, Run, Vec<i32>); 5] = {
        let [a, b, c, d, e]: [(&str, Run); 5] =
            runs!(lane_5_of_32 lane_5_of_16 up_5_of_16 down_5_of_16 xor_16_of_32);
        [
            (a.0, a.1, vec![5; 32]),
            (b.0, b.1, fives),
            (c.0, c.1, up),
            (d.0, d.1, down),
            (e.0, e.1, both(16..32).iter().map(|x| x % 32).collect()),
        ]
    };
    let mut check = Check::new();
    let ids: Vec<i32> = (0..32).collect();
    for (name, run, want) in tables {
        check.gives(name, &want, |d| run(d, Rows::new(1, 32), &ids));
    }
    check.finish();
}

#[test]
fn tuples_and_positions() {
    let mut check = Check::new();
    for (rows, cols) in [(5, 4), (3, 33), (2, 1001)] {
        let shape = Rows::new(rows, cols);
        let (x, y): (Vec<f64>, Vec<u8>) = (random(1, rows * cols), random(2, rows * cols));
        let from = |i: usize| i / cols * cols + source("xor_1_of_4", i % cols, cols);
        let want = (
            (0..rows * cols).map(|i| x[from(i)] * 0.5).collect::<Vec<f64>>(),
            (0..rows * cols)
                .map(|i| y[from(i)].wrapping_add(1))
                .collect::<Vec<u8>>(),
            (0..rows * cols).map(|i| y[from(i)] > 100).collect::<Vec<bool>>(),
        );
        check.gives(format!("swapped over {shape:?}"), &want, |d| {
            shuffles::swapped::rows(shape, &d.buffer(&x)?, &d.buffer(&y)?)?.fetch()
        });
        let z: Vec<u64> = random(3, rows * cols);
        let from = |i: usize| i / cols * cols + source("up_1_of_32", i % cols, cols);
        let want: Vec<u64> = (0..rows * cols)
            .map(|i| z[from(i)].wrapping_add((from(i) % cols) as u64 * 3))
            .collect();
        check.gives(format!("before over {shape:?}"), &want, |d| {
            let mut out = d.zeros::<u64>(rows * cols)?;
            shuffles::before::rows_into(shape, &d.buffer(&z)?, 3, &mut out)?;
            out.fetch()
        });
    }
    check.finish();
}

/// The sixth table, which no spec may rely on: in a group below 32 `xor` reads an earlier group and not a later one.
#[test]
fn the_raw_instruction_reads_earlier_groups() {
    use cudarc::driver::{LaunchConfig, PushKernelArg};
    use warpfold_tests::own_cuda::{Missing, Module};
    use warpfold_tests::{Lacks, ran_on_gpu, skip};

    let source = r#"extern "C" __global__ void raw(int* out) {
        out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, int(threadIdx.x), 16, 16);
        out[32 + threadIdx.x] = __shfl_sync(0xffffffffu, int(threadIdx.x), 19, 16);
    }"#;
    let module = match Module::new(source) {
        Ok(module) => module,
        Err(Missing::Gpu(why)) => return skip(Lacks::Gpu, why),
        Err(Missing::Nvrtc(why)) => return skip(Lacks::Nvrtc, why),
    };
    let mut out = module.stream.alloc_zeros::<i32>(64).unwrap();
    let config = LaunchConfig {
        grid_dim: (1, 1, 1),
        block_dim: (32, 1, 1),
        shared_mem_bytes: 0,
    };
    let mut launch = module.stream.launch_builder(&module.function);
    launch.arg(&mut out);
    // SAFETY: one warp writes 64 elements of an array of 64.
    unsafe { launch.launch(config) }.unwrap();
    let got = module.stream.clone_dtoh(&out).unwrap();
    let xor: Vec<i32> = (0..16).chain(0..16).collect();
    let lane: Vec<i32> = [[3; 16], [19; 16]].concat();
    assert_eq!((&got[..32], &got[32..]), (&xor[..], &lane[..]));
    ran_on_gpu();
}
