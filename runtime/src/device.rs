//! Where buffers live: the first GPU that can be had, a certain one, or the CPU.

use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaStream};
use libloading::Library;

use crate::buffer::Buffer;
use crate::element::Element;
use crate::error::Error;
use crate::gpu::{checked, restrict, toolchain};
use crate::memory;

/// A GPU with one stream, or the CPU.
///
/// It is `Send` and `Sync`, as buffers are: threads may share one. Their work on a GPU is then in one order, that of its
/// stream; work of a clone is too. For work side by side make a device a thread.
///
/// ```
/// # fn main() -> Result<(), warpfold::Error> {
/// let device = warpfold::Device::best()?;
/// println!("running on {}", device.describe());
/// let buffer = device.buffer(&[1_u32, 2, 3])?;
/// assert_eq!(buffer.len(), 3);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Device {
    stream: Option<Arc<CudaStream>>,
    description: String,
}

impl Device {
    /// The first GPU, or the CPU where no driver, GPU or NVRTC is to be had; [`describe`](Self::describe) says which and why.
    ///
    /// # Errors
    /// What the driver says of a GPU that is there but cannot be opened.
    pub fn best() -> Result<Self, Error> {
        match Self::gpu(0) {
            Err(Error::NoGpu { reason, .. }) => Ok(Self::cpu_because(&reason)),
            Err(Error::NoNvrtc { searched }) => {
                Ok(Self::cpu_because(&format!("no NVRTC; searched {searched}")))
            }
            other => other,
        }
    }

    /// The CPU.
    pub fn cpu() -> Self {
        Self::cpu_because("as asked")
    }

    fn cpu_because(reason: &str) -> Self {
        Self {
            stream: None,
            description: format!("the CPU, {} threads ({reason})", rayon::current_num_threads()),
        }
    }

    /// GPU number `ordinal`, on a new stream of its primary context.
    ///
    /// # Errors
    /// [`Error::NoGpu`] where there is no driver or no such GPU, [`Error::NoNvrtc`] where kernels cannot be compiled,
    /// [`Error::Driver`] for what the driver says beyond that.
    pub fn gpu(ordinal: usize) -> Result<Self, Error> {
        let count = count()?;
        if ordinal >= count {
            return Err(Error::NoGpu {
                reason: format!("GPU {ordinal} was asked for and the driver has {count}"),
                remedy: if count == 0 {
                    "plug one in or free one".into()
                } else {
                    format!("ask for 0 to {}", count - 1)
                },
            });
        }
        let nvrtc = toolchain::get()?;
        let context = CudaContext::new(ordinal)?;
        let (major, minor) = context.compute_capability()?;
        let description = format!(
            "{} (GPU {ordinal}, sm_{major}{minor}, NVRTC {})",
            context.name()?,
            nvrtc.version_text()
        );
        Ok(Self {
            stream: Some(context.new_stream()?),
            description,
        })
    }

    /// The device of a stream that already exists: its buffers and calls stay on that stream.
    ///
    /// # Errors
    /// What the driver says when asked for the GPU's name.
    pub fn on(stream: &Arc<CudaStream>) -> Result<Self, Error> {
        let description = format!(
            "{} (GPU {})",
            stream.context().name()?,
            stream.context().ordinal()
        );
        Ok(Self {
            stream: Some(Arc::clone(stream)),
            description,
        })
    }

    /// Plans what runs on this device's stream for `count` of the GPU's multiprocessors.
    ///
    /// For who shares a GPU: a stream that the driver keeps to a part of it, as one of a green context, or one whose work is
    /// to leave others room. Kernels that stride over their work then start as many blocks as `count` multiprocessors hold;
    /// blocks that take a row each, or a few, stay as many as there are rows, and only the driver can keep those to a part.
    /// Results do not change, in no bit.
    ///
    /// It holds for the stream, so for all clones of this device and their buffers, until it is said again. `prepare` and
    /// `cost` know contexts, not streams: they compile for the whole GPU. On the CPU nothing changes.
    ///
    /// ```
    /// # fn main() -> Result<(), warpfold::Error> {
    /// let device = warpfold::Device::best()?.with_multiprocessors(4)?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// [`Error::Multiprocessors`] for 0, and for more than the GPU has; what the driver says when asked for those.
    pub fn with_multiprocessors(self, count: usize) -> Result<Self, Error> {
        match &self.stream {
            Some(stream) => restrict(stream, count)?,
            // None is as wrong here: a program shall not learn that from its first GPU.
            None => {
                checked(count, u64::from(u32::MAX))?;
            }
        }
        Ok(self)
    }

    /// Which device this is, and for the CPU why.
    pub fn describe(&self) -> &str {
        &self.description
    }

    /// Whether it is a GPU.
    pub fn is_gpu(&self) -> bool {
        self.stream.is_some()
    }

    /// The GPU's stream.
    pub fn stream(&self) -> Option<&Arc<CudaStream>> {
        self.stream.as_ref()
    }

