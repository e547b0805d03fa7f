//! The one table of numeric methods: what bodies may call, on which types, and what comes back.
//!
//! The names are Rust's own (and `half`'s for `f16` and `bf16`). Both writers and the interpreter implement each
//! entry for each of its receivers, with Rust's release meaning. Where Rust would panic the table states a value:
//!
//! | method | where Rust panics | value here |
//! |---|---|---|
//! | `div_euclid`, `wrapping_div`, `div_ceil` by 0 | always | 0 |
//! | `rem_euclid`, `wrapping_rem` by 0 | always | the receiver |
//! | `MIN.div_euclid(-1)`, `MIN.rem_euclid(-1)` | always | `MIN`, 0 |
//! | `clamp` with bounds out of order or `NaN` | always | `if x < lo { lo } else if x > hi { hi } else { x }` |
//! | `ilog2` of 0 | always | 0 |
//! | `pow`, `abs`, `next_power_of_two` on overflow | debug builds only | wraps |
//!
//! A method that returns an `Option`, an `Ordering` or a `Result` is not of the language.

use crate::ir::{Scalar, Ty};

/// A set of scalar types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Set(u16);

impl Set {
    const fn of(scalars: &[Scalar]) -> Set {
        let (mut bits, mut i) = (0, 0);
        while i < scalars.len() {
            bits |= 1 << scalars[i] as u16;
            i += 1;
        }
        Set(bits)
    }

    const fn or(self, other: Set) -> Set {
        Set(self.0 | other.0)
    }

    /// Whether the type is in the set.
    pub const fn contains(self, scalar: Scalar) -> bool {
        self.0 & (1 << scalar as u16) != 0
    }

    /// The types of the set, in the order of [`Scalar::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Scalar> {
        Scalar::ALL
            .into_iter()
            .filter(move |&scalar| self.contains(scalar))
    }
}

const F: Set = Set::of(&[Scalar::F32, Scalar::F64]);
const H: Set = Set::of(&[Scalar::F16, Scalar::Bf16]);
const FH: Set = F.or(H);
const S: Set = Set::of(&[Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64]);
const U: Set = Set::of(&[Scalar::U8, Scalar::U16, Scalar::U32, Scalar::U64]);
const I: Set = S.or(U);

/// The type of an argument or a result, seen from the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The receiver's own type.
    Own,
    /// Always this type.
    Fixed(Scalar),
    /// The unsigned integer as wide as the receiver.
    Unsigned,
}

