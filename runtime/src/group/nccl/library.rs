//! NCCL, found at run time as NVRTC is: no toolkit has to be installed, and programs that use no group never look for it.
//!
//! Loaded here and not by cudarc, so that a user can name the file, so that a missing library is an error and not a panic, and
//! so that NCCL's own words reach the user.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use cudarc::driver::sys::CUstream;
use libloading::Library;

use crate::error::Error;
use crate::gpu::nvrtc::{entries, packages};

/// NCCL's `ncclComm_t`.
pub(super) type Communicator = *mut c_void;
/// NCCL's `ncclResult_t`.
pub(super) type Status = c_int;

/// All is well.
pub(super) const SUCCESS: Status = 0;
/// A call on a communicator that does not block goes on in the background.
pub(super) const IN_PROGRESS: Status = 7;
/// `ncclUint8`.
const BYTES: c_int = 1;

/// What the ranks of a group agree on: `ncclUniqueId`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Id(pub [u8; 128]);

/// The start of `ncclConfig_t` as NCCL 2.14 has it, which all later ones take.
#[repr(C)]
struct Config {
    size: usize,
    magic: c_uint,
    version: c_uint,
    blocking: c_int,
    cluster: c_int,
}

macro_rules! functions {
    ($($name:ident: $symbol:literal, fn($($arg:ty),*) -> $result:ty;)*) => {
        struct Functions { $($name: unsafe extern "C" fn($($arg),*) -> $result,)* }
        impl Functions {
            fn load(library: &Library) -> Result<Self, libloading::Error> {
                // SAFETY: the signatures are those of nccl.h since NCCL 2.14.
                unsafe { Ok(Self { $($name: *library.get(concat!($symbol, "\0").as_bytes())?,)* }) }
            }
        }
    };
}

functions! {
    version: "ncclGetVersion", fn(*mut c_int) -> Status;
    unique_id: "ncclGetUniqueId", fn(*mut Id) -> Status;
    init: "ncclCommInitRankConfig", fn(*mut Communicator, c_int, Id, c_int, *mut Config) -> Status;
    state: "ncclCommGetAsyncError", fn(Communicator, *mut Status) -> Status;
    abort: "ncclCommAbort", fn(Communicator) -> Status;
    finalize: "ncclCommFinalize", fn(Communicator) -> Status;
    destroy: "ncclCommDestroy", fn(Communicator) -> Status;
    all_gather: "ncclAllGather", fn(*const c_void, *mut c_void, usize, c_int, Communicator, CUstream) -> Status;
    words: "ncclGetErrorString", fn(Status) -> *const c_char;
    last: "ncclGetLastError", fn(Communicator) -> *const c_char;
}

/// The library, loaded once a process.
pub(crate) struct Nccl {
    functions: Functions,
    version: c_int,
    /// Keeps the functions alive.
    _library: Library,
}

/// The library, or where it was looked for.
pub(crate) fn get() -> Result<&'static Nccl, Error> {
    static NCCL: OnceLock<Result<Nccl, String>> = OnceLock::new();
    let found = NCCL.get_or_init(|| find(&candidates(std::env::var_os("WARPFOLD_NCCL").map(PathBuf::from))));
    found.as_ref().map_err(|searched| Error::NoNccl {
        searched: searched.clone(),
    })
}

/// Library names and files to try, in order. Only what a user names is tried where `WARPFOLD_NCCL` is set.
fn candidates(named: Option<PathBuf>) -> Vec<PathBuf> {
    if let Some(named) = named.filter(|named| !named.as_os_str().is_empty()) {
        return vec![named];
    }
    let mut all: Vec<PathBuf> = ["libnccl.so.2", "libnccl.so"].map(PathBuf::from).into();
    for site in packages() {
        all.extend(libraries(&site.join("nvidia/nccl/lib")));
    }
    all
}

fn libraries(folder: &Path) -> Vec<PathBuf> {
    let is_nccl = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("libnccl.so")
    };
    entries(folder).into_iter().filter(is_nccl).collect()
}

/// The first candidate that loads and works; otherwise what was tried.
fn find(candidates: &[PathBuf]) -> Result<Nccl, String> {
    let mut tried = Vec::new();
    for path in candidates {
        match load(path) {
            Ok(nccl) => return Ok(nccl),
            Err(reason) => tried.push(format!("{} ({reason})", path.display())),
        }
    }
    Err(tried.join(", "))
}

fn load(path: &Path) -> Result<Nccl, String> {
    let short = |error: libloading::Error| {
        let text = error.to_string();
        text.split(": ").last().unwrap_or(&text).to_owned()
    };
    // SAFETY: NCCL's initialisers have no conditions; a file that is no library is refused by the loader.
    let library = unsafe { Library::new(path) }.map_err(short)?;
    let functions =
        Functions::load(&library).map_err(|error| format!("older than 2.14: {}", short(error)))?;
    let mut version = 0;
    // SAFETY: writes one int.
    let status = unsafe { (functions.version)(&raw mut version) };
    if status != SUCCESS {
        return Err(format!("gives no version, but error {status}"));
    }
    Ok(Nccl {
        functions,
        version,
        _library: library,
    })
}

impl Nccl {
    /// As in `2.28.9`.
    pub fn version(&self) -> String {
        let (major, rest) = (self.version / 10_000, self.version % 10_000);
        format!("{major}.{}.{}", rest / 100, rest % 100)
    }

