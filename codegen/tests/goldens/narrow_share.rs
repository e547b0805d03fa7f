#[warp_reduce(op = sum, land = all, apply = |total| -> f16 { f16::from_f32(x * gamma / total) })]
pub fn narrow_share(x: f32, #[per_column] gamma: f32) -> f32 {
    x * gamma
}
