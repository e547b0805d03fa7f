//! NVRTC, the compiler of CUDA C++ as a library: found on this machine, or fetched from PyPI.
//!
//! A library older than [`OLDEST`] is passed over: it does not know every architecture that the goldens are compiled
//! for.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::process;

/// The package on PyPI and its version: one, so that goldens are compiled by the same compiler everywhere.
const PACKAGE: &str = "nvidia-cuda-nvrtc";
const VERSION: &str = "13.0.88";

/// The oldest NVRTC that compiles for `sm_75` to `sm_120`.
const OLDEST: (u32, u32) = (12, 8);

/// The variable that names the library file to the tests.
pub const VARIABLE: &str = "WARPFOLD_NVRTC";

/// A library found.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Nvrtc {
    /// The file.
    pub library: PathBuf,
    /// Its version, where its name or its neighbours' tell.
    pub version: Option<(u32, u32)>,
    /// Why this one: where it was found.
    pub found: &'static str,
}

impl Nvrtc {
    /// Tells a command where the library is; its own parts (the builtins) are found by the loader's path.
    pub fn tell(&self, command: &mut Command) {
        command.env(VARIABLE, &self.library);
        if let Some(folder) = self.library.parent() {
            search_first(folder, command);
        }
    }

    fn is_new_enough(&self) -> bool {
        self.version.is_none_or(|version| version >= OLDEST)
    }
}

impl std::fmt::Display for Nvrtc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "nvrtc ")?;
        if let Some((major, minor)) = self.version {
            write!(f, "{major}.{minor} ")?;
        }
        write!(f, "{} ({})", self.library.display(), self.found)
    }
}

/// Has the loader of a command look into a folder before it looks elsewhere.
pub fn search_first(folder: &Path, command: &mut Command) {
    let mut path = OsString::from(folder);
    if let Some(old) = std::env::var_os("LD_LIBRARY_PATH").filter(|old| !old.is_empty()) {
        path.push(":");
        path.push(old);
    }
    command.env("LD_LIBRARY_PATH", path);
}

/// The folder of this machine's NVRTC where the loader does not look by itself.
pub fn beyond_the_loader() -> Option<PathBuf> {
    if from_loader().next().is_some() {
        return None;
    }
    first(from_cuda().chain(from_pip()))?
        .library
        .parent()
        .map(Path::to_owned)
}

/// The library this machine has, or the one fetched into the build folder.
pub fn find_or_fetch(target: &Path) -> Result<Nvrtc> {
    if let Some(library) = std::env::var_os(VARIABLE).map(PathBuf::from) {
        ensure!(
            library.is_file(),
            "{VARIABLE} names {}, which is no file\nhelp: unset {VARIABLE} to search for the library",
            library.display()
        );
        return Ok(Nvrtc {
            version: version(&library),
            library,
            found: VARIABLE,
        });
    }
    let fetched = target.join("nvrtc").join(VERSION);
    if let Some(nvrtc) = first(places(&fetched)) {
        return Ok(nvrtc);
    }
    fetch(&fetched)?;
    in_site_packages(&fetched, "fetched from PyPI")
        .with_context(|| format!("{PACKAGE} {VERSION} holds no libnvrtc.so for this machine"))
}

/// The first library that is new enough.
fn first(places: impl IntoIterator<Item = Nvrtc>) -> Option<Nvrtc> {
    places.into_iter().find(Nvrtc::is_new_enough)
}

/// Every library of this machine, in the order in which they are preferred.
fn places(fetched: &Path) -> impl Iterator<Item = Nvrtc> {
    let fetched = in_site_packages(fetched, "fetched from PyPI before");
    from_loader().chain(from_cuda()).chain(from_pip()).chain(fetched)
}

fn from_loader() -> impl Iterator<Item = Nvrtc> {
    loader_folders()
        .into_iter()
        .filter_map(|folder| in_folder(&folder, "the loader's path"))
}

/// Where the toolkit is said to be, then where it is put by default.
fn from_cuda() -> impl Iterator<Item = Nvrtc> {
    let said = ["CUDA_HOME", "CUDA_PATH"].map(|name| (std::env::var_os(name).map(PathBuf::from), name));
    let usual = (
        Some(PathBuf::from("/usr/local/cuda")),
        "the toolkit's usual place",
    );
    said.into_iter().chain([usual]).filter_map(|(home, found)| {
        let home = home?;
        ["lib64", "lib", "targets/x86_64-linux/lib"]
            .iter()
            .find_map(|sub| in_folder(&home.join(sub), found))
    })
}

