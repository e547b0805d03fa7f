//! Generic calls take their arguments as a tuple.

use warpfold::prelude::*;

#[warp_reduce(op = sum)]
fn total(x: f32) -> f32 {
    x
}

fn of<S: Reduce<Result = f32>>(x: &[f32]) -> Result<f32, warpfold::Error> {
    S::array(x)
}

fn main() {
    let _ = of::<total>(&[1.0]);
}
