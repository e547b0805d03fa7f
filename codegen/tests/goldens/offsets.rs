#[warp_scan(op = sum, kind = exclusive)]
pub fn offsets(count: u32) -> u32 {
    count
}