fn from_pip() -> impl Iterator<Item = Nvrtc> {
    python_path()
        .into_iter()
        .filter_map(|path| in_site_packages(&path, "pip's packages"))
}

/// The folders in which the loader looks: `LD_LIBRARY_PATH`, then its cache.
fn loader_folders() -> Vec<PathBuf> {
    let variable = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let mut folders: Vec<_> = std::env::split_paths(&variable).collect();
    let cache = process::output(Command::new("ldconfig").arg("-p"))
        .or_else(|| process::output(Command::new("/sbin/ldconfig").arg("-p")))
        .unwrap_or_default();
    folders.extend(cached(&cache));
    folders
}

/// The folders of NVRTC in the loader's cache, as `ldconfig -p` prints it.
fn cached(cache: &str) -> impl Iterator<Item = PathBuf> {
    cache.lines().filter_map(|line| {
        let (name, path) = line.trim().split_once(" => ")?;
        name.starts_with("libnvrtc.so")
            .then(|| Path::new(path).parent().map(Path::to_owned))?
    })
}

/// Where Python looks for modules, which is where pip puts them.
fn python_path() -> Vec<PathBuf> {
    let script = "import sys; print('\\n'.join(sys.path))";
    let path = process::output(Command::new("python3").args(["-c", script])).unwrap_or_default();
    path.lines()
        .filter(|line| !line.is_empty())
        .map(PathBuf::from)
        .collect()
}

/// NVRTC among Python's packages: `nvidia/cu13/lib` or, before CUDA 13, `nvidia/cuda_nvrtc/lib`.
fn in_site_packages(folder: &Path, found: &'static str) -> Option<Nvrtc> {
    let mut libraries: Vec<_> = names(&folder.join("nvidia"))
        .iter()
        .filter_map(|name| in_folder(&folder.join("nvidia").join(name).join("lib"), found))
        .collect();
    libraries.sort_by_key(|nvrtc| nvrtc.version);
    libraries.pop()
}

/// NVRTC in one folder; of several versions, the newest.
fn in_folder(folder: &Path, found: &'static str) -> Option<Nvrtc> {
    let mut libraries: Vec<_> = names(folder)
        .into_iter()
        .filter(|name| name == "libnvrtc.so" || name.starts_with("libnvrtc.so."))
        .map(|name| folder.join(name))
        .filter(|library| library.is_file())
        .map(|library| Nvrtc {
            version: version(&library),
            library,
            found,
        })
        .collect();
    libraries.sort_by(|a, b| (a.version, &a.library).cmp(&(b.version, &b.library)));
    libraries.pop()
}

/// The names in a folder; none where it cannot be read.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect()
}

/// The version of a library: from the name of the file it stands for (`libnvrtc.so.12.8.93`), else from its builtins'
/// (`libnvrtc-builtins.so.13.0`).
fn version(library: &Path) -> Option<(u32, u32)> {
    let file = fs::canonicalize(library).ok()?;
    let own = file
        .file_name()?
        .to_str()?
        .strip_prefix("libnvrtc.so.")
        .and_then(major_minor);
    own.or_else(|| {
        let names = names(file.parent()?);
        names
            .iter()
            .filter_map(|name| major_minor(name.strip_prefix("libnvrtc-builtins.so.")?))
            .max()
    })
}

/// `(12, 8)` of `12.8` and of `12.8.93`; nothing of `12`.
fn major_minor(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.split('.').map(|part| part.parse().ok());
    Some((parts.next()??, parts.next()??))
}

