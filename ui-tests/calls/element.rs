//! Buffers hold what the device has a type for.

use warpfold::prelude::*;

fn wrong(device: &Device) {
    let _ = device.buffer(&[1usize, 2]);
}

fn main() {}
