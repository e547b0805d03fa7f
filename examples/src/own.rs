//! Kernels of one's own: what an example needs to compile them with cudarc.

use std::error::Error;

use cudarc::nvrtc::{CompileOptions, Ptx, compile_ptx_with_opts};

/// A spec with a kernel behind it, compiled for an architecture such as `compute_80`. The options are Rust's meaning of
/// arithmetic.
///
/// # Errors
///
/// What NVRTC says of the source.
pub fn compile(source: String, architecture: &str) -> Result<Ptx, Box<dyn Error>> {
    let options = [
        &format!("--gpu-architecture={architecture}"),
        "--std=c++17",
        "--fmad=false",
    ];
    let options = options.map(String::from).to_vec();
    Ok(compile_ptx_with_opts(
        source,
        CompileOptions {
            options,
            ..CompileOptions::default()
        },
    )?)
}

/// Whether cudarc finds NVRTC, and the driver.
pub fn libraries() -> (bool, bool) {
    // SAFETY: both only try to load a library; neither has initialisers that ask for anything.
    unsafe {
        (
            cudarc::nvrtc::sys::is_culib_present(),
            cudarc::driver::sys::is_culib_present(),
        )
    }
}
