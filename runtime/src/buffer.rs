//! An array that is on the host or on a GPU, chosen at run time.

use cudarc::driver::CudaSlice;

use crate::argument::{Argument, Target};
use crate::element::Element;
use crate::error::Error;
use crate::memory;
use crate::place::{Cuda, Host, Place};

/// An array on the host or on a GPU. Made by [`Device::buffer`](crate::Device::buffer) or from a `Vec` or `CudaSlice`.
///
/// It is `Send` and `Sync`. Dropped while work on it is in flight, its memory is freed after that work, on the same stream.
///
/// ```
/// # fn main() -> Result<(), warpfold::Error> {
/// let device = warpfold::Device::cpu();
/// let buffer = device.buffer(&[1.0_f32, 2.0])?;
/// assert_eq!(buffer.to_vec()?, [1.0, 2.0]);
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Buffer<T>(Memory<T>);

#[derive(Debug)]
enum Memory<T> {
    Host(Vec<T>),
    Device(CudaSlice<T>),
}

impl<T: Element> Buffer<T> {
    /// Elements.
    pub fn len(&self) -> usize {
        match &self.0 {
            Memory::Host(data) => data.len(),
            Memory::Device(data) => data.len(),
        }
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values on the host. Waits for the work that writes them.
    ///
    /// # Errors
    /// [`Error::HostMemory`] where the host has no room for them; what the driver says about the copy, or about the work
    /// before it.
    pub fn to_vec(&self) -> Result<Vec<T>, Error> {
        match &self.0 {
            Memory::Host(data) => memory::copied(data),
            Memory::Device(data) => {
                let mut host = memory::filled(T::ZERO, data.len())?;
                if !data.is_empty() {
                    data.stream().memcpy_dtoh(data, &mut host)?;
                    data.stream().synchronize()?;
                }
                Ok(host)
            }
        }
    }

    /// The values, where they are on the host.
    pub fn as_host(&self) -> Option<&[T]> {
        match &self.0 {
            Memory::Host(data) => Some(data),
            Memory::Device(_) => None,
        }
    }

    /// The device's slice, where they are on a GPU.
    pub fn as_cuda(&self) -> Option<&CudaSlice<T>> {
        match &self.0 {
            Memory::Host(_) => None,
            Memory::Device(data) => Some(data),
        }
    }

    pub(crate) fn argument(&self) -> Argument<'_> {
        match &self.0 {
            Memory::Host(data) => Argument::host(data),
            Memory::Device(data) => Argument::Device(data),
        }
    }

    pub(crate) fn target(&mut self) -> Target<'_> {
        match &mut self.0 {
            Memory::Host(data) => Target::host(data),
            Memory::Device(data) => Target::Device(data),
        }
    }

    pub(crate) fn truncated(self, len: usize) -> Result<Self, Error> {
        Ok(Self(match self.0 {
            Memory::Host(data) => Memory::Host(Host::truncated(data, len)?),
            Memory::Device(data) => Memory::Device(Cuda::truncated(data, len)?),
        }))
    }
}

impl<T> From<Vec<T>> for Buffer<T> {
    fn from(data: Vec<T>) -> Self {
        Self(Memory::Host(data))
    }
}

impl<T> From<CudaSlice<T>> for Buffer<T> {
    fn from(data: CudaSlice<T>) -> Self {
        Self(Memory::Device(data))
    }
}
