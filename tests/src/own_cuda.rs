//! CUDA C++ of a test's own, compiled and loaded by cudarc alone.

use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaFunction, CudaStream};
use cudarc::nvrtc::Ptx;
use warpfold::__private::ptx_of_source;
use warpfold::Error;

/// A kernel that is loaded on the first GPU.
#[derive(Debug)]
pub struct Module {
    /// A stream of that GPU.
    pub stream: Arc<CudaStream>,
    /// The kernel.
    pub function: CudaFunction,
}

/// What this machine lacks.
#[derive(Clone, Debug)]
pub enum Missing {
    /// A GPU or its driver.
    Gpu(String),
    /// NVRTC.
    Nvrtc(String),
}

impl Module {
    /// Compiles `source`, whose last kernel is the one that is loaded.
    ///
    /// # Errors
    /// What is missing on this machine.
    ///
    /// # Panics
    /// Where the source does not compile or load: that is the test's failure.
    pub fn new(source: &str) -> Result<Self, Missing> {
        // SAFETY: only opens the library by its own name; nothing of it is called here.
        if !unsafe { cudarc::driver::sys::is_culib_present() } {
            return Err(Missing::Gpu("no CUDA driver".into()));
        }
        let context = CudaContext::new(0).map_err(|error| Missing::Gpu(format!("{error:?}")))?;
        let name = source
            .rsplit("__global__ void ")
            .next()
            .and_then(|rest| rest.split('(').next())
            .expect("a kernel in the source");
        let module = context
            .load_module(compile(source)?)
            .expect("the driver takes the PTX");
        Ok(Self {
            stream: context.new_stream().expect("a stream"),
            function: module.load_function(name).expect("the kernel by its name"),
        })
    }
}

/// Compiles `source` for the oldest architecture, with the options of every kernel and by the NVRTC that warpfold finds; no GPU
/// is needed for that.
///
/// # Errors
/// Where there is no NVRTC.
///
/// # Panics
/// Where the source does not compile: that is the test's failure.
pub fn compile(source: &str) -> Result<Ptx, Missing> {
    match ptx_of_source("own", source, 75) {
        Ok(ptx) => Ok(Ptx::from_src(ptx)),
        Err(Error::NoNvrtc { searched }) => Err(Missing::Nvrtc(searched)),
        Err(error) => panic!("{error}"),
    }
}
