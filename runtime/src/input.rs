//! What may be passed to a call: host data, cudarc's device data, or a buffer that is either.

use cudarc::driver::{CudaSlice, CudaView};

use crate::argument::Argument;
use crate::buffer::Buffer;
use crate::element::Element;
use crate::place::{Cuda, Either, Host, Place};
use crate::raw::RawSlice;

/// An array that a call reads. Where it lives decides where the call runs.
///
/// Implemented for `&[T]`, `&Vec<T>` and `&[T; N]` (the CPU), `&CudaSlice<T>`, `&CudaView<T>` and
/// [`&RawSlice<T>`](crate::RawSlice) (their stream), and `&Buffer<T>` (wherever it is). All inputs of one call have the same [`Place`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no input of `{T}` elements",
    label = "expected `&[{T}]`, `&Vec<{T}>`, `&[{T}; N]`, `&CudaSlice<{T}>`, `&CudaView<{T}>` or `&Buffer<{T}>`"
)]
pub trait Input<T: Element>: Sized {
    /// Where it lives.
    type Place: Place;
    /// The array with its type erased.
    fn argument<'b>(self) -> Argument<'b>
    where
        Self: 'b;
}

macro_rules! inputs {
    ($([$($generic:tt)*] $ty:ty => $place:ty, $erase:expr;)*) => { $(
        impl<$($generic)*> Input<T> for $ty {
            type Place = $place;
            fn argument<'b>(self) -> Argument<'b>
            where
                Self: 'b,
            {
                let erase: fn(Self) -> Argument<'b> = $erase;
                erase(self)
            }
        }
    )* };
}

inputs! {
    [T: Element] &[T] => Host, |slice| Argument::host(slice);
    [T: Element] &Vec<T> => Host, |slice| Argument::host(slice);
    [T: Element, const N: usize] &[T; N] => Host, |slice| Argument::host(slice);
    [T: Element] &CudaSlice<T> => Cuda, |slice| Argument::Device(slice);
    [T: Element] &CudaView<'_, T> => Cuda, |slice| Argument::Device(slice);
    [T: Element] &RawSlice<'_, T> => Cuda, |slice| Argument::Device(slice);
    [T: Element] &Buffer<T> => Either, |buffer| buffer.argument();
}
