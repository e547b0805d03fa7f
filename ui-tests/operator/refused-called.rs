//! Calls of a spec that is refused are no second mistake.
//!
//! Rule: op-name

use warpfold::prelude::*;

#[warp_reduce(op = summ)]
fn total(x: f32) -> f32 {
    x
}

fn main() -> Result<(), warpfold::Error> {
    let sums: Vec<f32> = total::rows(Rows::new(1, 2), &[1.0f32, 2.0])?;
    let _: f32 = total::array(&sums)?;
    Ok(())
}
