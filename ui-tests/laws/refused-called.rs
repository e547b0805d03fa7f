//! Calls of a spec that is refused are no second mistake.
//!
//! Rule: law-neutral

use warpfold::prelude::*;

#[warp_reduce(identity = 1.0, op = |a, b| a + b)]
fn total(x: f32) -> f32 {
    x
}

fn main() -> Result<(), warpfold::Error> {
    let sums: Vec<f32> = total::rows(Rows::new(1, 2), &[1.0f32, 2.0])?;
    let all: f32 = total::array(&sums)?;
    total::rows_into(Rows::new(1, 1), &[all], &mut [0.0f32])?;
    println!("{} {}", total::plan(), total::combine(total::identity(), all));
    Ok(())
}
