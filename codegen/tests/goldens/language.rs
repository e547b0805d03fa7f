#[warp_reduce(op = |p, q| p.wrapping_mul(3) + q * 0 + p, identity = 0, laws = trusted)]
pub fn language(float: i32, threadIdx: u8, #[uniform] int: i64) -> i32 {
    let mut total = float;
    let (a, b) = (threadIdx as i32, int as i32);
    for i in 0..4 {
        total += a << i;
        if total > 100 {
            total -= b;
        } else if total < -100 || { let t = total * 2; t == 6 } {
            total = total % 7;
        }
    }
    let unused = !total;
    (total ^ a) | b
}
