#[warp_reduce(op = any, land = all)]
pub fn any_set(x: u8, #[uniform] mask: u8) -> bool {
    x & mask != 0
}
