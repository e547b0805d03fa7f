//! Calls of a spec whose types are refused are no second mistake.
//!
//! Rule: type

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn total(x: usize, #[uniform] scale: f32) -> f32 {
    scale
}

#[warp_scan(op = sum)]
fn running(x: &[f32], #[index] i: u32) -> f32 {
    0.0
}

fn main() -> Result<(), warpfold::Error> {
    let _ = total::array(&[1usize, 2], 0.5)?;
    let _ = running::segments(&[0u32, 1], &[1.0f32])?;
    let _ = running::rows_in_place(Rows::new(1, 1), &mut [1.0f32])?;
    Ok(())
}
