#[warp_reduce(op = sum, land = all, init = 2.0, apply = |t| -> f64 { x * 2.0 + t })]
fn f(
    x: f64, #[per_column] c: i16, #[per_row] r: u8, #[uniform] u: f64, #[uniform] on: bool, #[index] i: u64, #[row] w: u64,
    #[len] n: u32, #[live] k: u32,
) -> f64 {
    let scale = u;
    if on && i < n as u64 { x * scale + c as f64 } else { (r as f64 - k as f64) / (w as f64 + 1.0) }
}
