//! Compiled kernels in memory, one of each a context.
//!
//! Many threads that ask for one kernel compile it once; a compile that failed is tried again by the next who asks.

use std::any::TypeId;
use std::ffi::CString;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use cudarc::driver::sys::{CUfunction, CUfunction_attribute, CUmodule, CUresult};
use cudarc::driver::{CudaContext, DriverError, result};
use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::gpu::disk::{Store, Sum};
use crate::gpu::kernel::{Kernel, NAME};
use crate::gpu::listing::Listing;
use crate::gpu::nvrtc::{self, Image};
use crate::gpu::schedule::Machine;
use crate::gpu::toolchain::{self, Toolchain};
use crate::spec::Facts;

/// A kernel loaded into a context. It stays for the process's life, and so does the context.
pub(crate) struct Loaded {
    function: CUfunction,
    _module: CUmodule,
    context: Arc<CudaContext>,
    shared: u32,
    resident: OnceLock<u64>,
}

// SAFETY: functions and modules of the driver may be used from any thread with their context current.
unsafe impl Send for Loaded {}
// SAFETY: as above; nothing in here changes after loading but the `OnceLock`.
unsafe impl Sync for Loaded {}

impl Loaded {
    /// The driver's handle.
    pub(crate) const fn function(&self) -> CUfunction {
        self.function
    }

    /// Blocks of `threads` that one multiprocessor holds at once.
    pub(crate) fn resident_blocks(&self, threads: u32) -> Result<u64, Error> {
        if let Some(&known) = self.resident.get() {
            return Ok(known);
        }
        self.context.bind_to_thread()?;
        // SAFETY: the function is loaded in the context that is now current.
        let blocks = unsafe {
            result::occupancy::max_active_block_per_multiprocessor(
                self.function,
                threads.cast_signed(),
                self.shared as usize,
            )
        }?;
        Ok(*self
            .resident
            .get_or_init(|| u64::from(blocks.max(1).unsigned_abs())))
    }

    /// One of the driver's figures about the function.
    pub(crate) fn attribute(&self, attribute: CUfunction_attribute) -> Result<i32, Error> {
        self.context.bind_to_thread()?;
        // SAFETY: the function is loaded in the context that is now current.
        Ok(unsafe { result::function::get_function_attribute(self.function, attribute) }?)
    }
}

/// A kernel of a spec in a context.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    context: usize,
    spec: TypeId,
    kernel: Kernel,
}

/// One place for one kernel: whoever comes first fills it while the others wait.
#[derive(Default)]
struct Place {
    loaded: OnceLock<&'static Loaded>,
    making: Mutex<()>,
}

/// The kernel, compiled if nobody has yet.
pub(crate) fn get(
    spec: Facts,
    context: &Arc<CudaContext>,
    kernel: Kernel,
    machine: &Machine,
) -> Result<&'static Loaded, Error> {
    static PLACES: RwLock<Option<FxHashMap<Key, Arc<Place>>>> = RwLock::new(None);
    let key = Key {
        context: context.cu_ctx() as usize,
        spec: spec.id,
        kernel,
    };
    let known = PLACES.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(loaded) = known
        .as_ref()
        .and_then(|places| places.get(&key))
        .and_then(|place| place.loaded.get())
    {
        return Ok(loaded);
    }
    drop(known);
    let place = {
        let mut places = PLACES.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(places.get_or_insert_default().entry(key).or_default())
    };
    let _making = place.making.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(loaded) = place.loaded.get() {
        return Ok(loaded);
    }
    let image = image(spec, &kernel, machine.arch)?;
    let loaded = load(context, &image, kernel.shared()).map_err(|error| match image {
        Image::Cubin(_) => error.into(),
        Image::Ptx(_) => unfinished(spec.info.name, machine.arch, error),
    })?;
    Ok(place.loaded.get_or_init(|| Box::leak(Box::new(loaded))))
}

/// The kernel's machine code, from the disk or from NVRTC, which is loaded only where it has to compile.
pub(super) fn image(spec: Facts, kernel: &Kernel, arch: i32) -> Result<Image, Error> {
    let source = kernel.source(spec.cuda);
    // A kernel is listed when it is compiled.
    let store = Store::of_process().filter(|_| Listing::of_process().is_none());
    if let Some(image) = store.and_then(|store| store.read(key(toolchain::get().ok()?, arch, &source))) {
        return Ok(image);
    }
    let nvrtc = nvrtc::get()?;
    let image = nvrtc.compile(spec.info.name, &source, arch)?;
    if let Some(store) = store {
        store.write(key(nvrtc.toolchain(), arch, &source), &image);
    }
    Ok(image)
}

/// What a compiled kernel is kept under: all that it was made from.
fn key(toolchain: Toolchain, arch: i32, source: &str) -> Sum {
    let version = Sum::new().part(toolchain.version_text().as_bytes());
    let options = toolchain.options(arch);
    let options = options
        .iter()
        .fold(version, |sum, option| sum.part(option.as_bytes()));
    options.part(source.as_bytes())
}

/// What is wrong where a driver does not take PTX that it was to finish, because NVRTC is older than the device.
fn unfinished(spec: &'static str, arch: i32, error: DriverError) -> Error {
    let of_the_code = matches!(
        error.0,
        CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU
            | CUresult::CUDA_ERROR_INVALID_PTX
            | CUresult::CUDA_ERROR_JIT_COMPILER_NOT_FOUND
            | CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION
            | CUresult::CUDA_ERROR_JIT_COMPILATION_DISABLED
    );
    let Some(toolchain) = toolchain::get().ok().filter(|_| of_the_code) else {
        return error.into();
    };
    Error::Unsupported {
        spec,
        what: format!(
            "NVRTC {} knows no sm_{arch}, and the driver does not finish its PTX for sm_{}: {:?}",
            toolchain.version_text(),
            toolchain.newest,
            error.0,
        ),
        remedy: "install a newer NVRTC with `pip install --upgrade nvidia-cuda-nvrtc`, or a newer driver; meanwhile run the spec on the CPU",
    }
}

fn load(context: &Arc<CudaContext>, image: &Image, shared: u32) -> Result<Loaded, DriverError> {
    context.bind_to_thread()?;
    let text;
    let data = match image {
        Image::Cubin(bytes) => bytes.as_ptr(),
        Image::Ptx(bytes) => {
            text =
                CString::new(bytes.split(|&byte| byte == 0).next().unwrap_or_default()).unwrap_or_default();
            text.as_ptr().cast()
        }
    };
    // SAFETY: a cubin says how long it is, PTX ends with NUL; both came whole from NVRTC. The context is current.
    let module = unsafe { result::module::load_data(data.cast()) }?;
    let name = CString::new(NAME).unwrap_or_default();
    // SAFETY: the module was just loaded and stays loaded.
    let function = unsafe { result::module::get_function(module, name) }?;
    if shared > 0 {
        // SAFETY: the function is loaded in the context that is current.
        unsafe {
            result::function::set_function_attribute(
                function,
                CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                shared.cast_signed(),
            )
        }?;
    }
    Ok(Loaded {
        function,
        _module: module,
        context: Arc::clone(context),
        shared,
        resident: OnceLock::new(),
    })
}
