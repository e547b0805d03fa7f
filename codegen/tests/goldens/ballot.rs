#[warp_reduce(op = ballot)]
pub fn signs(x: f64) -> bool {
    x.is_sign_negative()
}
