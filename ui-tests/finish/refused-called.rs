//! Calls of specs that are refused are no second mistake, whatever their form.
//!
//! Rule: closure, method, result-missing

use warpfold::prelude::*;

#[warp_reduce(op = sum, finish = |s| s.squared())]
fn total(x: f32) -> f32 {
    x
}

#[warp_scan(op = sum, finish = |s, t| s)]
fn running(x: f32) -> f32 {
    x
}

#[warp_filter(keep = |a| x)]
fn positive(x: f32) -> bool {
    x > 0.0
}

#[warp_shuffle(from = xor(1))]
fn partner(x: f32) {}

fn main() -> Result<(), warpfold::Error> {
    let x = [1.0f32, 2.0];
    let _: f32 = total::array(&x)?;
    let _: Vec<f32> = running::rows(Rows::new(1, 2), &x)?;
    let kept: Vec<f32> = positive::array(&x)?;
    let _: Vec<f32> = partner::rows(Rows::new(1, kept.len()), &kept)?;
    Ok(())
}
