//! NVRTC, found at run time: no CUDA toolkit has to be installed.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use libloading::Library;

use crate::error::Error;
use crate::gpu::disk::Sum;
use crate::gpu::listing::Listing;
use crate::gpu::toolchain::{self, Toolchain};

/// The library, loaded once a process.
pub(crate) struct Nvrtc {
    functions: Functions,
    toolchain: Toolchain,
    /// What it was loaded by: a file's path, or a name that the loader knows.
    name: PathBuf,
    /// Keeps the functions alive.
    _library: Library,
}

type Program = *mut c_void;
type Status = c_int;

macro_rules! functions {
    ($($name:ident: $symbol:literal, fn($($arg:ty),*);)*) => {
        struct Functions { $($name: unsafe extern "C" fn($($arg),*) -> Status,)* }
        impl Functions {
            fn load(library: &Library) -> Result<Self, libloading::Error> {
                // SAFETY: the signatures are those of nvrtc.h, unchanged since CUDA 11.1.
                unsafe { Ok(Self { $($name: *library.get(concat!($symbol, "\0").as_bytes())?,)* }) }
            }
        }
    };
}

functions! {
    version: "nvrtcVersion", fn(*mut c_int, *mut c_int);
    arch_count: "nvrtcGetNumSupportedArchs", fn(*mut c_int);
    archs: "nvrtcGetSupportedArchs", fn(*mut c_int);
    create: "nvrtcCreateProgram", fn(*mut Program, *const c_char, *const c_char, c_int, *const *const c_char, *const *const c_char);
    destroy: "nvrtcDestroyProgram", fn(*mut Program);
    compile: "nvrtcCompileProgram", fn(Program, c_int, *const *const c_char);
    log_size: "nvrtcGetProgramLogSize", fn(Program, *mut usize);
    log: "nvrtcGetProgramLog", fn(Program, *mut c_char);
    cubin_size: "nvrtcGetCUBINSize", fn(Program, *mut usize);
    cubin: "nvrtcGetCUBIN", fn(Program, *mut c_char);
    ptx_size: "nvrtcGetPTXSize", fn(Program, *mut usize);
    ptx: "nvrtcGetPTX", fn(Program, *mut c_char);
}

/// The library, or where it was looked for.
pub(crate) fn get() -> Result<&'static Nvrtc, Error> {
    static NVRTC: OnceLock<Result<Nvrtc, String>> = OnceLock::new();
    let found = NVRTC.get_or_init(|| find(&candidates(&Surroundings::of_process())));
    found.as_ref().map_err(|searched| Error::NoNvrtc {
        searched: searched.clone(),
    })
}

/// The sum of what decides where this process looks: the same sum, the same search.
pub(crate) fn surroundings() -> Sum {
    candidates(&Surroundings::of_process())
        .iter()
        .map(PathBuf::as_path)
        .chain(std::env::var_os("LD_LIBRARY_PATH").as_deref().map(Path::new))
        .fold(Sum::new(), |sum, path| {
            sum.part(path.as_os_str().as_encoded_bytes())
        })
}

/// What decides where to look.
struct Surroundings {
    named: Option<PathBuf>,
    toolkits: Vec<PathBuf>,
    site_packages: Vec<PathBuf>,
}

impl Surroundings {
    fn of_process() -> Self {
        let path = |name: &str| {
            std::env::var_os(name)
                .filter(|value| !value.is_empty())
                .map(PathBuf::from)
        };
        let mut toolkits: Vec<_> = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(path).collect();
        toolkits.push("/usr/local/cuda".into());
        let mut roots: Vec<PathBuf> = Vec::new();
        roots.extend(path("VIRTUAL_ENV").map(|root| root.join("lib")));
        roots.extend(path("CONDA_PREFIX").map(|root| root.join("lib")));
        roots.extend(path("HOME").map(|root| root.join(".local/lib")));
        roots.extend(beside_programs(&std::env::var_os("PATH").unwrap_or_default()));
        roots.extend(["/usr/local/lib", "/usr/lib/python3", "/usr/lib"].map(PathBuf::from));
        Self {
            named: path("WARPFOLD_NVRTC"),
            toolkits,
            site_packages: site_packages(&roots),
        }
    }
}

/// Where the packages of the Pythons on the path are: a virtual environment may be used without being activated.
fn beside_programs(path: &std::ffi::OsStr) -> Vec<PathBuf> {
    let folders = std::env::split_paths(path);
    let programs = folders.filter(|folder| folder.join("python3").exists());
    programs
        .filter_map(|folder| Some(folder.parent()?.join("lib")))
        .collect()
}

/// The site-packages folders of the Pythons of this process's surroundings.
pub(crate) fn packages() -> Vec<PathBuf> {
    Surroundings::of_process().site_packages
}

