#[warp_scan(op = affine)]
pub fn affine(a: u32, b: u32) -> (u32, u32) {
    (a, b)
}
