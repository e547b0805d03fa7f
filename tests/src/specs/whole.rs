//! States as large as a lane carries, and tuples of the narrowest fields.

use warpfold::prelude::*;

#[warp_module]
pub mod full {
    use half::{bf16, f16};

    /// Fields of three sizes, so that there is padding between them.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Part {
        pub low: i16,
        pub wide: f64,
        pub flag: bool,
    }

    /// Exactly 64 bytes: the most that a lane carries.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Whole {
        pub half: f16,
        pub set: bool,
        pub byte: u8,
        pub word: u32,
        pub part: Part,
        pub brain: bf16,
        pub short: u16,
        pub single: f32,
        pub factor: u64,
        pub long: i64,
        pub tiny: i8,
        pub seen: bool,
        pub last: i16,
        pub tail: u32,
    }

    const NO_PART: Part = Part {
        low: 0,
        wide: f64::NEG_INFINITY,
        flag: false,
    };
    pub const NONE: Whole = Whole {
        half: f16::NEG_INFINITY,
        set: false,
        byte: 0,
        word: 0,
        part: NO_PART,
        brain: bf16::INFINITY,
        short: 0,
        single: f32::INFINITY,
        factor: 1,
        long: 0,
        tiny: i8::MAX,
        seen: false,
        last: 0,
        tail: u32::MAX,
    };

    /// Each field in a way of its own, all of which commute.
    fn join(a: Whole, b: Whole) -> Whole {
        Whole {
            half: a.half.max(b.half),
            set: a.set || b.set,
            byte: a.byte ^ b.byte,
            word: a.word.max(b.word),
            part: Part {
                low: a.part.low + b.part.low,
                wide: a.part.wide.max(b.part.wide),
                flag: a.part.flag != b.part.flag,
            },
            brain: a.brain.min(b.brain),
            short: a.short | b.short,
            single: a.single.min(b.single),
            factor: a.factor * b.factor,
            long: a.long + b.long,
            tiny: a.tiny.min(b.tiny),
            seen: a.seen || b.seen,
            last: a.last ^ b.last,
            tail: a.tail & b.tail,
        }
    }

    /// The last one that is seen, but for a recurrence in `factor` and `long` and what stands in 32 bits.
    fn follow(a: Whole, b: Whole) -> Whole {
        let newer = if b.seen { b } else { a };
        Whole {
            half: newer.half,
            set: newer.set,
            byte: newer.byte,
            word: a.word.max(b.word),
            part: newer.part,
            brain: newer.brain,
            short: newer.short,
            single: newer.single,
            factor: a.factor * b.factor,
            long: a.long * b.factor as i64 + b.long,
            tiny: newer.tiny,
            seen: newer.seen,
            last: newer.last,
            tail: a.tail & b.tail,
        }
    }

    /// What one element brings to `follow`: of one that is not seen, what stands in its own fields alone.
    fn shown(x: Whole) -> Whole {
        if x.seen {
            x
        } else {
            Whole {
                half: NONE.half,
                set: NONE.set,
                byte: NONE.byte,
                word: x.word,
                part: NONE.part,
                brain: NONE.brain,
                short: NONE.short,
                single: NONE.single,
                factor: x.factor,
                long: x.long,
                tiny: NONE.tiny,
                seen: NONE.seen,
                last: NONE.last,
                tail: x.tail,
            }
        }
    }

    #[warp_reduce(identity = NONE, op = join, commutative = true)]
    pub fn joined(x: Whole) -> Whole {
        x
    }

    #[warp_reduce(identity = NONE, op = join, commutative = true, land = all, apply = |s| -> Whole { s })]
    pub fn joined_everywhere(x: Whole) -> Whole {
        x
    }

    #[warp_reduce(identity = NONE, op = follow, land = 3, width = 16)]
    pub fn followed(x: Whole) -> Whole {
        shown(x)
    }

    #[warp_reduce(identity = NONE, op = follow, land = all, apply = |s| -> Whole { s })]
    pub fn followed_everywhere(x: Whole) -> Whole {
        shown(x)
    }

    #[warp_scan(identity = NONE, op = join, commutative = true)]
    pub fn joining(x: Whole) -> Whole {
        x
    }

    #[warp_scan(identity = NONE, op = follow)]
    pub fn following(x: Whole) -> Whole {
        shown(x)
    }

    #[warp_scan(identity = NONE, op = follow, kind = exclusive, direction = reverse)]
    pub fn following_back(x: Whole) -> Whole {
        shown(x)
    }

    #[warp_shuffle(from = rotate(5), width = 32)]
    pub fn rotated(x: Whole) -> Whole {
        x
    }

    #[warp_filter]
    pub fn seen(x: Whole) -> bool {
        x.seen
    }
}

const _: () = assert!(
    size_of::<full::Whole>() == 64,
    "a lane carries 64 bytes, and this is all of them"
);