/// The site-packages folders below `roots`, newest Python first.
fn site_packages(roots: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for root in roots {
        let mut here: Vec<_> = entries(root)
            .into_iter()
            .filter(|path| {
                path.file_name()
                    .is_some_and(|name| name.to_string_lossy().starts_with("python3"))
            })
            .flat_map(|python| [python.join("site-packages"), python.join("dist-packages")])
            .filter(|path| path.is_dir())
            .collect();
        here.reverse();
        found.extend(here);
    }
    found
}

/// Sorted entries of a folder; none where it cannot be read.
pub(crate) fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<_> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    all.sort();
    all
}

/// Library names and files to try, in order. Only what a user names is tried where `WARPFOLD_NVRTC` is set.
fn candidates(surroundings: &Surroundings) -> Vec<PathBuf> {
    if let Some(named) = &surroundings.named {
        return vec![named.clone()];
    }
    let loader = if cfg!(windows) {
        ["nvrtc64_130_0.dll", "nvrtc64_120_0.dll", "nvrtc64_112_0.dll"].as_slice()
    } else {
        [
            "libnvrtc.so",
            "libnvrtc.so.13",
            "libnvrtc.so.12",
            "libnvrtc.so.11.2",
        ]
        .as_slice()
    };
    let mut all: Vec<PathBuf> = loader.iter().map(PathBuf::from).collect();
    for toolkit in &surroundings.toolkits {
        for folder in ["lib64", "lib", "bin", "targets/x86_64-linux/lib"] {
            all.extend(libraries(&toolkit.join(folder)));
        }
    }
    for site in &surroundings.site_packages {
        for package in entries(&site.join("nvidia")) {
            all.extend(libraries(&package.join("lib")));
            all.extend(libraries(&package.join("bin")));
        }
    }
    all
}

/// NVRTC's files in a folder (not the builtins, which NVRTC loads itself).
fn libraries(folder: &Path) -> Vec<PathBuf> {
    entries(folder)
        .into_iter()
        .filter(|path| {
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default();
            (name.starts_with("libnvrtc.so")
                || (name.starts_with("nvrtc64_")
                    && path.extension().is_some_and(|extension| extension == "dll")))
                && !name.contains("builtins")
                && !name.contains("alt")
        })
        .collect()
}

/// The first candidate that loads and works; otherwise what was tried.
fn find(candidates: &[PathBuf]) -> Result<Nvrtc, String> {
    let mut tried = Vec::new();
    for path in candidates {
        match load(path) {
            Ok(nvrtc) => return Ok(nvrtc),
            Err(reason) => tried.push(format!("{} ({reason})", path.display())),
        }
    }
    Err(tried.join(", "))
}

fn load(path: &Path) -> Result<Nvrtc, String> {
    // NVRTC looks for its builtins with the loader's path, which does not name the folder that pip uses. Once they
    // are loaded the loader finds them by name.
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        let builtins = |path: &&PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.contains("nvrtc-builtins") && !name.contains(".alt.")
        };
        for builtins in entries(folder).iter().filter(builtins) {
            // SAFETY: NVRTC's own data library; it has no initialisers with conditions.
            if let Ok(library) = unsafe { Library::new(builtins) } {
                // Stays loaded as long as NVRTC does, which is until the process ends.
                std::mem::forget(library);
                break;
            }
        }
    }
    // SAFETY: NVRTC's initialisers have no conditions; a file that is no library is refused by the loader.
    let library = unsafe { Library::new(path) }.map_err(|error| short(&error))?;
    let functions = Functions::load(&library).map_err(|error| short(&error))?;
    let (mut major, mut minor, mut count) = (0, 0, 0);
    // SAFETY: all three write one int each, to live ints.
    let status = unsafe {
        (functions.version)(&raw mut major, &raw mut minor) | (functions.arch_count)(&raw mut count)
    };
    if status != 0 || count <= 0 {
        return Err(format!("status {status}"));
    }
    let mut archs = vec![0; count.unsigned_abs() as usize];
    // SAFETY: writes as many ints as `nvrtcGetNumSupportedArchs` said, which `archs` holds.
    let status = unsafe { (functions.archs)(archs.as_mut_ptr()) };
    if status != 0 {
        return Err(format!("status {status}"));
    }
    let newest = archs.into_iter().max().unwrap_or(0);
    Ok(Nvrtc {
        functions,
        toolchain: Toolchain {
            version: (major, minor),
            newest,
        },
        name: path.to_owned(),
        _library: library,
    })
}

/// The loader's words on one line.
fn short(error: &libloading::Error) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

/// What a compile gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Image {
    /// Machine code for the device.
    Cubin(Vec<u8>),
    /// PTX for NVRTC's newest architecture, which the driver finishes for a newer device.
    Ptx(Vec<u8>),
}

impl Nvrtc {
    /// Its version and architectures.
    pub(crate) const fn toolchain(&self) -> Toolchain {
        self.toolchain
    }

