#[warp_shuffle(from = down(3), width = 16)]
pub fn partner(x: i32) -> i32 {
    x
}
