//! Where data lives, as types: it decides at compile time where a call runs and what it gives back.

use std::borrow::Cow;
use std::sync::Arc;

use cudarc::driver::{CudaSlice, CudaStream};

use crate::argument::Target;
use crate::buffer::Buffer;
use crate::element::Element;
use crate::error::Error;
use crate::memory;

/// The host: slices, `Vec`s and arrays run on the CPU and give a `Vec`.
#[derive(Clone, Copy, Debug)]
pub enum Host {}

/// A GPU: cudarc's slices and views run on their own stream and give a `CudaSlice`.
#[derive(Clone, Copy, Debug)]
pub enum Cuda {}

/// Either, chosen at run time: [`Buffer`]s run where they are and give a [`Buffer`].
#[derive(Clone, Copy, Debug)]
pub enum Either {}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Host {}
    impl Sealed for super::Cuda {}
    impl Sealed for super::Either {}
}

/// Where one call's data is found at run time.
///
/// The stream is that of an argument, where one is on a device: to hold it as well would cost a launch two atomic operations.
#[derive(Clone, Debug)]
pub enum Site<'a> {
    /// On the host.
    Host,
    /// On the device of this stream, which will run the call.
    Device(Cow<'a, Arc<CudaStream>>),
}

/// That this place is `P`: the inputs and outputs of one call live in one place.
#[diagnostic::on_unimplemented(
    message = "the arrays of one call live in one place: this one is in `{Self}`, the first is in `{P}`",
    label = "lives in `{Self}`, not in `{P}`",
    note = "`Host` is slices, arrays and `Vec`s, `Cuda` is cudarc's slices and views, `Either` is buffers",
    note = "bring all of them to one place, as with `&device.buffer(&data)?`"
)]
pub trait SamePlace<P: Place>: Place {}
impl<P: Place> SamePlace<P> for P {}

/// Where data lives: [`Host`], [`Cuda`] or [`Either`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no place where data lives",
    label = "expected `Host`, `Cuda` or `Either`"
)]
pub trait Place: sealed::Sealed + Sized + 'static {
    /// An owned array there.
    type Array<T: Element>;

    /// A new array of `len` elements; with `zeroed` all of them are [`Element::ZERO`], otherwise unspecified
    /// until the launch has written them.
    #[doc(hidden)]
    fn array<T: Element>(site: &Site, len: usize, zeroed: bool) -> Result<Self::Array<T>, Error>;

    /// The array as the target of a launch.
    #[doc(hidden)]
    fn target<T: Element>(array: &mut Self::Array<T>) -> Target<'_>;

    /// The first element, once the work on it is done.
    #[doc(hidden)]
    fn first<T: Element>(array: &Self::Array<T>) -> Result<T, Error>;

    /// The array cut to its first `len` elements.
    #[doc(hidden)]
    fn truncated<T: Element>(array: Self::Array<T>, len: usize) -> Result<Self::Array<T>, Error>;
}

impl Place for Host {
    type Array<T: Element> = Vec<T>;

    fn array<T: Element>(_: &Site, len: usize, _: bool) -> Result<Vec<T>, Error> {
        memory::filled(T::ZERO, len)
    }

    fn target<T: Element>(array: &mut Vec<T>) -> Target<'_> {
        Target::host(array)
    }

    fn first<T: Element>(array: &Vec<T>) -> Result<T, Error> {
        Ok(array[0])
    }

    fn truncated<T: Element>(mut array: Vec<T>, len: usize) -> Result<Vec<T>, Error> {
        array.truncate(len);
        array.shrink_to_fit();
        Ok(array)
    }
}

impl Place for Cuda {
    type Array<T: Element> = CudaSlice<T>;

    fn array<T: Element>(site: &Site, len: usize, zeroed: bool) -> Result<CudaSlice<T>, Error> {
        match site {
            Site::Device(stream) => crate::launch::allocate(stream, len, zeroed),
            Site::Host => unreachable!("the place of a call says that its data is on a device"),
        }
    }

    fn target<T: Element>(array: &mut CudaSlice<T>) -> Target<'_> {
        Target::Device(array)
    }

    fn first<T: Element>(array: &CudaSlice<T>) -> Result<T, Error> {
        let mut host = [T::ZERO];
        array.stream().memcpy_dtoh(&array.slice(0..1), &mut host)?;
        array.stream().synchronize()?;
        Ok(host[0])
    }

    fn truncated<T: Element>(array: CudaSlice<T>, len: usize) -> Result<CudaSlice<T>, Error> {
        crate::launch::shortened(array, len)
    }
}

impl Place for Either {
    type Array<T: Element> = Buffer<T>;

    fn array<T: Element>(site: &Site, len: usize, zeroed: bool) -> Result<Buffer<T>, Error> {
        match site {
            Site::Host => Host::array(site, len, zeroed).map(Buffer::from),
            Site::Device(_) => Cuda::array(site, len, zeroed).map(Buffer::from),
        }
    }

    fn target<T: Element>(array: &mut Buffer<T>) -> Target<'_> {
        array.target()
    }

    fn first<T: Element>(array: &Buffer<T>) -> Result<T, Error> {
        match array.as_cuda() {
            Some(slice) => Cuda::first(slice),
            None => Ok(array.as_host().map_or(T::ZERO, |slice| slice[0])),
        }
    }

    fn truncated<T: Element>(array: Buffer<T>, len: usize) -> Result<Buffer<T>, Error> {
        array.truncated(len)
    }
}
