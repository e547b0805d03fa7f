#[warp_shuffle(from = rotate(5), width = 8)]
pub fn rotated(x: f64) -> (f64, bool) {
    (x, x > 1.0)
}
