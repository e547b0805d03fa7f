#[warp_reduce(op = sum, width = 8, mask = 0x0000ffff, land = 3, init = 7)]
pub fn masked(x: u32) -> u32 {
    x
}
