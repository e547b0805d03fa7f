//! What a call may write into.

use cudarc::driver::{CudaSlice, CudaViewMut};

use crate::argument::Target;
use crate::buffer::Buffer;
use crate::element::Element;
use crate::place::{Cuda, Either, Host, Place};
use crate::raw::RawSliceMut;

/// An array that an `_into` call writes. It lives where the inputs live.
///
/// Implemented for `&mut [T]`, `&mut Vec<T>` (its length stays as it is), `&mut [T; N]`, `&mut CudaSlice<T>`,
/// `&mut CudaViewMut<T>`, [`&mut RawSliceMut<T>`](RawSliceMut) and `&mut Buffer<T>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no output of `{T}` elements",
    label = "expected `&mut [{T}]`, `&mut Vec<{T}>`, `&mut [{T}; N]`, `&mut CudaSlice<{T}>`, `&mut CudaViewMut<{T}>` or `&mut Buffer<{T}>`"
)]
pub trait Output<T: Element>: Sized {
    /// Where it lives.
    type Place: Place;
    /// The array with its type erased.
    fn target<'b>(self) -> Target<'b>
    where
        Self: 'b;
}

macro_rules! outputs {
    ($([$($generic:tt)*] $ty:ty => $place:ty, $erase:expr;)*) => { $(
        impl<$($generic)*> Output<T> for $ty {
            type Place = $place;
            fn target<'b>(self) -> Target<'b>
            where
                Self: 'b,
            {
                let erase: fn(Self) -> Target<'b> = $erase;
                erase(self)
            }
        }
    )* };
}

outputs! {
    [T: Element] &mut [T] => Host, |slice| Target::host(slice);
    [T: Element] &mut Vec<T> => Host, |slice| Target::host(slice);
    [T: Element, const N: usize] &mut [T; N] => Host, |slice| Target::host(slice);
    [T: Element] &mut CudaSlice<T> => Cuda, |slice| Target::Device(slice);
    [T: Element] &mut CudaViewMut<'_, T> => Cuda, |slice| Target::Device(slice);
    [T: Element] &mut RawSliceMut<'_, T> => Cuda, |slice| Target::Device(slice);
    [T: Element] &mut Buffer<T> => Either, |buffer| buffer.target();
}
