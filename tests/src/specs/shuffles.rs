//! Shuffles: every source at several widths.

use warpfold::prelude::*;

macro_rules! shuffles {
    ($($name:ident $from:ident $k:literal $width:literal)*) => { $(
        #[warp_shuffle(from = $from($k), width = $width)]
        pub fn $name(x: i32) -> i32 { x }
    )* };
}
shuffles! {
    lane_5_of_32 lane 5 32 lane_5_of_16 lane 5 16 up_5_of_16 up 5 16 down_5_of_16 down 5 16 xor_16_of_32 xor 16 32
    lane_0_of_1 lane 0 1 up_1_of_2 up 1 2 down_3_of_4 down 3 4 xor_5_of_8 xor 5 8 xor_31_of_32 xor 31 32
    rotate_3_of_8 rotate 3 8 rotate_31_of_32 rotate 31 32 rotate_1_of_2 rotate 1 2 up_31_of_32 up 31 32
}

/// A tuple moves field by field.
#[warp_shuffle(from = xor(1), width = 4)]
pub fn swapped(x: f64, y: u8) -> (f64, u8, bool) {
    (x * 0.5, y + 1, y > 100)
}

#[warp_shuffle(from = up(1))]
pub fn before(x: u64, #[index] i: u64, #[uniform] step: u64) -> u64 {
    x + i * step
}

#[warp_shuffle(from = xor(1))]
pub fn neighbour(x: f32) -> f32 {
    x
}
