//! The table's operators, for each type that they take.

use warpfold::prelude::*;

macro_rules! numbers {
    ($($module:ident $ty:ident)*) => { $(pub mod $module {
        #[allow(unused_imports, reason = "some types are of the language, some are of half")]
        use half::{bf16, f16};
        use warpfold::prelude::*;

        #[warp_reduce(op = sum)]
        pub fn sum(x: $ty) -> $ty { x }
        #[warp_reduce(op = product)]
        pub fn product(x: $ty) -> $ty { x }
        #[warp_reduce(op = min)]
        pub fn min(x: $ty) -> $ty { x }
        #[warp_reduce(op = max)]
        pub fn max(x: $ty) -> $ty { x }
        #[warp_reduce(op = minimum)]
        pub fn minimum(x: $ty) -> $ty { x }
        #[warp_reduce(op = maximum)]
        pub fn maximum(x: $ty) -> $ty { x }
        #[warp_reduce(op = argmin)]
        pub fn argmin(x: $ty) -> $ty { x }
        #[warp_reduce(op = argmax)]
        pub fn argmax(x: $ty) -> $ty { x }
        #[warp_reduce(op = first)]
        pub fn first(x: $ty) -> $ty { x }
        #[warp_reduce(op = last)]
        pub fn last(x: $ty) -> $ty { x }
        #[warp_reduce(op = affine)]
        pub fn affine(a: $ty, b: $ty) -> ($ty, $ty) { (a, b) }
        #[warp_scan(op = sum)]
        pub fn running_sum(x: $ty) -> $ty { x }
        #[warp_scan(op = max, kind = exclusive, direction = reverse)]
        pub fn largest_after(x: $ty) -> $ty { x }
    })* };
}
numbers! {
    of_f32 f32 of_f64 f64 of_f16 f16 of_bf16 bf16
    of_i8 i8 of_i16 i16 of_i32 i32 of_i64 i64 of_u8 u8 of_u16 u16 of_u32 u32 of_u64 u64
}

macro_rules! bits {
    ($($module:ident $ty:ident)*) => { $(pub mod $module {
        use warpfold::prelude::*;

        #[warp_reduce(op = and)]
        pub fn and(x: $ty) -> $ty { x }
        #[warp_reduce(op = or)]
        pub fn or(x: $ty) -> $ty { x }
        #[warp_reduce(op = xor)]
        pub fn xor(x: $ty) -> $ty { x }
    })* };
}
bits! {
    bits_of_i8 i8 bits_of_i16 i16 bits_of_i32 i32 bits_of_i64 i64
    bits_of_u8 u8 bits_of_u16 u16 bits_of_u32 u32 bits_of_u64 u64 bits_of_bool bool
}

macro_rules! floats {
    ($($module:ident $ty:ident)*) => { $(pub mod $module {
        use warpfold::prelude::*;

        #[warp_reduce(op = softmax)]
        pub fn softmax(x: $ty) -> $ty { x }
        #[warp_reduce(op = welford)]
        pub fn welford(x: $ty) -> $ty { x }
    })* };
}
floats! { floats_of_f32 f32 floats_of_f64 f64 }

#[warp_reduce(op = any)]
pub fn any(x: f32) -> bool {
    x > 1.5
}

#[warp_reduce(op = all)]
pub fn all(x: f32) -> bool {
    x > -7.5
}

#[warp_reduce(op = count)]
pub fn count(x: f32) -> bool {
    x > 0.0
}

#[warp_reduce(op = ballot)]
pub fn ballot(x: f32) -> bool {
    x > 0.0
}

#[warp_reduce(op = any)]
pub fn any_bool(x: bool) -> bool {
    x
}

#[warp_reduce(op = count, width = 8)]
pub fn count_by_eight(x: u8) -> bool {
    x & 1 == 1
}

#[warp_reduce(op = ballot, width = 4)]
pub fn ballot_by_four(x: u8) -> bool {
    x & 1 == 1
}
