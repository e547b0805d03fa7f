//! Calls of a spec that is refused are no second mistake.
//!
//! Rule: mismatch

use warpfold::prelude::*;

#[warp_scan(op = sum)]
fn running(x: f32, #[index] i: u32) -> f32 {
    x * i
}

fn main() -> Result<(), warpfold::Error> {
    let sums: Vec<f32> = running::rows(Rows::new(1, 2), &[1.0f32, 2.0])?;
    let _: Vec<f32> = running::segments(&[0u32, 1], &sums)?;
    Ok(())
}
