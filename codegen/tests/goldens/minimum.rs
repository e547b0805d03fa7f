#[warp_scan(op = minimum, direction = reverse, kind = exclusive)]
pub fn minimum(x: f16, #[row] r: u32) -> f16 {
    if r == 0 { x } else { -x }
}
