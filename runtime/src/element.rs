//! What may stand in an array: the scalars of the language and the structs of a `#[warp_module]`.

use cudarc::driver::DeviceRepr;
use half::{bf16, f16};

/// A type that inputs and outputs may hold: the same bytes on the host and on the device.
///
/// Implemented for the scalars of the language; `#[warp_module]` implements it for its structs.
/// Tuples are no elements: a result that is a tuple comes apart, one array a field
/// (see [`Outcome`](crate::Outcome)).
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand in an array of the device",
    label = "not an element",
    note = "elements are bool, i8 to i64, u8 to u64, f16, bf16, f32, f64, and structs of a `#[warp_module]`",
    note = "write `u32` or `u64` for `usize`; take a tuple apart into one array a field"
)]
pub trait Element: Copy + Send + Sync + 'static + DeviceRepr {
    /// The default: all fields zero or `false`. What a filter leaves behind the values it kept.
    const ZERO: Self;
    /// Whether some of its bytes belong to no field: kernels store fields, so that nothing writes those.
    const PADDED: bool = false;
}

macro_rules! elements {
    ($($ty:ty = $zero:expr),* $(,)?) => { $(impl Element for $ty { const ZERO: Self = $zero; })* };
}

elements! {
    bool = false,
    i8 = 0, i16 = 0, i32 = 0, i64 = 0,
    u8 = 0, u16 = 0, u32 = 0, u64 = 0,
    f16 = f16::ZERO, bf16 = bf16::ZERO,
    f32 = 0.0, f64 = 0.0,
}
