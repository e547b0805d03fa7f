#[warp_reduce(op = sum, finish = |s| -> f32 { s / k as f32 * scale })]
pub fn ragged(x: f16, #[live] k: u32, #[per_row] scale: f32, #[index] i: u32) -> f32 {
    if i % 2 == 0 { x.to_f32() } else { -x.to_f32() }
}
