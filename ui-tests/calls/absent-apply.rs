//! With `apply` there are `rows` and `segments`.

use warpfold::prelude::*;

#[warp_reduce(op = sum, land = all, apply = |total| -> f32 { x / total * gamma })]
fn share(x: f32, #[per_column] gamma: f32) -> f32 {
    x
}

fn main() -> Result<(), warpfold::Error> {
    let x = vec![1.0_f32; 12];
    let all = share::array(&x, &x)?;
    println!("{}", all.len());
    let down: Vec<f32> = share::columns(Rows::new(3, 4), &x, &x)?;
    Ok(())
}
