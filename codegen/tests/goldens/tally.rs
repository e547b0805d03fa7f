#[warp_scan(op = sum, kind = inclusive)]
pub fn tally(x: i16) -> i16 {
    x
}
