#[warp_module]
mod stats {
    use half::bf16;

    const NONE: f32 = 0.0;
    const ONE: f32 = NONE + 1.0;

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Moments {
        pub n: f32,
        pub mean: f32,
        pub m2: f32,
        pub double: bool,
    }

    fn square(x: f32) -> f32 {
        x * x
    }

    fn unused(x: f32) -> f32 {
        x
    }

    fn merge(a: Moments, b: Moments) -> Moments {
        if a.n == NONE {
            b
        } else if b.n == NONE {
            a
        } else {
            let n = a.n + b.n;
            let delta = b.mean - a.mean;
            let mut merged = a;
            merged.n = n;
            merged.mean += delta * (b.n / n);
            merged.m2 = a.m2 + b.m2 + square(delta) * (a.n * b.n / n);
            merged
        }
    }

    #[warp_reduce(
        identity = Moments { n: 0.0, mean: 0.0, m2: 0.0, double: false },
        op = merge,
        laws = trusted,
        finish = |s| -> (f32, f32) { (s.mean, s.m2 / s.n) }
    )]
    pub fn variance(x: bf16) -> Moments {
        Moments { n: ONE, mean: x.to_f32(), m2: NONE, double: false }
    }
}
