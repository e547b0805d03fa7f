#[warp_scan(identity = (false, 0), op = |p, q| if q.0 { q } else { p })]
pub fn last_writer(x: u32) -> (bool, u32) {
    (x != 0, x)
}
