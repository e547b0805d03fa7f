//! Scans and filters of arrays so large that the GPU copies them in bulk, beside the CPU and what does not.

use warpfold::{Device, Error, Rows};
use warpfold_tests::answer::{Answer, Equal, Fetch};
use warpfold_tests::check::Check;
use warpfold_tests::data::random;
use warpfold_tests::specs::{filters, scans};

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
