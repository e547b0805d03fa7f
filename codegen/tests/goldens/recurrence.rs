#[warp_scan(identity = (1.0, 0.0), op = |p, q| (p.0 * q.0, q.0 * p.1 + q.1), direction = reverse, finish = |s| -> f32 { s.1 })]
pub fn recurrence(a: f32, b: f32) -> (f32, f32) {
    (a, b)
}