    /// A copy of `data` on this device.
    ///
    /// # Errors
    /// [`Error::HostMemory`] where the host has no room for it; what the driver says about the memory or the copy.
    pub fn buffer<T: Element>(&self, data: &[T]) -> Result<Buffer<T>, Error> {
        match &self.stream {
            None => Ok(Buffer::from(memory::copied(data)?)),
            Some(stream) if data.is_empty() => Ok(Buffer::from(stream.null()?)),
            Some(stream) => Ok(Buffer::from(stream.clone_htod(data)?)),
        }
    }

    /// `len` zeros on this device.
    ///
    /// # Errors
    /// [`Error::HostMemory`] where the host has no room for them; what the driver says about the memory.
    pub fn zeros<T: Element>(&self, len: usize) -> Result<Buffer<T>, Error> {
        match &self.stream {
            None => Ok(Buffer::from(memory::filled(T::ZERO, len)?)),
            Some(stream) => Ok(Buffer::from(crate::launch::allocate(stream, len, true)?)),
        }
    }

    /// Waits for all work on this device's stream.
    ///
    /// # Errors
    /// What went wrong in that work.
    pub fn synchronize(&self) -> Result<(), Error> {
        if let Some(stream) = &self.stream {
            stream.synchronize()?;
        }
        Ok(())
    }
}

/// How many GPUs the driver has.
fn count() -> Result<usize, Error> {
    let Some(driver) = driver() else {
        return Err(Error::NoGpu {
            reason: "no CUDA driver: the loader finds no libcuda (libcuda.so.1, nvcuda.dll)".into(),
            remedy: "install NVIDIA's driver".into(),
        });
    };
    if let Some(lacking) = NEEDED.iter().find(|name| !has(&driver, name)) {
        return Err(Error::NoGpu {
            reason: format!("libcuda lacks {lacking}: it is no CUDA driver, or one older than CUDA 11.3"),
            remedy: "install NVIDIA's driver, or a newer one".into(),
        });
    }
    match CudaContext::device_count() {
        Ok(count) => Ok(usize::try_from(count).unwrap_or(0)),
        Err(error) => Err(Error::NoGpu {
            reason: format!("the CUDA driver does not start: {error:?}"),
            remedy: "look at `nvidia-smi`".into(),
        }),
    }
}

/// Functions of the driver without which nothing goes, the newest that we call among them. cudarc panics where one that it
/// calls is not there.
const NEEDED: [&str; 6] = [
    "cuInit",
    "cuGetErrorString",
    "cuDeviceGetCount",
    "cuMemAllocAsync",
    "cuUserObjectCreate",
    "cuStreamGetCaptureInfo_v2",
];

/// The driver's library, where the loader finds it.
///
/// cudarc has a function for that where it loads the library when it is needed. It does so in a plain build; beside a
/// crate that has it linked, as candle does, the library is there or the program would not have started.
fn driver() -> Option<Library> {
    ["libcuda.so.1", "libcuda.so", "nvcuda.dll"]
        .iter()
        .find_map(|name| {
            // SAFETY: only loads the library, whose initialisers are the driver's own; nothing of it is called here.
            unsafe { Library::new(*name) }.ok()
        })
}

fn has(library: &Library, name: &str) -> bool {
    // SAFETY: the function is looked up, not called.
    unsafe { library.get::<unsafe extern "C" fn()>(name.as_bytes()) }.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_device_says_what_it_is_and_why() {
        let device = Device::best().unwrap();
        assert_eq!(device.is_gpu(), device.stream().is_some());
        if !device.is_gpu() {
            let text = device.describe();
            assert!(text.starts_with("the CPU") && text.contains("no "), "{text}");
            let error = Device::gpu(0).unwrap_err().to_string();
            assert!(error.contains("\nhelp: "), "{error}");
        }
        assert_eq!(device.buffer(&[1_u8, 2]).unwrap().to_vec().unwrap(), [1, 2]);
    }

    #[test]
    fn the_cpu_is_planned_for_any_number_but_none() {
        for count in [1, 1000] {
            assert!(!Device::cpu().with_multiprocessors(count).unwrap().is_gpu());
        }
        let error = Device::cpu().with_multiprocessors(0).unwrap_err();
        assert!(
            matches!(error, Error::Multiprocessors { given: 0, .. }),
            "{error}"
        );
    }

    #[test]
    fn more_zeros_than_there_is_room_for_are_an_error() {
        for len in [usize::MAX, 1 << 58] {
            let error = Device::cpu().zeros::<f64>(len).unwrap_err();
            assert!(matches!(error, Error::HostMemory { .. }), "{error}");
            assert!(error.to_string().contains("\nhelp: "), "{error}");
        }
    }

    #[test]
    fn a_gpu_that_is_not_there_is_an_error() {
        assert!(matches!(Device::gpu(1000), Err(Error::NoGpu { .. })));
    }
}
