#[warp_scan(op = affine, kind = exclusive, direction = reverse)]
pub fn affine_back(a: u32, b: u32) -> (u32, u32) {
    (a, b)
}
