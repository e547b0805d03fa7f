#[warp_reduce(op = count)]
pub fn positive(x: i8) -> bool {
    x >= 0
}
