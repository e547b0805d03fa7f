#[warp_reduce(op = sum)]
pub fn choices(x: i32, kind: u8, #[uniform] level: i64) -> i32 {
    match (kind & 3, level > 0) {
        (0, true) => x,
        (1 | 2, _) => {
            let half = x / 2;
            half - 1
        }
        (n, false) if n > 2 => n as i32,
        (_, _) => match level {
            0..=5 => 1,
            300 => 2,
            other => other as i32,
        },
    }
}
