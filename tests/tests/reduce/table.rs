//! Every operator of the table, for every type it takes.

use half::{bf16, f16};
use warpfold::Rows;
use warpfold_tests::answer::{Answer, Equal, Fetch, Value};
use warpfold_tests::check::{Check, sizes};
use warpfold_tests::data::{random, row};
use warpfold_tests::specs::table as specs;

/// Rows, columns, stride: in a part of a warp, over several tiles.
const SHAPES: [(usize, usize, usize); 2] = [(37, 20, 32), (3, 5001, 5003)];

/// One answer a row of `x`, by `fold`.
fn by_row<T: Copy, R>(
    x: &[T],
    (rows, cols, stride): (usize, usize, usize),
    fold: impl Fn(&[T]) -> R,
) -> Vec<R> {
    (0..rows).map(|r| fold(row(x, r, cols, stride))).collect()
}

fn better<T: PartialOrd + Copy>(x: &[T], is_better: impl Fn(T, T) -> bool) -> usize {
    (1..x.len()).fold(0, |best, i| if is_better(x[i], x[best]) { i } else { best })
}

/// Integer arithmetic wraps; of floats the plain loop's rounding is another order's.
trait Number: Value + PartialOrd {
    /// How near a sum in one order is to that in another.
    const LOOSE: Equal;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
}
macro_rules! integers {
    ($($ty:ty)*) => { $(impl Number for $ty {
        const LOOSE: Equal = Equal::Bits;
        fn plus(self, other: Self) -> Self { self.wrapping_add(other) }
        fn times(self, other: Self) -> Self { self.wrapping_mul(other) }
    })* };
}
integers! { i8 i16 i32 i64 u8 u16 u32 u64 }
macro_rules! floats {
    ($($ty:ty, $within:expr;)*) => { $(impl Number for $ty {
        const LOOSE: Equal = Equal::Within($within);
        fn plus(self, other: Self) -> Self { self + other }
        fn times(self, other: Self) -> Self { self * other }
    })* };
}
floats! { f32, 1e-3; f64, 1e-9; }

macro_rules! numbers {
    ($($test:ident $module:ident $ty:ident;)*) => { $(
        #[test]
        fn $test() {
            use specs::$module::{argmax, argmin, first, last, max, maximum, min, minimum};
            let mut check = Check::new();
            for &shape @ (rows, cols, stride) in sizes(&SHAPES) {
                let x: Vec<$ty> = random(7, rows * stride);
                let rows = Rows::new(rows, cols).stride(stride);
                let label = |op: &str| format!("{op} of {} over {rows:?}", stringify!($ty));
                let low = by_row(&x, shape, |r| r[better(r, |a, b| a < b)]);
                let high = by_row(&x, shape, |r| r[better(r, |a, b| a > b)]);
                check.gives(label("min"), &low, |d| min::rows(rows, &d.buffer(&x)?)?.fetch());
                check.gives(label("max"), &high, |d| max::rows(rows, &d.buffer(&x)?)?.fetch());
                check.gives(label("minimum"), &low, |d| minimum::rows(rows, &d.buffer(&x)?)?.fetch());
                check.gives(label("maximum"), &high, |d| maximum::rows(rows, &d.buffer(&x)?)?.fetch());
                let at = by_row(&x, shape, |r| better(r, |a, b| a < b) as u64);
                check.gives(label("argmin"), &(low, at), |d| argmin::rows(rows, &d.buffer(&x)?)?.fetch());
                let at = by_row(&x, shape, |r| better(r, |a, b| a > b) as u64);
                check.gives(label("argmax"), &(high, at), |d| argmax::rows(rows, &d.buffer(&x)?)?.fetch());
                let head = by_row(&x, shape, |r| r[0]);
                check.gives(label("first"), &head, |d| first::rows(rows, &d.buffer(&x)?)?.fetch());
                let tail = by_row(&x, shape, |r| r[r.len() - 1]);
                check.gives(label("last"), &tail, |d| last::rows(rows, &d.buffer(&x)?)?.fetch());
            }
            check.finish();
        }
    )* };
}
numbers! {
    order_of_f32 of_f32 f32; order_of_f64 of_f64 f64; order_of_f16 of_f16 f16; order_of_bf16 of_bf16 bf16;
    order_of_i8 of_i8 i8; order_of_i16 of_i16 i16; order_of_i32 of_i32 i32; order_of_i64 of_i64 i64;
    order_of_u8 of_u8 u8; order_of_u16 of_u16 u16; order_of_u32 of_u32 u32; order_of_u64 of_u64 u64;
}

