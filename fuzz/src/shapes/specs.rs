//! The specs that are called, and each form's call.

use warpfold::Error;
use warpfold::prelude::*;

use super::{Call, Form};

/// A fold that tells every order, position, row and length apart.
#[warp_reduce(identity = (1, 0), op = |p, q| (p.0 * q.0, q.0 * p.1 + q.1), finish = |s| -> u32 { s.1 + r * 31 + n })]
fn mix(x: u32, #[index] i: u32, #[row] r: u32, #[len] n: u32) -> (u32, u32) {
    (x | 1, x ^ i)
}

/// The same of elements alone: columns have no positions.
#[warp_reduce(identity = (1, 0), op = |p, q| (p.0 * q.0, q.0 * p.1 + q.1), finish = |s| -> u32 { s.1 })]
fn plain(x: u32) -> (u32, u32) {
    (x | 1, x)
}

#[warp_reduce(op = sum, land = all, apply = |total| -> u32 { x * 3 + total + i * 7 + r })]
fn shared(x: u32, #[index] i: u32, #[row] r: u32) -> u32 {
    x ^ i
}

#[warp_scan(identity = (1, 0), op = |p, q| (p.0 * q.0, q.0 * p.1 + q.1), finish = |s| -> u32 { s.1 + r * 31 + n })]
fn running(x: u32, #[index] i: u32, #[row] r: u32, #[len] n: u32) -> (u32, u32) {
    (x | 1, x ^ i)
}

#[warp_scan(identity = (1, 0), op = |p, q| (p.0 * q.0, q.0 * p.1 + q.1), kind = exclusive, direction = reverse,
    finish = |s| -> u32 { s.1 })]
fn behind(x: u32) -> (u32, u32) {
    (x | 1, x)
}

#[warp_filter]
fn odd(x: u32, #[index] i: u32) -> bool {
    (x ^ i) & 1 == 1
}

#[warp_shuffle(from = xor(3), width = 8)]
fn turned(x: u32) -> u32 {
    x
}

/// Makes the call, into `out` and `counts`.
pub fn launch(call: &Call, out: &mut [u32], counts: &mut [u64]) -> Result<(), Error> {
    let (shape, x, offsets) = (call.shape(), &call.x[..], &call.offsets[..]);
    match call.form {
        Form::ReduceRows => mix::rows_into(shape, x, out),
        Form::ReduceColumns => plain::columns_into(shape, x, out),
        Form::ReduceArray => mix::array_into(x, out),
        Form::ReduceSegments => mix::segments_into(offsets, x, out),
        Form::Apply => shared::rows_into(shape, x, out),
        Form::ScanRows => running::rows_into(shape, x, out),
        Form::ScanArray => running::array_into(x, out),
        Form::ScanSegments => running::segments_into(offsets, x, out),
        Form::BackRows => behind::rows_into(shape, x, out),
        Form::BackArray => behind::array_into(x, out),
        Form::FilterRows => odd::rows_into(shape, x, out, counts),
        Form::FilterArray => odd::array_into(x, out, counts),
        Form::FilterIndices => {
            // The room is that of positions; they are told as elements.
            let mut positions = vec![u64::from(super::BEFORE); out.len()];
            let answer = odd::indices_into(x, &mut positions, counts);
            for (to, from) in out.iter_mut().zip(positions) {
                *to = from as u32;
            }
            answer
        }
        Form::Shuffle => turned::rows_into(shape, x, out),
    }
}
