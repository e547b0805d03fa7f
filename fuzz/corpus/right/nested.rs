#[warp_module]
mod m {
    use core::f32::consts::{LN_2, PI};
    const SCALE: f32 = LN_2 * 2.0;
    const LIMITS: (u8, i64) = (7, -3);
    #[derive(Clone, Copy)]
    pub struct Inner { a: u8, b: f32 }
    #[derive(Clone, Copy)]
    pub struct Outer { inner: Inner, best: i64, any: bool }
    fn pick(p: Inner, q: Inner) -> Inner { if q.b > p.b || (q.b == p.b && q.a < p.a) { q } else { p } }
    fn join(p: Outer, q: Outer) -> Outer {
        Outer { inner: pick(p.inner, q.inner), best: p.best.max(q.best), any: p.any | q.any }
    }
    #[warp_reduce(
        op = join, commutative = true, width = 16,
        identity = Outer { inner: Inner { a: MAX, b: -inf }, best: MIN, any: false },
        finish = |s| -> (f32, i64) { (s.inner.b, s.best) }
    )]
    pub fn both(x: f32, y: i64, #[index] i: u32) -> Outer {
        let mut inner = Inner { a: (i & 31) as u8, b: x * SCALE };
        for k in 0..LIMITS.0 { inner.b += k as f32 * PI; }
        Outer { inner, best: y.wrapping_add(LIMITS.1), any: match i { 0 | 5..=9 => true, n if n > 100 => x > 0.0, _ => false } }
    }
    #[warp_filter(keep = || (x, i))]
    pub fn large(x: f32, #[index] i: u64) -> bool { x.abs() > SCALE }
}
