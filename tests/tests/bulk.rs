//! What the GPU copies in bulk, beside the CPU and kernels that do not: scans and filters of large arrays, `apply` over rows
//! that a cluster of blocks holds.

use half::f16;
use warpfold::{Device, Error, Rows};
use warpfold_tests::answer::{Answer, Equal, Fetch};
use warpfold_tests::check::{Check, under_sanitizer};
use warpfold_tests::data::random;
use warpfold_tests::specs::{apply, filters, scans};

/// Enough batches for every multiprocessor of an H200, whole ones and with a rest.
const LENGTHS: [usize; 3] = [4_325_376, 4_500_016, 5_000_003];

/// One array and two equal rows: the CPU, the GPU's bulk copies and its plain kernel give the same bits. Rows that do not
/// fill their packs have an order of their own; of those the array alone is compared.
fn all_ways<A: Answer>(
    check: &mut Check,
    label: &str,
    n: usize,
    array: impl Fn(&Device) -> Result<A, Error>,
    first_of_two_rows: impl Fn(&Device) -> Result<A, Error>,
) {
    let Some(on_cpu) = check.same(label, Equal::Bits, array) else {
        return;
    };
    if !n.is_multiple_of(16) {
        return;
    }
    if let Some(plain) = check.on_gpu(label, first_of_two_rows) {
        check.equal(format!("{label}, plain"), Equal::Bits, &plain, &on_cpu);
    }
}

fn first_half<T: Copy>(both: &[T]) -> Vec<T> {
    both[..both.len() / 2].to_vec()
}

#[test]
fn large_scans_keep_the_order() {
    let mut check = Check::new();
    // The CPU alone has nothing to be compared with here.
    let lengths: &[usize] = if check.gpu().is_some() { &LENGTHS } else { &[] };
    for &n in lengths {
        let shape = Rows::new(2, n);
        let twice = |x: &[f32]| [x, x].concat();
        let x: Vec<f32> = random(n as u64, n);
        let counts: Vec<u32> = random(2, n);
        let two_counts = [&counts[..], &counts[..]].concat();
        all_ways(
            &mut check,
            &format!("sums of {n}"),
            n,
            |d| scans::sums::array(&d.buffer(&x)?)?.fetch(),
            |d| {
                Ok(first_half(
                    &scans::sums::rows(shape, &d.buffer(&twice(&x))?)?.fetch()?,
                ))
            },
        );
        all_ways(
            &mut check,
            &format!("sums_back of {n}"),
            n,
            |d| scans::sums_back::array(&d.buffer(&x)?)?.fetch(),
            |d| {
                Ok(first_half(
                    &scans::sums_back::rows(shape, &d.buffer(&twice(&x))?)?.fetch()?,
                ))
            },
        );
        all_ways(
            &mut check,
            &format!("offsets of {n}"),
            n,
            |d| scans::offsets::array(&d.buffer(&counts)?)?.fetch(),
            |d| {
                Ok(first_half(
                    &scans::offsets::rows(shape, &d.buffer(&two_counts)?)?.fetch()?,
                ))
            },
        );
        all_ways(
            &mut check,
            &format!("offsets_back of {n}"),
            n,
            |d| scans::offsets_back::array(&d.buffer(&counts)?)?.fetch(),
            |d| {
                Ok(first_half(
                    &scans::offsets_back::rows(shape, &d.buffer(&two_counts)?)?.fetch()?,
                ))
            },
        );
        let b: Vec<f32> = random(3, n);
        all_ways(
            &mut check,
            &format!("recurrence of {n}"),
            n,
            |d| scans::recurrence::array(&d.buffer(&x)?, &d.buffer(&b)?)?.fetch(),
            |d| {
                let (a, b) = (d.buffer(&twice(&x))?, d.buffer(&twice(&b))?);
                Ok(first_half(&scans::recurrence::rows(shape, &a, &b)?.fetch()?))
            },
        );
    }
    check.finish();
}

#[test]
fn large_filters_keep_the_order() {
    let mut check = Check::new();
    // The CPU alone has nothing to be compared with here.
    let lengths: &[usize] = if check.gpu().is_some() { &LENGTHS } else { &[] };
    for &n in lengths {
        for percent in [0_u32, 1, 50, 99, 100] {
            let kept = |x: u32| x % 100 < percent;
            let x: Vec<f32> = random::<u32>(n as u64, n)
                .into_iter()
                .map(|x| if kept(x) { 1.0 + (x >> 9) as f32 } else { -1.0 })
                .collect();
            check.same(format!("positive of {n}, {percent} % kept"), Equal::Bits, |d| {
                filters::positive::array(&d.buffer(&x)?)?.fetch()
            });
            check.same(format!("indices of {n}, {percent} % kept"), Equal::Bits, |d| {
                filters::positive::indices(&d.buffer(&x)?)?.fetch()
            });
        }
    }
    let lengths: &[usize] = if check.gpu().is_some() {
        &[17_301_504, 17_400_001]
    } else {
        &[]
    };
    for &n in lengths {
        let bytes: Vec<u8> = random(5, n);
        check.same(format!("odd_bytes of {n}"), Equal::Bits, |d| {
            filters::odd_bytes::array(&d.buffer(&bytes)?)?.fetch()
        });
        check.same(format!("indices of odd_bytes of {n}"), Equal::Bits, |d| {
            filters::odd_bytes::indices(&d.buffer(&bytes)?)?.fetch()
        });
    }
    check.finish();
}

