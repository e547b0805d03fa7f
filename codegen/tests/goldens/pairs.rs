#[warp_filter(keep = || -> (f32, u64) { (a * 2.0, i) })]
pub fn pairs(a: f32, b: f32, #[index] i: u64) -> bool {
    a < b && !(a.is_nan() || b == 0.0)
}
