//! What a block of one's own reduces and scans: in both kinds and directions, votes, and a state of 40 bytes.

use warpfold::prelude::*;

macro_rules! affine {
    ($($name:ident $kind:ident $direction:ident)*) => { $(
        #[warp_scan(op = affine, kind = $kind, direction = $direction)]
        pub fn $name(a: u32, b: u32) -> (u32, u32) { (a, b) }
    )* };
}
affine! {
    affine inclusive forward
    affine_before exclusive forward
    affine_back inclusive reverse
    affine_behind exclusive reverse
}

#[warp_scan(op = max, kind = exclusive)]
pub fn peaks_before(x: f64) -> f64 {
    x
}

#[warp_scan(op = any)]
pub fn seen(x: bool) -> bool {
    x
}

#[warp_scan(op = all, direction = reverse)]
pub fn unbroken_to_the_end(x: bool) -> bool {
    x
}

#[warp_scan(op = count, kind = exclusive)]
pub fn ranks(x: bool) -> bool {
    x
}

#[warp_module]
pub mod wide {
    /// A matrix, the last number that was not 0, and whether one was set.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Matrix {
        pub a: u64,
        pub b: u64,
        pub c: u64,
        pub d: u64,
        pub last: u32,
        pub set: bool,
    }

    const ONE: Matrix = Matrix {
        a: 1,
        b: 0,
        c: 0,
        d: 1,
        last: 0,
        set: false,
    };

    fn times(p: Matrix, q: Matrix) -> Matrix {
        Matrix {
            a: p.a * q.a + p.b * q.c,
            b: p.a * q.b + p.b * q.d,
            c: p.c * q.a + p.d * q.c,
            d: p.c * q.b + p.d * q.d,
            last: if q.last == 0 { p.last } else { q.last },
            set: p.set || q.set,
        }
    }

    #[warp_reduce(identity = ONE, op = times)]
    pub fn product(x: Matrix) -> Matrix {
        x
    }

    #[warp_scan(identity = ONE, op = times)]
    pub fn products(x: Matrix) -> Matrix {
        x
    }

    #[warp_scan(identity = ONE, op = times, kind = exclusive, direction = reverse)]
    pub fn products_behind(x: Matrix) -> Matrix {
        x
    }
}
