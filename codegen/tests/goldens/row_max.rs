#[warp_reduce(op = max, identity = -inf, width = 32, land = all)]
pub fn row_max(x: f32) -> f32 {
    x
}
