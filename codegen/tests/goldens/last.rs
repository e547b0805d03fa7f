#[warp_reduce(op = last)]
pub fn last(x: i16, y: u64) -> (i16, u64) {
    (x, y)
}
