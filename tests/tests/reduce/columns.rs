//! Reductions down columns.

use warpfold::Rows;
use warpfold_tests::answer::{Equal, Fetch};
use warpfold_tests::check::Check;
use warpfold_tests::data::{random, whole};
use warpfold_tests::specs::columns;

#[test]
fn one_result_a_column() {
    let mut check = Check::new();
    for (rows, cols, stride) in [
        (20, 37, 40),
        (1, 100, 100),
        (33, 5, 5),
        (1000, 64, 64),
        (4097, 3, 3),
        (40_000, 2, 2),
        (0, 5, 5),
        (7, 1000, 1000),
    ] {
        let shape = Rows::new(rows, cols).stride(stride);
        let label = |op: &str| format!("{op} down {shape:?}");
        let x = whole(1, rows * stride, 9);
        let (a, b): (Vec<u32>, Vec<u32>) = (random(2, rows * stride), random(3, rows * stride));
        let want: Vec<f32> = (0..cols)
            .map(|c| (0..rows).fold(-0.0, |s, r| s + x[r * stride + c]))
            .collect();
        check.gives(label("sum"), &want, |d| {
            columns::sum::columns(shape, &d.buffer(&x)?)?.fetch()
        });
        let rounded: Vec<f32> = random(4, rows * stride);
        check.same(label("sum, rounded"), Equal::Bits, |d| {
            columns::sum::columns(shape, &d.buffer(&rounded)?)?.fetch()
        });
        let best = |c: usize| {
            (0..rows).fold((f32::NEG_INFINITY, u64::MAX), |best, r| {
                if x[r * stride + c] > best.0 {
                    (x[r * stride + c], r as u64)
                } else {
                    best
                }
            })
        };
        let want: (Vec<f32>, Vec<u64>) = (0..cols).map(best).unzip();
        check.gives(label("top"), &want, |d| {
            columns::top::columns(shape, &d.buffer(&x)?)?.fetch()
        });
        let one = |c: usize| {
            (0..rows).map(|r| r * stride + c).fold((1_u32, 0_u32), |s, i| {
                (s.0.wrapping_mul(a[i]), a[i].wrapping_mul(s.1).wrapping_add(b[i]))
            })
        };
        let want: (Vec<u32>, Vec<u32>) = (0..cols).map(one).unzip();
        check.gives(label("ordered"), &want, |d| {
            columns::ordered::columns(shape, &d.buffer(&a)?, &d.buffer(&b)?)?.fetch()
        });
        check.gives(label("ordered, into"), &want, |d| {
            let (mut first, mut second) = (d.zeros::<u32>(cols)?, d.zeros::<u32>(cols)?);
            columns::ordered::columns_into(shape, &d.buffer(&a)?, &d.buffer(&b)?, &mut first, &mut second)?;
            Ok((first.fetch()?, second.fetch()?))
        });
    }
    check.finish();
}
