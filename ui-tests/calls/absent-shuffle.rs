//! A shuffle goes over rows alone.

use warpfold::prelude::*;

#[warp_shuffle(from = xor(1))]
fn partner(x: f32) -> f32 {
    x
}

fn main() -> Result<(), warpfold::Error> {
    let x = [1.0_f32; 12];
    let moved = partner::array(&x)?;
    let moved = partner::columns(Rows::new(3, 4), &x)?;
    let moved = partner::segments(&[0_u32, 12], &x)?;
    Ok(())
}
