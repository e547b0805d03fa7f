//! Any source, compiled as kernels are.

use crate::error::Error;
use crate::gpu::nvrtc::{self, Image};

/// Machine code of a source for a device of compute capability `arch` (90 for `sm_90`), made with the options of every
/// kernel; PTX where the device is newer than NVRTC. `name` stands in the error.
///
/// # Errors
/// [`Error::NoNvrtc`] without the library, [`Error::Compile`] where it refuses the source.
pub fn compile_source(name: &'static str, source: &str, arch: i32) -> Result<Vec<u8>, Error> {
    match nvrtc::get()?.compile(name, source, arch)? {
        Image::Cubin(bytes) | Image::Ptx(bytes) => Ok(bytes),
    }
}

/// The PTX of a source for devices of compute capability `arch`: what NVRTC makes of it, before the driver's part.
///
/// # Errors
/// As [`compile_source`].
pub fn ptx_of_source(name: &'static str, source: &str, arch: i32) -> Result<String, Error> {
    nvrtc::get()?.ptx(name, source, arch)
}
