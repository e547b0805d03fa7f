#[warp_reduce(op = sum, land = all,
    apply = |total| -> f32 { x * (total / n as f32 + eps).sqrt().recip() * gamma })]
pub fn rms_norm(x: f32, #[per_column] gamma: f32, #[uniform] eps: f32, #[len] n: u32) -> f32 {
    x * x
}
