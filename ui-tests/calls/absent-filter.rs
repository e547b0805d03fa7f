//! A filter has no `columns`.

use warpfold::prelude::*;

#[warp_filter]
fn positive(x: f32) -> bool {
    x > 0.0
}

fn main() -> Result<(), warpfold::Error> {
    let x = [1.0_f32; 12];
    let (kept, counts) = positive::columns(Rows::new(3, 4), &x)?;
    Ok(())
}
