//! Device memory that something other than cudarc owns, by its address.

use std::any::TypeId;
use std::marker::PhantomData;
use std::sync::Arc;

use cudarc::driver::sys::CUdeviceptr;
use cudarc::driver::{CudaStream, SyncOnDrop};

use crate::argument::{DeviceInput, DeviceOutput};
use crate::element::Element;

/// Elements on a GPU that another library owns: an address, a length and the stream that orders the work on them.
///
/// Passed as `&RawSlice<T>`, it is an input like any of cudarc's, and results are `CudaSlice`s of its stream. A stream of
/// another library becomes one of cudarc's by `CudaContext::wrap_borrowed_stream`.
///
/// ```no_run
/// use cudarc::driver::CudaContext;
/// use warpfold::{RawSlice, prelude::*};
///
/// #[warp_reduce(op = sum)]
/// pub fn total(x: f32) -> f32 { x }
///
/// # fn somewhere() -> u64 { 0 }
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let stream = CudaContext::new(0)?.default_stream();
/// let address: u64 = somewhere(); // of 64 × 1000 floats, written by work on that stream
/// // SAFETY: the other library keeps the memory while `x` lives, and writes it only by work on `stream`.
/// let x = unsafe { RawSlice::<f32>::new(address, 64 * 1000, &stream) };
/// let sums = total::rows(Rows::new(64, 1000), &x)?;
/// # let _ = sums; Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct RawSlice<'a, T> {
    address: CUdeviceptr,
    len: usize,
    stream: Arc<CudaStream>,
    life: PhantomData<&'a [T]>,
}

/// The same to write into: an output as `&mut RawSliceMut<T>`.
#[derive(Debug)]
pub struct RawSliceMut<'a, T> {
    address: CUdeviceptr,
    len: usize,
    stream: Arc<CudaStream>,
    life: PhantomData<&'a mut [T]>,
}

impl<T: Element> RawSlice<'_, T> {
    /// `len` elements from `address` on.
    ///
    /// # Safety
    ///
    /// In the stream's context the address is aligned for `T` and begins `len` initialised elements, which stay until the
    /// work is done that calls with this slice enqueue. Nothing writes them meanwhile but work that is ordered with that:
    /// work on `stream`, where `stream` is also that of the call (of its first input).
    pub unsafe fn new(address: CUdeviceptr, len: usize, stream: &Arc<CudaStream>) -> Self {
        let stream = Arc::clone(stream);
        Self {
            address,
            len,
            stream,
            life: PhantomData,
        }
    }

    /// Elements.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether it holds nothing.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl<T: Element> RawSliceMut<'_, T> {
    /// `len` elements from `address` on.
    ///
    /// # Safety
    ///
    /// As for [`RawSlice::new`], but that the elements need not be initialised; and nothing else reads or writes them
    /// meanwhile but work that is ordered with that of the calls.
    pub unsafe fn new(address: CUdeviceptr, len: usize, stream: &Arc<CudaStream>) -> Self {
        let stream = Arc::clone(stream);
        Self {
            address,
            len,
            stream,
            life: PhantomData,
        }
    }

    /// Elements.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether it holds nothing.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// Work on `stream` comes after what was enqueued on `owner`: there are no events that would say so by themselves.
fn after(stream: &CudaStream, owner: &Arc<CudaStream>) {
    if stream.cu_stream() != owner.cu_stream() {
        // An error shows in the next call of the driver, as it does for cudarc's own slices.
        stream.context().record_err(stream.join(owner));
    }
}

impl<T: Element> DeviceInput for RawSlice<'_, T> {
    fn element(&self) -> TypeId {
        TypeId::of::<T>()
    }
    fn count(&self) -> usize {
        self.len
    }
    fn owner(&self) -> &Arc<CudaStream> {
        &self.stream
    }
    fn read<'s>(&'s self, stream: &'s CudaStream) -> (CUdeviceptr, SyncOnDrop<'s>) {
        after(stream, &self.stream);
        (self.address, SyncOnDrop::Record(None))
    }
}

impl<T: Element> DeviceOutput for RawSliceMut<'_, T> {
    fn count(&self) -> usize {
        self.len
    }
    fn owner(&self) -> &Arc<CudaStream> {
        &self.stream
    }
    fn write<'s>(&'s mut self, stream: &'s CudaStream) -> (CUdeviceptr, SyncOnDrop<'s>) {
        after(stream, &self.stream);
        (self.address, SyncOnDrop::Record(None))
    }
}