macro_rules! arithmetic {
    ($($test:ident $module:ident $ty:ident;)*) => { $(
        #[test]
        fn $test() {
            use specs::$module::{affine, product, sum};
            let mut check = Check::new();
            for &shape @ (rows, cols, stride) in sizes(&SHAPES) {
                let x: Vec<$ty> = random(8, rows * stride);
                let y: Vec<$ty> = random(9, rows * stride);
                let rows = Rows::new(rows, cols).stride(stride);
                let label = |op: &str| format!("{op} of {} over {rows:?}", stringify!($ty));
                let want = by_row(&x, shape, |r| r[1..].iter().fold(r[0], |a, &b| a.plus(b)));
                check.gives_about(label("sum"), $ty::LOOSE, &want, |d| sum::rows(rows, &d.buffer(&x)?)?.fetch());
                // Long products overflow or vanish; where they do the order decides, so only the GPU is compared.
                let exact = matches!($ty::LOOSE, Equal::Bits) || shape.1 <= 20;
                let want = by_row(&x, shape, |r| r[1..].iter().fold(r[0], |a, &b| a.times(b)));
                let got = check.same(label("product"), Equal::Bits, |d| product::rows(rows, &d.buffer(&x)?)?.fetch());
                if let Some(got) = got.filter(|_| exact) {
                    check.equal(label("product"), $ty::LOOSE, &got, &want);
                }
                let one = |r: usize| {
                    let (a, b) = (row(&x, r, shape.1, shape.2), row(&y, r, shape.1, shape.2));
                    a.iter().zip(b).skip(1).fold((a[0], b[0]), |s, (&a, &b)| (s.0.times(a), a.times(s.1).plus(b)))
                };
                let want: (Vec<$ty>, Vec<$ty>) = (0..shape.0).map(one).unzip();
                let got = check.same(label("affine"), Equal::Bits, |d| {
                    affine::rows(rows, &d.buffer(&x)?, &d.buffer(&y)?)?.fetch()
                });
                if let Some(got) = got.filter(|_| exact) {
                    check.equal(label("affine"), $ty::LOOSE, &got, &want);
                }
            }
            check.finish();
        }
    )* };
}
arithmetic! {
    arithmetic_of_f32 of_f32 f32; arithmetic_of_f64 of_f64 f64;
    arithmetic_of_i8 of_i8 i8; arithmetic_of_i16 of_i16 i16; arithmetic_of_i32 of_i32 i32; arithmetic_of_i64 of_i64 i64;
    arithmetic_of_u8 of_u8 u8; arithmetic_of_u16 of_u16 u16; arithmetic_of_u32 of_u32 u32; arithmetic_of_u64 of_u64 u64;
}

/// In the half types every step rounds: only CPU and GPU are compared, and the sum of a few exact values.
#[test]
fn arithmetic_of_half_types() {
    let mut check = Check::new();
    for &(rows, cols, stride) in sizes(&SHAPES) {
        let (x, y): (Vec<f16>, Vec<bf16>) = (random(3, rows * stride), random(4, rows * stride));
        let rows = Rows::new(rows, cols).stride(stride);
        let label = |op: &str| format!("{op} over {rows:?}");
        check.same(label("sum of f16"), Equal::Bits, |d| {
            specs::of_f16::sum::rows(rows, &d.buffer(&x)?)?.fetch()
        });
        check.same(label("product of f16"), Equal::Bits, |d| {
            specs::of_f16::product::rows(rows, &d.buffer(&x)?)?.fetch()
        });
        check.same(label("sum of bf16"), Equal::Bits, |d| {
            specs::of_bf16::sum::rows(rows, &d.buffer(&y)?)?.fetch()
        });
        check.same(label("product of bf16"), Equal::Bits, |d| {
            specs::of_bf16::product::rows(rows, &d.buffer(&y)?)?.fetch()
        });
    }
    let ones = vec![f16::ONE; 100];
    check.gives("a hundred", &vec![f16::from_f32(100.0)], |d| {
        specs::of_f16::sum::rows(Rows::new(1, 100), &d.buffer(&ones)?)?.fetch()
    });
    check.finish();
}

