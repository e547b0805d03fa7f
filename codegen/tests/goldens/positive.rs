#[warp_filter]
pub fn positive(x: f32) -> bool {
    x > 0.0
}