    /// NCCL's words for a status that is not a success.
    pub(super) fn error(&self, doing: &str, status: Status) -> Error {
        // SAFETY: both give strings of NCCL's own that end with NUL and stay; no communicator is asked for.
        let [words, last] = unsafe {
            [
                (self.functions.words)(status),
                (self.functions.last)(std::ptr::null_mut()),
            ]
        }
        .map(|text| {
            if text.is_null() {
                return String::new();
            }
            // SAFETY: as above.
            unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
        });
        let more = if last.trim().is_empty() {
            String::new()
        } else {
            format!(" ({})", last.trim())
        };
        Error::Nccl {
            what: format!("{words} while {doing}{more}; NCCL {}", self.version()),
        }
    }

    /// What the ranks of a new group agree on: made by one of them.
    pub fn unique_id(&self) -> Result<Id, Error> {
        let mut id = Id([0; 128]);
        // SAFETY: writes 128 bytes.
        match unsafe { (self.functions.unique_id)(&raw mut id) } {
            SUCCESS => Ok(id),
            status => Err(self.error("making the id of a group", status)),
        }
    }

    /// Begins to join; the device's context is current. The communicator is there when its state is a success.
    pub(super) fn begin(&self, id: Id, rank: usize, size: usize) -> Result<Communicator, Error> {
        let mut config = Config {
            size: size_of::<Config>(),
            magic: 0xcafe_beef,
            version: 21_400,
            blocking: 0,
            cluster: c_int::MIN,
        };
        let [rank, size] = [rank, size].map(|number| c_int::try_from(number).unwrap_or(-1));
        let mut made = std::ptr::null_mut();
        // SAFETY: writes one pointer and reads the struct, which says how long it is.
        let status = unsafe { (self.functions.init)(&raw mut made, size, id, rank, &raw mut config) };
        match status {
            SUCCESS | IN_PROGRESS if !made.is_null() => Ok(made),
            status => Err(self.error("joining a group", status)),
        }
    }

    /// How the communicator is.
    ///
    /// # Safety
    /// It was made by [`begin`](Self::begin) and has not been ended.
    pub(super) unsafe fn state(&self, of: Communicator) -> Status {
        let mut state = SUCCESS;
        // SAFETY: the caller's; writes one int.
        match unsafe { (self.functions.state)(of, &raw mut state) } {
            SUCCESS => state,
            status => status,
        }
    }

    /// Enqueues: `bytes` bytes of each rank, rank by rank, to all.
    ///
    /// # Safety
    /// As for [`state`](Self::state); both addresses are on its device, for `bytes` and size × `bytes` bytes, until the stream is
    /// past the work.
    pub(super) unsafe fn all_gather(
        &self,
        of: Communicator,
        own: u64,
        all: u64,
        bytes: usize,
        stream: CUstream,
    ) -> Status {
        // SAFETY: the caller's.
        unsafe {
            (self.functions.all_gather)(own as *const c_void, all as *mut c_void, bytes, BYTES, of, stream)
        }
    }

    /// Begins to end the communicator in good order.
    ///
    /// # Safety
    /// As for [`state`](Self::state).
    pub(super) unsafe fn finalize(&self, of: Communicator) -> Status {
        // SAFETY: the caller's.
        unsafe { (self.functions.finalize)(of) }
    }

    /// Frees a communicator whose finalizing is done.
    ///
    /// # Safety
    /// As for [`state`](Self::state); it is used no more.
    pub(super) unsafe fn destroy(&self, of: Communicator) {
        // SAFETY: the caller's. What NCCL says of it changes nothing: it is gone.
        let _ = unsafe { (self.functions.destroy)(of) };
    }

    /// Ends a communicator at once, and its kernels that wait for other ranks.
    ///
    /// # Safety
    /// As for [`state`](Self::state); it is used no more.
    pub(super) unsafe fn abort(&self, of: Communicator) {
        // SAFETY: the caller's. What NCCL says of it changes nothing: it is gone.
        let _ = unsafe { (self.functions.abort)(of) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_is_not_there_is_an_error_that_says_how_to_get_it() {
        let searched = find(&candidates(Some("/nowhere/libnccl.so.2".into())))
            .err()
            .unwrap();
        assert!(searched.contains("/nowhere/libnccl.so.2 ("), "{searched}");
        let text = Error::NoNccl { searched }.to_string();
        assert!(
            text.contains("pip install nvidia-nccl-cu12") && text.contains("WARPFOLD_NCCL"),
            "{text}"
        );
    }

    #[test]
    fn a_library_that_is_not_nccl_is_refused() {
        let searched = find(&["libc.so.6".into()]).err().unwrap();
        assert!(searched.contains("libc.so.6 (older than 2.14"), "{searched}");
    }

    #[test]
    fn a_library_that_is_there_gives_ids_and_its_words() {
        let Ok(nccl) = get() else { return };
        assert!(nccl.version().starts_with("2."), "{}", nccl.version());
        let text = nccl.error("trying", 4).to_string();
        assert!(
            text.contains("invalid argument") && text.contains("while trying"),
            "{text}"
        );
        // Without a network NCCL has no address to put into it.
        if let Ok(id) = nccl.unique_id() {
            assert!(id.0.iter().any(|&byte| byte != 0));
        }
    }
}
