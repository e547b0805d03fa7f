//! Scans of every type.

use half::{bf16, f16};
use warpfold::Rows;
use warpfold_tests::answer::{Equal, Fetch};
use warpfold_tests::check::{Check, sizes};
use warpfold_tests::data::random;
use warpfold_tests::specs::table as specs;

const SHAPES: [(usize, usize, usize); 3] = [(37, 20, 32), (3, 1000, 1003), (1, 20_011, 20_011)];

macro_rules! types {
    ($($test:ident $module:ident $ty:ident $lowest:expr;)*) => { $(
        #[test]
        fn $test() {
            use specs::$module::{largest_after, running_sum};
            let mut check = Check::new();
            for &(rows, cols, stride) in sizes(&SHAPES) {
                let shape = Rows::new(rows, cols).stride(stride);
                let x: Vec<$ty> = random(1, rows * stride);
                check.same(format!("running_sum over {shape:?}"), Equal::Bits, |d| running_sum::rows(shape, &d.buffer(&x)?)?.fetch());
                let mut want = Vec::new();
                for r in 0..rows {
                    let mut best: $ty = $lowest;
                    let mut row = Vec::new();
                    for &x in x[r * stride..][..cols].iter().rev() {
                        row.push(best);
                        if x > best {
                            best = x;
                        }
                    }
                    want.extend(row.into_iter().rev());
                }
                check.gives(format!("largest_after over {shape:?}"), &want, |d| largest_after::rows(shape, &d.buffer(&x)?)?.fetch());
            }
            check.finish();
        }
    )* };
}
types! {
    scans_of_f32 of_f32 f32 f32::NEG_INFINITY; scans_of_f64 of_f64 f64 f64::NEG_INFINITY;
    scans_of_f16 of_f16 f16 f16::NEG_INFINITY; scans_of_bf16 of_bf16 bf16 bf16::NEG_INFINITY;
    scans_of_i8 of_i8 i8 i8::MIN; scans_of_i16 of_i16 i16 i16::MIN; scans_of_i32 of_i32 i32 i32::MIN; scans_of_i64 of_i64 i64 i64::MIN;
    scans_of_u8 of_u8 u8 0; scans_of_u16 of_u16 u16 0; scans_of_u32 of_u32 u32 0; scans_of_u64 of_u64 u64 0;
}
