//! Every length, one after the other: lines of 0 to 200 elements in every form, arrays of 0 to three tiles.
//!
//! The operator is the product of 2×2 matrices modulo 2^32, which does not commute: an element left out, met twice or out
//! of its place changes the answer.

use warpfold::{Device, Error, Rows};
use warpfold_tests::answer::{Answer, Equal, Fetch};
use warpfold_tests::check::{Check, under_sanitizer};
use warpfold_tests::data::random;
use warpfold_tests::specs::{custom, filters, scans};

type Matrix = (u32, u32, u32, u32);
const ONE: Matrix = (1, 0, 0, 1);

fn times(p: Matrix, q: Matrix) -> Matrix {
    let sum = |a: u32, b: u32, c: u32, d: u32| a.wrapping_mul(b).wrapping_add(c.wrapping_mul(d));
    (
        sum(p.0, q.0, p.1, q.2),
        sum(p.0, q.1, p.1, q.3),
        sum(p.2, q.0, p.3, q.2),
        sum(p.2, q.1, p.3, q.3),
    )
}

/// The products of the first 1, 2, … elements.
fn products(x: &[u32]) -> Vec<Matrix> {
    let mut so_far = ONE;
    x.iter()
        .map(|&x| {
            so_far = times(so_far, (x, 1, 1, x >> 7));
            so_far
        })
        .collect()
}

/// One array a field, as calls give them.
fn apart(all: &[Matrix]) -> (Vec<u32>, Vec<u32>, Vec<u32>, Vec<u32>) {
    (
        all.iter().map(|m| m.0).collect(),
        all.iter().map(|m| m.1).collect(),
        all.iter().map(|m| m.2).collect(),
        all.iter().map(|m| m.3).collect(),
    )
}

/// For each element the next odd one behind it, 0 where there is none.
fn next_odd(x: &[u32]) -> Vec<u32> {
    let mut next = 0;
    let mut all: Vec<u32> = x
        .iter()
        .rev()
        .map(|&x| {
            let here = next;
            next = if x & 1 == 1 { x } else { next };
            here
        })
        .collect();
    all.reverse();
    all
}

/// Runs a call on the CPU and, of the lengths that have a kernel each, for every third one on the GPU.
fn gives<A: Answer>(
    check: &mut Check,
    n: usize,
    form: &str,
    want: &A,
    call: impl Fn(&Device) -> Result<A, Error>,
) {
    let label = format!("{form} of {n}");
    if n > 64 || n.is_multiple_of(3) {
        return check.gives(label, want, call);
    }
    match call(&Device::cpu()) {
        Ok(got) => check.equal(label, Equal::Bits, &got, want),
        Err(error) => check.fault(label, error),
    }
}

#[test]
fn lines_of_0_to_200() {
    let mut check = Check::new();
    let lengths: Vec<usize> = if under_sanitizer() {
        vec![33, 65, 129]
    } else {
        (0..=200).collect()
    };
    for n in lengths {
        let x: Vec<u32> = random(n as u64, 3 * n);
        let lines: Vec<&[u32]> = (0..3).map(|r| &x[r * n..][..n]).collect();
        let shape = Rows::new(3, n);
        let ends: Vec<Matrix> = lines
            .iter()
            .map(|line| products(line).last().copied().unwrap_or(ONE))
            .collect();
        let along: Vec<Matrix> = lines.iter().flat_map(|line| products(line)).collect();
        let behind: Vec<u32> = lines.iter().flat_map(|line| next_odd(line)).collect();
        let offsets: Vec<u32> = (0..=3).map(|k| (k * n) as u32).collect();
        gives(&mut check, n, "rows", &apart(&ends), |d| {
            custom::matrices::rows(shape, &d.buffer(&x)?)?.fetch()
        });
        gives(&mut check, n, "segments", &apart(&ends), |d| {
            custom::matrices::segments(&d.buffer(&offsets)?, &d.buffer(&x)?)?.fetch()
        });
        gives(&mut check, n, "scan of rows", &apart(&along), |d| {
            scans::matrices::rows(shape, &d.buffer(&x)?)?.fetch()
        });
        gives(&mut check, n, "scan back of rows", &behind, |d| {
            scans::next_odd::rows(shape, &d.buffer(&x)?)?.fetch()
        });
        gives(&mut check, n, "scan back of segments", &behind, |d| {
            scans::next_odd::segments(&d.buffer(&offsets)?, &d.buffer(&x)?)?.fetch()
        });
        let turned: Vec<u32> = (0..3 * n).map(|i| x[i % 3 * n + i / 3]).collect();
        gives(&mut check, n, "columns", &apart(&ends), |d| {
            custom::matrices::columns(Rows::new(n, 3), &d.buffer(&turned)?)?.fetch()
        });
        let floats: Vec<f32> = random(n as u64, n);
        let kept: Vec<f32> = floats.iter().copied().filter(|&x| x > 0.0).collect();
        gives(&mut check, n, "filter", &kept, |d| {
            filters::positive::array(&d.buffer(&floats)?)?.fetch()
        });
    }
    check.finish();
}

/// A tile of these is 1024 elements.
#[test]
fn arrays_of_0_to_3_tiles() {
    let x: Vec<u32> = random(3, 3 * 1024 + 2);
    let floats: Vec<f32> = random(4, x.len());
    let along = products(&x);
    for n in 0..=x.len() {
        let part = &x[..n];
        let end = n.checked_sub(1).map_or(ONE, |last| along[last]);
        assert_eq!(custom::matrices::array(part).unwrap(), end, "reduction of {n}");
        assert!(
            scans::matrices::array(part).unwrap() == apart(&along[..n]),
            "scan of {n}"
        );
        assert!(
            scans::next_odd::array(part).unwrap() == next_odd(part),
            "scan back of {n}"
        );
        let floats = &floats[..n];
        let kept: Vec<f32> = floats.iter().copied().filter(|&x| x > 0.0).collect();
        assert!(filters::positive::array(floats).unwrap() == kept, "filter of {n}");
    }
}
