//! Offsets are integers of a width that the device has, too.

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn total(x: f32) -> f32 {
    x
}

fn main() {
    let _ = total::segments(&[0usize, 1], &[1.0f32]);
}