    /// The file it was loaded from, where that is known.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        if self.name.is_absolute() {
            Some(self.name.clone())
        } else {
            toolchain::file_of_loaded(&self.name)
        }
    }

    /// Compiles a source for a device of compute capability `arch`.
    pub(crate) fn compile(&self, spec: &'static str, source: &str, arch: i32) -> Result<Image, Error> {
        let wants_ptx = self.toolchain.is_older_than(arch);
        let bytes = self.compiled(spec, source, arch, wants_ptx)?;
        Ok(if wants_ptx {
            Image::Ptx(bytes)
        } else {
            Image::Cubin(bytes)
        })
    }

    /// The PTX that the machine code of such a device is made from: tests look at it.
    pub(crate) fn ptx(&self, spec: &'static str, source: &str, arch: i32) -> Result<String, Error> {
        let bytes = self.compiled(spec, source, arch, true)?;
        Ok(String::from_utf8_lossy(&bytes).trim_end_matches('\0').to_owned())
    }

    fn compiled(
        &self,
        spec: &'static str,
        source: &str,
        arch: i32,
        wants_ptx: bool,
    ) -> Result<Vec<u8>, Error> {
        let mut options = self.toolchain.options(arch);
        let listing = Listing::of_process();
        options.extend(listing.map(|_| "-lineinfo".to_owned()));
        let refused = |log: String| Error::Compile {
            spec,
            options: options.join(" "),
            log,
            numbered: numbered(source),
        };
        let text = CString::new(source).map_err(|_| refused("the source holds a NUL byte".into()))?;
        let flags: Vec<CString> = options
            .iter()
            .filter_map(|option| CString::new(option.as_str()).ok())
            .collect();
        let flags: Vec<*const c_char> = flags.iter().map(|flag| flag.as_ptr()).collect();
        let name = listing.map_or_else(
            || c"warpfold.cu".to_owned(),
            |listing| listing.write(spec, source),
        );
        let program = Source::new(&self.functions, &text, &name)
            .map_err(|status| refused(format!("status {status}")))?;
        // SAFETY: the program lives, `flags` holds that many NUL-terminated strings.
        let status = unsafe {
            (self.functions.compile)(
                program.handle,
                c_int::try_from(flags.len()).unwrap_or(0),
                flags.as_ptr(),
            )
        };
        if status != 0 {
            return Err(refused(program.log()));
        }
        let functions = &self.functions;
        let (size, read) = if wants_ptx {
            (functions.ptx_size, functions.ptx)
        } else {
            (functions.cubin_size, functions.cubin)
        };
        program
            .bytes(size, read)
            .map_err(|status| refused(format!("status {status}")))
    }
}

/// One program inside NVRTC, destroyed when dropped.
struct Source<'a> {
    functions: &'a Functions,
    handle: Program,
}

impl<'a> Source<'a> {
    fn new(functions: &'a Functions, text: &CStr, name: &CStr) -> Result<Self, Status> {
        let mut handle = std::ptr::null_mut();
        // SAFETY: `text` and the name are NUL-terminated; no headers are passed, so their arrays may be null.
        let status = unsafe {
            (functions.create)(
                &raw mut handle,
                text.as_ptr(),
                name.as_ptr(),
                0,
                std::ptr::null(),
                std::ptr::null(),
            )
        };
        if status == 0 {
            Ok(Self { functions, handle })
        } else {
            Err(status)
        }
    }

    fn log(&self) -> String {
        let bytes = self
            .bytes(self.functions.log_size, self.functions.log)
            .unwrap_or_default();
        String::from_utf8_lossy(&bytes)
            .trim_end_matches(['\0', '\n'])
            .to_owned()
    }

    fn bytes(
        &self,
        size: unsafe extern "C" fn(Program, *mut usize) -> Status,
        read: unsafe extern "C" fn(Program, *mut c_char) -> Status,
    ) -> Result<Vec<u8>, Status> {
        let mut len = 0;
        // SAFETY: the program lives; writes one size.
        let status = unsafe { size(self.handle, &raw mut len) };
        if status != 0 {
            return Err(status);
        }
        let mut bytes = vec![0_u8; len];
        // SAFETY: the program lives; writes as many bytes as it just said, which `bytes` holds.
        let status = unsafe { read(self.handle, bytes.as_mut_ptr().cast()) };
        if status == 0 { Ok(bytes) } else { Err(status) }
    }
}

impl Drop for Source<'_> {
    fn drop(&mut self) {
        // SAFETY: the handle came from `nvrtcCreateProgram` and is destroyed once.
        unsafe { (self.functions.destroy)(&raw mut self.handle) };
    }
}

/// The source with line numbers, as the log names them.
fn numbered(source: &str) -> String {
    use std::fmt::Write;
    source
        .lines()
        .zip(1..)
        .fold(String::new(), |mut text, (line, number)| {
            let _ = writeln!(text, "{number:5} | {line}");
            text
        })
}
