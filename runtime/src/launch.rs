//! From arguments to a running kernel.

use std::sync::Arc;

use cudarc::driver::{CudaSlice, CudaStream};

use crate::element::Element;
use crate::error::Error;

/// A new array on the stream's device; zero bytes when `zeroed`, otherwise unspecified until a kernel has written it.
pub(crate) fn allocate<T: Element>(
    stream: &Arc<CudaStream>,
    len: usize,
    zeroed: bool,
) -> Result<CudaSlice<T>, Error> {
    if len == 0 {
        return Ok(stream.null()?);
    }
    // SAFETY: every caller launches a kernel that writes the whole array before anything can read it, on the stream
    // that owns it; where a kernel leaves gaps, `zeroed` is set and the bytes are cleared below. Elements are plain
    // bytes of `DeviceRepr`, so even unspecified contents are no undefined behaviour on the device.
    let mut array = unsafe { stream.alloc::<T>(len)? };
    if zeroed {
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