/// Rows of more than 32 tiles, as many as clusters of an H200 and more, whose parts start where copies may, between, and at
/// both ends of what a warp, a block and a cluster hold; then the same with a few rows, which clusters do not take.
const LONG_ROWS: [(usize, usize, usize); 6] = [
    (16, 33_000, 33_001),
    (17, 65_536, 65_536),
    (40, 32_772, 32_772),
    (16, 98_304, 98_304),
    (33, 32_769, 32_769),
    (16, 65_537, 65_539),
];
/// The leading rows that are computed again by themselves.
const FEW_ROWS: usize = 2;

/// The CPU, clusters and what takes a few rows give the same bits; functions of the library of the GPU are compared with the
/// CPU's within `how`. `call` gets all rows, or the leading ones.
fn clusters<A: Answer>(
    check: &mut Check,
    label: &str,
    (rows, cols, stride): (usize, usize, usize),
    how: Equal,
    leading: impl Fn(&A) -> A,
    call: impl Fn(&Device, Rows) -> Result<A, Error>,
) {
    let label = format!("{label} over {rows} rows of {cols} in {stride}");
    let shape = |rows| Rows::new(rows, cols).stride(stride);
    check.same(&label, how, |d| call(d, shape(rows)));
    let both = check
        .on_gpu(&label, |d| call(d, shape(rows)))
        .zip(check.on_gpu(&label, |d| call(d, shape(FEW_ROWS))));
    if let Some((all, few)) = both {
        check.equal(
            format!("{label}, a few of them"),
            Equal::Bits,
            &few,
            &leading(&all),
        );
    }
}

#[test]
fn rows_that_clusters_hold_keep_the_order() {
    let mut check = Check::new();
    // The CPU alone has nothing to be compared with here.
    let shapes: &[_] = match (check.gpu(), under_sanitizer()) {
        (None, _) => &[],
        // Racecheck follows every byte that is copied.
        (_, true) => &LONG_ROWS[..1],
        (_, false) => &LONG_ROWS,
    };
    for &it in shapes {
        let (rows, cols, stride) = it;
        let (all, few) = (rows * stride, FEW_ROWS * cols);
        let floats: Vec<f32> = random(1, all);
        let halves: Vec<f16> = random(1, all);
        let longs: Vec<f64> = random(2, all);
        let ints: Vec<i32> = random(3, all);
        let (a, b): (Vec<u32>, Vec<u32>) = (random(4, all), random(5, all));
        let (gamma, beta): (Vec<f32>, Vec<f32>) = (random(6, cols), random(7, cols));
        let scale: Vec<f32> = random(8, rows);
        let live: Vec<u32> = random::<u32>(9, rows)
            .into_iter()
            .map(|k| k % (cols as u32 + 9))
            .collect();
        // Rows end with their last column: what is behind it is not theirs.
        let length = |shape: Rows| {
            if shape == Rows::new(FEW_ROWS, cols).stride(stride) {
                FEW_ROWS
            } else {
                rows
            }
        };
        let end = |shape: Rows| (length(shape) - 1) * stride + cols;
        clusters(
            &mut check,
            "softmax",
            it,
            Equal::Within(1e-5),
            |y: &Vec<f32>| y[..few].to_vec(),
            |d, shape| apply::softmax::rows(shape, &d.buffer(&floats[..end(shape)])?)?.fetch(),
        );
        clusters(
            &mut check,
            "softmax_of_halves",
            it,
            Equal::Within(1e-3),
            |y: &Vec<f16>| y[..few].to_vec(),
            |d, shape| apply::softmax_of_halves::rows(shape, &d.buffer(&halves[..end(shape)])?)?.fetch(),
        );
        clusters(
            &mut check,
            "layer_norm",
            it,
            Equal::Bits,
            |y: &Vec<f32>| y[..few].to_vec(),
            |d, shape| {
                let x = d.buffer(&floats[..end(shape)])?;
                apply::layer_norm::rows(shape, &x, &d.buffer(&gamma)?, &d.buffer(&beta)?, 1e-5)?.fetch()
            },
        );
        clusters(
            &mut check,
            "share",
            it,
            Equal::Bits,
            |y: &Vec<f64>| y[..few].to_vec(),
            |d, shape| apply::share::rows(shape, &d.buffer(&longs[..end(shape)])?)?.fetch(),
        );
        clusters(
            &mut check,
            "below_top",
            it,
            Equal::Bits,
            |y: &Vec<i32>| y[..few].to_vec(),
            |d, shape| apply::below_top::rows(shape, &d.buffer(&ints[..end(shape)])?)?.fetch(),
        );
        clusters(
            &mut check,
            "pairs",
            it,
            Equal::Bits,
            |y: &(Vec<u32>, Vec<u64>)| (y.0[..few].to_vec(), y.1[..few].to_vec()),
            |d, shape| {
                let (a, b) = (d.buffer(&a[..end(shape)])?, d.buffer(&b[..end(shape)])?);
                apply::pairs::rows(shape, &a, &b)?.fetch()
            },
        );
        clusters(
            &mut check,
            "ragged_share",
            it,
            Equal::Bits,
            |y: &Vec<f32>| y[..few].to_vec(),
            |d, shape| {
                let x = d.buffer(&floats[..end(shape)])?;
                let (scale, live) = (
                    d.buffer(&scale[..length(shape)])?,
                    d.buffer(&live[..length(shape)])?,
                );
                apply::ragged_share::rows(shape, &x, &d.buffer(&gamma)?, &scale, &live)?.fetch()
            },
        );
        clusters(
            &mut check,
            "share in place",
            it,
            Equal::Bits,
            |y: &Vec<f64>| y[..FEW_ROWS * stride].to_vec(),
            |d, shape| {
                let mut data = d.buffer(&longs[..length(shape) * stride])?;
                apply::share::rows_in_place(shape, &mut data)?;
                data.fetch()
            },
        );
    }
    check.finish();
}