impl Shape {
    /// The type it stands for where the receiver has the given type.
    pub const fn on(self, receiver: Scalar) -> Scalar {
        match self {
            Own => receiver,
            Fixed(scalar) => scalar,
            Unsigned => match receiver.bits() {
                8 => Scalar::U8,
                16 => Scalar::U16,
                32 => Scalar::U32,
                _ => Scalar::U64,
            },
        }
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// Rust's name.
    pub name: &'static str,
    /// The types that have it.
    pub receivers: Set,
    /// What it takes beside the receiver (of an associated function: all it takes).
    pub args: &'static [Shape],
    /// What it gives.
    pub ret: Shape,
    /// An associated function (`f32::from_bits(b)`): it has no receiver, the type before `::` plays its part.
    /// In [`crate::ir::ExprKind::Method`] its `args` are then the arguments alone, and the type is the expression's.
    pub associated: bool,
}

impl Method {
    /// The result's type for a receiver of the given type.
    pub fn result(&self, receiver: Scalar) -> Ty {
        Ty::Scalar(self.ret.on(receiver))
    }
}

use Shape::{Fixed, Own, Unsigned};

const BOOL: Shape = Fixed(Scalar::Bool);
const U32: Shape = Fixed(Scalar::U32);

const fn row(name: &'static str, receivers: Set, args: &'static [Shape], ret: Shape) -> Method {
    Method {
        name,
        receivers,
        args,
        ret,
        associated: false,
    }
}

const fn associated(name: &'static str, receivers: Set, args: &'static [Shape]) -> Method {
    Method {
        name,
        receivers,
        args,
        ret: Own,
        associated: true,
    }
}

/// The table, by theme.
#[rustfmt::skip]
pub const METHODS: &[Method] = &[
    // Order.
    row("max", FH.or(I), &[Own], Own),
    row("min", FH.or(I), &[Own], Own),
    row("clamp", FH.or(I), &[Own, Own], Own),
    // Signs.
    row("abs", F.or(S), &[], Own),
    row("signum", FH.or(S), &[], Own),
    row("copysign", FH, &[Own], Own),
    row("is_positive", S, &[], BOOL),
    row("is_negative", S, &[], BOOL),
    row("is_sign_positive", FH, &[], BOOL),
    row("is_sign_negative", FH, &[], BOOL),
    row("abs_diff", I, &[Own], Unsigned),
    row("unsigned_abs", S, &[], Unsigned),
    // Classes of floats.
    row("is_nan", FH, &[], BOOL),
    row("is_infinite", FH, &[], BOOL),
    row("is_finite", FH, &[], BOOL),
    row("is_normal", FH, &[], BOOL),
    // Rounding.
    row("floor", F, &[], Own),
    row("ceil", F, &[], Own),
    row("round", F, &[], Own),
    row("round_ties_even", F, &[], Own),
    row("trunc", F, &[], Own),
    row("fract", F, &[], Own),
    // Exact arithmetic of floats.
    row("mul_add", F, &[Own, Own], Own),
    row("sqrt", F, &[], Own),
    row("recip", F, &[], Own),
    row("to_degrees", F, &[], Own),
    row("to_radians", F, &[], Own),
    // Transcendental functions.
    row("exp", F, &[], Own),
    row("exp2", F, &[], Own),
    row("exp_m1", F, &[], Own),
    row("ln", F, &[], Own),
    row("ln_1p", F, &[], Own),
    row("log2", F, &[], Own),
    row("log10", F, &[], Own),
    row("log", F, &[Own], Own),
    row("powi", F, &[Fixed(Scalar::I32)], Own),
    row("powf", F, &[Own], Own),
    row("cbrt", F, &[], Own),
    row("hypot", F, &[Own], Own),
    row("sin", F, &[], Own),
    row("cos", F, &[], Own),
    row("tan", F, &[], Own),
    row("asin", F, &[], Own),
    row("acos", F, &[], Own),
    row("atan", F, &[], Own),
    row("atan2", F, &[Own], Own),
    row("sinh", F, &[], Own),
    row("cosh", F, &[], Own),
    row("tanh", F, &[], Own),
    row("asinh", F, &[], Own),
    row("acosh", F, &[], Own),
    row("atanh", F, &[], Own),
    // Integers: arithmetic that says what it does on overflow.
    row("pow", I, &[U32], Own),
    row("wrapping_add", I, &[Own], Own),
    row("wrapping_sub", I, &[Own], Own),
    row("wrapping_mul", I, &[Own], Own),
    row("wrapping_div", I, &[Own], Own),
    row("wrapping_rem", I, &[Own], Own),
    row("wrapping_neg", I, &[], Own),
    row("wrapping_abs", S, &[], Own),
    row("wrapping_pow", I, &[U32], Own),
    row("wrapping_shl", I, &[U32], Own),
    row("wrapping_shr", I, &[U32], Own),
    row("saturating_add", I, &[Own], Own),
    row("saturating_sub", I, &[Own], Own),
    row("saturating_mul", I, &[Own], Own),
    // Division that rounds its own way.
    row("div_euclid", I.or(F), &[Own], Own),
    row("rem_euclid", I.or(F), &[Own], Own),
    row("div_ceil", U, &[Own], Own),
    // Bits.
    row("count_ones", I, &[], U32),
    row("count_zeros", I, &[], U32),
    row("leading_zeros", I, &[], U32),
    row("trailing_zeros", I, &[], U32),
    row("leading_ones", I, &[], U32),
    row("trailing_ones", I, &[], U32),
    row("rotate_left", I, &[U32], Own),
    row("rotate_right", I, &[U32], Own),
    row("swap_bytes", I, &[], Own),
    row("reverse_bits", I, &[], Own),
    row("is_power_of_two", U, &[], BOOL),
    row("next_power_of_two", U, &[], Own),
    row("ilog2", U, &[], U32),
    row("to_bits", FH, &[], Unsigned),
    associated("from_bits", FH, &[Unsigned]),
    // `half`'s conversions.
    row("to_f32", H, &[], Fixed(Scalar::F32)),
    row("to_f64", H, &[], Fixed(Scalar::F64)),
    associated("from_f32", H, &[Fixed(Scalar::F32)]),
    associated("from_f64", H, &[Fixed(Scalar::F64)]),
];

/// The row of a method for a receiver.
pub fn find(name: &str, receiver: Scalar, associated: bool) -> Option<&'static Method> {
    METHODS
        .iter()
        .find(|m| m.name == name && m.receivers.contains(receiver) && (!associated || m.associated))
}

/// Letters for what a method takes, for messages: `a, b`.
pub fn letters(method: &Method) -> String {
    ["a", "b", "c"][..method.args.len().min(3)].join(", ")
}

/// The names that a receiver has, for messages.
pub fn names(receiver: Scalar) -> Vec<&'static str> {
    METHODS
        .iter()
        .filter(|m| m.receivers.contains(receiver))
        .map(|m| m.name)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_stands_twice_for_one_receiver() {
        for (i, a) in METHODS.iter().enumerate() {
            for b in &METHODS[i + 1..] {
                let shared = Scalar::ALL
                    .into_iter()
                    .any(|s| a.receivers.contains(s) && b.receivers.contains(s));
                assert!(a.name != b.name || !shared, "`{}` stands twice", a.name);
            }
        }
    }

    #[test]
    fn shapes_follow_the_receiver() {
        assert_eq!(
            find("to_bits", Scalar::F64, false).unwrap().result(Scalar::F64),
            Ty::Scalar(Scalar::U64)
        );
        assert_eq!(
            find("to_bits", Scalar::Bf16, false).unwrap().result(Scalar::Bf16),
            Ty::Scalar(Scalar::U16)
        );
        assert_eq!(
            find("abs_diff", Scalar::I8, false).unwrap().result(Scalar::I8),
            Ty::Scalar(Scalar::U8)
        );
        assert!(find("abs", Scalar::U32, false).is_none());
        assert!(find("from_bits", Scalar::F32, true).is_some());
        assert!(find("sqrt", Scalar::F32, true).is_none());
    }
}
