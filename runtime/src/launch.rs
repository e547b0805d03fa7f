//! From arguments to a running kernel.

use std::sync::Arc;

use cudarc::driver::sys::CUresult;
use cudarc::driver::{CudaSlice, CudaStream, DriverError};

use crate::element::Element;
use crate::error::Error;

/// A new array on the stream's device; zero bytes when `zeroed`, otherwise unspecified until a kernel has written it.
///
/// Padding between fields is zero bytes in either case: the array goes back to the host as a whole, and what other
/// programs left in that memory would go with it.
pub(crate) fn allocate<T: Element>(
    stream: &Arc<CudaStream>,
    len: usize,
    zeroed: bool,
) -> Result<CudaSlice<T>, Error> {
    if len == 0 {
        return Ok(stream.null()?);
    }
    // More bytes than an address counts would wrap around to a small array.
    if len.checked_mul(size_of::<T>()).is_none() {
        return Err(DriverError(CUresult::CUDA_ERROR_OUT_OF_MEMORY).into());
    }
    // SAFETY: every caller launches a kernel that writes the whole array before anything can read it, on the stream
    // that owns it; where a kernel leaves gaps, `zeroed` is set and the bytes are cleared below. Elements are plain
    // bytes of `DeviceRepr`, so even unspecified contents are no undefined behaviour on the device.
    let mut array = unsafe { stream.alloc::<T>(len)? };
    if zeroed || T::PADDED {
        clear(stream, &mut array)?;
    }
    Ok(array)
}

/// Sets every byte to zero, which is every element's [`Element::ZERO`].
fn clear<T: Element>(stream: &Arc<CudaStream>, array: &mut CudaSlice<T>) -> Result<(), Error> {
    use cudarc::driver::DevicePtrMut;
    let bytes = array.num_bytes();
    let (address, _written) = array.device_ptr_mut(stream);
    stream.context().bind_to_thread()?;
    // SAFETY: the address is that of a live allocation of this many bytes, and the context is current on this thread.
    unsafe { cudarc::driver::result::memset_d8_async(address, 0, bytes, stream.cu_stream())? };
    Ok(())
}

/// The first `len` elements of an array as an array.
///
/// Where at least half of it stays, the memory stays too; otherwise the elements move to memory of their size, so that
/// a filter that keeps little holds little.
pub(crate) fn shortened<T: Element>(array: CudaSlice<T>, len: usize) -> Result<CudaSlice<T>, Error> {
    if array.len() == len {
        return Ok(array);
    }
    let stream = Arc::clone(array.stream());
    if len > 0 && len >= array.len() / 2 {
        let address = array.leak();
        // SAFETY: the address is that of an allocation of this stream that nobody owns any more, of at least `len`
        // elements that a kernel has written; the slice frees all of it, for the driver knows its size.
        return Ok(unsafe { stream.upgrade_device_ptr(address, len) });
    }
    let mut short = allocate(&stream, len, false)?;
    if len > 0 {
        stream.memcpy_dtod(&array.slice(0..len), &mut short)?;
    }
    Ok(short)
}