macro_rules! bits {
    ($($module:ident $ty:ident;)*) => {
        #[test]
        fn bits_of_every_integer() {
            let mut check = Check::new();
            for &shape @ (rows, cols, stride) in sizes(&SHAPES) {
                let rows = Rows::new(rows, cols).stride(stride);
                $({
                    use specs::$module::{and, or, xor};
                    let x: Vec<$ty> = random(5, shape.0 * stride);
                    let label = |op: &str| format!("{op} of {} over {rows:?}", stringify!($ty));
                    let want = by_row(&x, shape, |r| r[1..].iter().fold(r[0], |a, &b| a & b));
                    check.gives(label("and"), &want, |d| and::rows(rows, &d.buffer(&x)?)?.fetch());
                    let want = by_row(&x, shape, |r| r[1..].iter().fold(r[0], |a, &b| a | b));
                    check.gives(label("or"), &want, |d| or::rows(rows, &d.buffer(&x)?)?.fetch());
                    let want = by_row(&x, shape, |r| r[1..].iter().fold(r[0], |a, &b| a ^ b));
                    check.gives(label("xor"), &want, |d| xor::rows(rows, &d.buffer(&x)?)?.fetch());
                })*
            }
            check.finish();
        }
    };
}
bits! {
    bits_of_i8 i8; bits_of_i16 i16; bits_of_i32 i32; bits_of_i64 i64;
    bits_of_u8 u8; bits_of_u16 u16; bits_of_u32 u32; bits_of_u64 u64; bits_of_bool bool;
}

/// Softmax goes through `exp`, which is not the same on both; Welford is exact arithmetic.
#[test]
fn softmax_and_welford() {
    let mut check = Check::new();
    for &shape @ (rows, cols, stride) in sizes(&SHAPES) {
        let x: Vec<f32> = random(6, rows * stride);
        let wide: Vec<f64> = random(6, rows * stride);
        let rows = Rows::new(rows, cols).stride(stride);
        let label = |op: &str| format!("{op} over {rows:?}");

        let top = |r: &[f64]| r.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let total = |r: &[f64]| {
            let m = top(r);
            r.iter().map(|x| (x - m).exp()).sum::<f64>()
        };
        let got = check.same(label("softmax of f32"), Equal::Within(1e-5), |d| {
            specs::floats_of_f32::softmax::rows(rows, &d.buffer(&x)?)?.fetch()
        });
        let x64: Vec<f64> = x.iter().copied().map(f64::from).collect();
        if let Some((m, s)) = got {
            let want = by_row(&x64, shape, |r| top(r) as f32);
            check.equal(label("softmax of f32: max"), Equal::Bits, &m, &want);
            let want = by_row(&x64, shape, |r| total(r) as f32);
            check.equal(label("softmax of f32: sum"), Equal::Within(1e-4), &s, &want);
        }
        let got = check.same(label("softmax of f64"), Equal::Within(1e-12), |d| {
            specs::floats_of_f64::softmax::rows(rows, &d.buffer(&wide)?)?.fetch()
        });
        let want = (by_row(&wide, shape, top), by_row(&wide, shape, total));
        if let Some(got) = got {
            check.equal(label("softmax of f64"), Equal::Within(1e-10), &got, &want);
        }

        let mean = |r: &[f64]| r.iter().sum::<f64>() / r.len() as f64;
        let m2 = |r: &[f64]| {
            let mean = mean(r);
            r.iter().map(|x| (x - mean).powi(2)).sum::<f64>()
        };
        let want = (
            by_row(&wide, shape, |r| r.len() as f64),
            by_row(&wide, shape, mean),
            by_row(&wide, shape, m2),
        );
        check.gives_about(label("welford of f64"), Equal::Within(1e-10), &want, |d| {
            specs::floats_of_f64::welford::rows(rows, &d.buffer(&wide)?)?.fetch()
        });
        let want = (
            by_row(&x64, shape, |r| r.len() as f32),
            by_row(&x64, shape, |r| mean(r) as f32),
            by_row(&x64, shape, |r| m2(r) as f32),
        );
        check.gives_about(label("welford of f32"), Equal::Within(1e-4), &want, |d| {
            specs::floats_of_f32::welford::rows(rows, &d.buffer(&x)?)?.fetch()
        });
    }
    check.finish();
}

#[test]
fn the_reference_is_not_the_answer() {
    // The comparison itself must be able to fail.
    assert!(vec![1.0_f32].difference(&vec![1.5], f32::LOOSE).is_some());
    assert_eq!(better(&[3, 1, 2, 1], |a, b| a < b), 1);
}
