//! Fixed widths, masks and landing lanes: rows of any length give the same whatever they are.

use warpfold::{Device, Error, Rows};
use warpfold_tests::answer::{Equal, Fetch};
use warpfold_tests::check::Check;
use warpfold_tests::data::{random, whole};
use warpfold_tests::specs::custom;

type Sum = fn(&Device, Rows, &[f32]) -> Result<Vec<f32>, Error>;
type Ordered = fn(&Device, Rows, &[u32], &[u32]) -> Result<(Vec<u32>, Vec<u32>), Error>;

macro_rules! sums {
    ($($name:ident)*) => { [$((stringify!($name), |d, shape, x| custom::$name::rows(shape, &d.buffer(x)?)?.fetch())),*] };
}
macro_rules! ordered {
    ($($name:ident)*) => { [$((stringify!($name), |d, shape, a, b| {
        custom::$name::rows(shape, &d.buffer(a)?, &d.buffer(b)?)?.fetch()
    })),*] };
}

#[test]
fn sums_at_every_width() {
    let specs: [(&str, Sum); 8] = sums!(sum_1 sum_2 sum_4 sum_8 sum_16 sum_32 sum_masked sum_to_all);
    let mut check = Check::new();
    for (rows, cols) in [(33, 1), (33, 5), (17, 24), (5, 130), (3, 1111)] {
        let shape = Rows::new(rows, cols);
        let x = whole(cols as u64, rows * cols, 50);
        let y: Vec<f32> = random(cols as u64, rows * cols);
        let want: Vec<f32> = x
            .chunks(cols)
            .map(|row| row.iter().fold(-0.0, |a, b| a + b))
            .collect();
        for (name, sum) in specs {
            check.gives(format!("{name} over {shape:?}"), &want, |d| sum(d, shape, &x));
            check.same(format!("{name} over {shape:?}, rounded"), Equal::Bits, |d| {
                sum(d, shape, &y)
            });
        }
    }
    check.finish();
}

#[test]
fn in_order_at_every_width() {
    let specs: [(&str, Ordered); 6] = ordered!(ordered_1 ordered_2 ordered_4 ordered_8 ordered_16 ordered_32);
    let mut check = Check::new();
    for (rows, cols) in [(33, 1), (33, 5), (17, 24), (5, 130), (3, 1111)] {
        let shape = Rows::new(rows, cols);
        let (a, b): (Vec<u32>, Vec<u32>) = (random(1, rows * cols), random(2, rows * cols));
        let one = |(a, b): (&[u32], &[u32])| {
            a.iter().zip(b).fold((1_u32, 0_u32), |s, (&a, &b)| {
                (s.0.wrapping_mul(a), a.wrapping_mul(s.1).wrapping_add(b))
            })
        };
        let want: (Vec<u32>, Vec<u32>) = a.chunks(cols).zip(b.chunks(cols)).map(one).unzip();
        for (name, affine) in specs {
            check.gives(format!("{name} over {shape:?}"), &want, |d| {
                affine(d, shape, &a, &b)
            });
        }
    }
    check.finish();
}
