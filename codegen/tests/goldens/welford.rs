#[warp_reduce(op = welford, land = all, apply = |t| -> f32 { (x - t.1) * (t.2 / t.0 + 1e-5).sqrt().recip() })]
pub fn layer_norm(x: f32) -> f32 {
    x
}
