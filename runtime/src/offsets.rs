//! What says where segments start: offsets as in CSR.

use cudarc::driver::{CudaSlice, CudaView};

use crate::argument::Argument;
use crate::buffer::Buffer;
use crate::call;
use crate::element::Element;
use crate::error::Error;
use crate::input::Input;
use crate::place::{Cuda, Either, Host, Place};
use crate::spec::Spec;

/// The type of one offset: `u32`, `u64`, `i32` or `i64`.
#[diagnostic::on_unimplemented(
    message = "offsets are u32, u64, i32 or i64, not `{Self}`",
    label = "not a type of offsets",
    note = "convert them once, as with `let offsets: Vec<u64> = offsets.iter().map(|&at| at as u64).collect();`"
)]
pub trait Offset: Element {
    /// The offset of a position that another offset is at least as large as.
    #[doc(hidden)]
    fn of(position: usize) -> Self;
}

macro_rules! offset {
    ($($ty:ty)*) => { $(
        impl Offset for $ty {
            #[allow(
                clippy::cast_possible_wrap,
                clippy::cast_possible_truncation,
                reason = "an offset of this type is at least as large"
            )]
            fn of(position: usize) -> Self {
                position as Self
            }
        }
    )* };
}
offset! { u32 u64 i32 i64 }

/// The offsets of segments: where each starts, then where the last one ends. They live where the inputs live.
///
/// Implemented for what [`Input`] is implemented for, where the elements are `u32`, `u64`, `i32` or `i64`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds no offsets",
    label = "expected `&[O]`, `&Vec<O>`, `&[O; N]`, `&CudaSlice<O>`, `&CudaView<O>` or `&Buffer<O>`, where `O` is u32, u64, i32 or i64"
)]
pub trait Offsets: Sized {
    /// Where they live.
    type Place: Place;
    /// The type of one of them.
    type Offset: Offset;
    /// The array with its type erased.
    #[doc(hidden)]
    fn argument<'b>(self) -> Argument<'b>
    where
        Self: 'b;
}

macro_rules! offsets {
    ($([$($generic:tt)*] $ty:ty => $place:ty;)*) => { $(
        impl<$($generic)*> Offsets for $ty {
            type Place = $place;
            type Offset = O;
            fn argument<'b>(self) -> Argument<'b>
            where
                Self: 'b,
            {
                Input::<O>::argument(self)
            }
        }
    )* };
}

offsets! {
    [O: Offset] &[O] => Host;
    [O: Offset] &Vec<O> => Host;
    [O: Offset, const N: usize] &[O; N] => Host;
    [O: Offset] &CudaSlice<O> => Cuda;
    [O: Offset] &CudaView<'_, O> => Cuda;
    [O: Offset] &Buffer<O> => Either;
}

/// Whether the offsets of segments of `elements` elements are right for calls of the spec `S`: none is below 0, none is
/// below the one before it, and the last is at most `elements`.
///
/// `segments` does this by itself, and so does `segments_into` on the host. Of offsets on a device `segments_into` asks
/// nothing, because it only enqueues and the answer has to be waited for. So check them once, and then call `segments_into` as
/// often as you like. Offsets that were never checked give some results or others; nothing outside the arrays is read or
/// written. The kernel that checks belongs to a spec, as every kernel does; the answer is the same for all.
///
/// # Errors
/// [`Error::Offsets`] says what is wrong. While a graph is captured on the offsets' stream nothing can be waited for, and
/// nothing is checked.
///
/// ```
/// use warpfold::prelude::*;
///
/// #[warp_reduce(op = max, identity = -inf)]
/// pub fn largest(x: f32) -> f32 { x }
///
/// let x = [1.0_f32, 4.0, 3.0];
/// assert!(warpfold::check_offsets::<largest>(&[0_u32, 2, 3], x.len()).is_ok());
/// let error = warpfold::check_offsets::<largest>(&[0_u32, 2, 1], x.len()).unwrap_err();
/// assert!(error.to_string().contains("fall from 2 to 1"));
/// ```
pub fn check_offsets<S: Spec>(offsets: impl Offsets, elements: usize) -> Result<(), Error> {
    call::check_offsets::<S>(&offsets.argument(), elements)
}
