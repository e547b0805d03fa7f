//! The CPU back end beside plain loops and ndarray: sum, max and softmax over rows of 32 to 4096 elements.
//!
//! Everything runs on one core, except `all_cores`, which shows how warpfold scales.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ndarray::{ArrayView2, ArrayViewMut1, ArrayViewMut2, Axis, Zip};
use rayon::ThreadPoolBuilder;
use warpfold::Rows;
use warpfold_benches::data;
use warpfold_benches::ours::specs;

/// 8 MiB of `f32`: beyond a core's own caches, as rows in use are.
const ELEMENTS: usize = 1 << 21;
const COLUMNS: [usize; 5] = [32, 100, 128, 1024, 4096];

/// A way of doing the work: the elements, the columns, the results.
type Way = fn(&[f32], usize, &mut [f32]);

/// Measures each way on every number of columns. `wide`: there is a result for each element.
fn measure(criterion: &mut Criterion, title: &str, wide: bool, ways: &[(&str, Way)]) {
    let pool = ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("a thread can be started");
    let mut group = criterion.benchmark_group(title);
    group
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    for columns in COLUMNS {
        let x: Vec<f32> = (0..ELEMENTS / columns * columns)
            .map(|i| data::unit(i as u32) as f32)
            .collect();
        let mut out = vec![0.0; if wide { x.len() } else { x.len() / columns }];
        group.throughput(Throughput::Bytes(4 * x.len() as u64));
        for &(name, way) in ways {
            group.bench_function(BenchmarkId::new(name, columns), |bencher| {
                if name == "all_cores" {
                    bencher.iter(|| way(black_box(&x), columns, black_box(&mut out)));
                } else {
                    pool.install(|| bencher.iter(|| way(black_box(&x), columns, black_box(&mut out))));
                }
            });
        }
    }
    group.finish();
}

fn shape(x: &[f32], columns: usize) -> Rows {
    Rows::new(x.len() / columns, columns)
}

fn matrix(x: &[f32], columns: usize) -> ArrayView2<'_, f32> {
    ArrayView2::from_shape((x.len() / columns, columns), x).expect("whole rows")
}

fn sums(criterion: &mut Criterion) {
    let ours: Way =
        |x, columns, out| specs::sum::rows_into(shape(x, columns), x, out).expect("a right shape");
    let plain: Way = |x, columns, out| {
        for (row, out) in x.chunks_exact(columns).zip(out) {
            let mut sum = 0.0;
            for x in row {
                sum += x;
            }
            *out = sum;
        }
    };
    let ndarray: Way = |x, columns, out| {
        ArrayViewMut1::from(out).assign(&matrix(x, columns).sum_axis(Axis(1)));
    };
    let ways = [
        ("warpfold", ours),
        ("plain", plain),
        ("ndarray", ndarray),
        ("all_cores", ours),
    ];
    measure(criterion, "sum", false, &ways);
}

fn maxima(criterion: &mut Criterion) {
    let ours: Way =
        |x, columns, out| specs::max::rows_into(shape(x, columns), x, out).expect("a right shape");
    let plain: Way = |x, columns, out| {
        for (row, out) in x.chunks_exact(columns).zip(out) {
            let mut max = f32::NEG_INFINITY;
            for &x in row {
                max = max.max(x);
            }
            *out = max;
        }
    };
    let ndarray: Way = |x, columns, out| {
        let max =
            matrix(x, columns).map_axis(Axis(1), |row| row.fold(f32::NEG_INFINITY, |max, &x| max.max(x)));
        ArrayViewMut1::from(out).assign(&max);
    };
    let ways = [
        ("warpfold", ours),
        ("plain", plain),
        ("ndarray", ndarray),
        ("all_cores", ours),
    ];
    measure(criterion, "max", false, &ways);
}

fn softmaxes(criterion: &mut Criterion) {
    let ours: Way =
        |x, columns, out| specs::softmax::rows_into(shape(x, columns), x, out).expect("a right shape");
    let plain: Way = |x, columns, out| {
        for (row, out) in x.chunks_exact(columns).zip(out.chunks_exact_mut(columns)) {
            let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let mut sum = 0.0;
            for (x, out) in row.iter().zip(out.iter_mut()) {
                *out = (x - max).exp();
                sum += *out;
            }
            for out in out {
                *out /= sum;
            }
        }
    };
    let ndarray: Way = |x, columns, out| {
        let x = matrix(x, columns);
        let mut out = ArrayViewMut2::from_shape(x.dim(), out).expect("whole rows");
        Zip::from(x.rows()).and(out.rows_mut()).for_each(|row, mut out| {
            let max = row.fold(f32::NEG_INFINITY, |max, &x| max.max(x));
            out.assign(&row.mapv(|x| (x - max).exp()));
            let sum = out.sum();
            out /= sum;
        });
    };
    let ways = [
        ("warpfold", ours),
        ("plain", plain),
        ("ndarray", ndarray),
        ("all_cores", ours),
    ];
    measure(criterion, "softmax", true, &ways);
}

criterion_group!(cpu, sums, maxima, softmaxes);
criterion_main!(cpu);
