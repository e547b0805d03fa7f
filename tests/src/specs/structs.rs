//! Structs as states and as elements.

use warpfold::prelude::*;

#[warp_module]
pub mod stats {
    /// Fields of three sizes, so that there is padding between them.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Mixed {
        pub low: i16,
        pub wide: f64,
        pub flag: bool,
    }

    fn merge(a: Mixed, b: Mixed) -> Mixed {
        Mixed {
            low: a.low + b.low,
            wide: a.wide.max(b.wide),
            flag: a.flag || b.flag,
        }
    }

    #[warp_reduce(identity = Mixed { low: 0, wide: -inf, flag: false }, op = merge)]
    pub fn mixed(x: f64, y: i16) -> Mixed {
        Mixed {
            low: y,
            wide: x,
            flag: y == 77,
        }
    }

    #[warp_reduce(identity = Mixed { low: 0, wide: -inf, flag: false }, op = merge)]
    pub fn mixed_elements(x: Mixed) -> Mixed {
        x
    }

    #[warp_reduce(identity = Mixed { low: 0, wide: -inf, flag: false }, op = merge, land = all, apply = |s| -> Mixed { s })]
    pub fn mixed_everywhere(x: Mixed) -> Mixed {
        x
    }

    #[warp_scan(identity = Mixed { low: 0, wide: -inf, flag: false }, op = merge)]
    pub fn mixed_scan(x: Mixed) -> Mixed {
        x
    }

    #[warp_shuffle(from = rotate(1), width = 32)]
    pub fn mixed_rotate(x: Mixed) -> Mixed {
        x
    }

    #[warp_filter]
    pub fn flagged(x: Mixed) -> bool {
        x.flag
    }

    /// A struct in a struct.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Nested {
        pub count: u8,
        pub inner: Mixed,
        pub tail: u16,
    }

    fn join(a: Nested, b: Nested) -> Nested {
        Nested {
            count: a.count + b.count,
            inner: merge(a.inner, b.inner),
            tail: a.tail ^ b.tail,
        }
    }

    #[warp_reduce(identity = Nested { count: 0, inner: Mixed { low: 0, wide: -inf, flag: false }, tail: 0 }, op = join)]
    pub fn nested(x: f64, y: i16) -> Nested {
        Nested {
            count: 1,
            inner: Mixed {
                low: y,
                wide: x,
                flag: y < 0,
            },
            tail: y as u16,
        }
    }
}