/// Has pip unpack the package into a folder, which then is there whole or not at all.
fn fetch(into: &Path) -> Result<()> {
    const HELP: &str =
        "help: install python3 and pip, or the CUDA toolkit, or set WARPFOLD_NVRTC to libnvrtc.so";
    eprintln!(
        "this machine has no NVRTC {}.{} or newer: fetching {PACKAGE} {VERSION}",
        OLDEST.0, OLDEST.1
    );
    let Some(python) = ["python3", "python"]
        .into_iter()
        .find(|python| process::output(Command::new(python).args(["-m", "pip", "--version"])).is_some())
    else {
        bail!("NVRTC cannot be fetched: neither python3 nor python runs pip\n{HELP}");
    };

    let partial = into.with_file_name(format!("partial-{}", std::process::id()));
    let mut pip = Command::new(python);
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
    ]);
    pip.args(["--only-binary", ":all:", "--no-compile", "--target"])
        .arg(&partial);
    pip.arg(format!("{PACKAGE}=={VERSION}"));
    // It is no installation: the folder is the build's own, whoever runs it.
    pip.env("PIP_ROOT_USER_ACTION", "ignore");
    let done = process::succeeds(&mut pip)?;
    // Another run may have put the same folder there meanwhile; either will do.
    let moved = done && (fs::rename(&partial, into).is_ok() || into.is_dir());
    if !moved {
        let _ = fs::remove_dir_all(&partial);
        bail!("{PACKAGE} {VERSION} could not be fetched from PyPI\n{HELP}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_with(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        folder
    }

    #[test]
    fn pips_layout_is_searched_and_the_newest_wins() {
        let folder = folder_with(&[
            "nvidia/cuda_nvrtc/lib/libnvrtc.so.12",
            "nvidia/cuda_nvrtc/lib/libnvrtc-builtins.so.12.8",
            "nvidia/cu13/lib/libnvrtc.so.13",
            "nvidia/cu13/lib/libnvrtc.alt.so.13",
            "nvidia/cu13/lib/libnvrtc-builtins.so.13.0",
            "nvidia/cublas/lib/libcublas.so.13",
        ]);
        let nvrtc = in_site_packages(folder.path(), "here").unwrap();
        assert_eq!(
            nvrtc.library,
            folder.path().join("nvidia/cu13/lib/libnvrtc.so.13")
        );
        assert_eq!(nvrtc.version, Some((13, 0)));
    }

    #[test]
    fn builtins_alone_are_no_library() {
        let folder = folder_with(&[
            "libnvrtc-builtins.so.13.0",
            "libnvrtc.alt.so.13",
            "libnvrtc_static.a",
        ]);
        assert_eq!(in_folder(folder.path(), "here"), None);
        assert_eq!(in_folder(&folder.path().join("missing"), "here"), None);
    }

    #[test]
    fn an_old_library_is_passed_over() {
        let old = folder_with(&["libnvrtc.so.11.8.89"]);
        let new = folder_with(&["libnvrtc.so.12.8.93"]);
        let places = [&old, &new].map(|folder| in_folder(folder.path(), "here").unwrap());
        assert_eq!(places[0].version, Some((11, 8)));
        assert_eq!(first(places.clone()), Some(places[1].clone()));
        assert_eq!(first([places[0].clone()]), None);
    }

    #[test]
    fn a_library_of_unknown_version_is_taken() {
        let folder = folder_with(&["libnvrtc.so"]);
        let nvrtc = in_folder(folder.path(), "here").unwrap();
        assert_eq!(nvrtc.version, None);
        assert!(first([nvrtc]).is_some());
    }

    #[test]
    fn the_loaders_cache_is_read() {
        let cache = "12 libs found in cache `/etc/ld.so.cache'\n\
            \tlibnvrtc-builtins.so.13.0 (libc6,x86-64) => /opt/b/libnvrtc-builtins.so.13.0\n\
            \tlibnvrtc.so.13 (libc6,x86-64) => /opt/cuda/lib64/libnvrtc.so.13\n\
            \tlibc.so.6 (libc6,x86-64) => /lib/libc.so.6\n";
        assert_eq!(cached(cache).collect::<Vec<_>>(), [Path::new("/opt/cuda/lib64")]);
    }

    #[test]
    fn a_command_is_told_the_file_and_its_folder() {
        let nvrtc = Nvrtc {
            library: "/opt/x/libnvrtc.so.13".into(),
            version: None,
            found: "here",
        };
        let mut command = Command::new("true");
        nvrtc.tell(&mut command);
        let value = |name: &str| {
            let (_, value) = command.get_envs().find(|(key, _)| *key == name).unwrap();
            value.unwrap().to_string_lossy().into_owned()
        };
        assert_eq!(value(VARIABLE), "/opt/x/libnvrtc.so.13");
        assert_eq!(value("LD_LIBRARY_PATH").split(':').next(), Some("/opt/x"));
    }
}
