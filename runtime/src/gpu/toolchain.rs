//! Which NVRTC compiles here, known without loading it where an earlier process has.
//!
//! Loading NVRTC takes longer than all else that a warm start does, and a kernel that is on the disk needs only its
//! version. So the library that was found is noted in the folder of compiled kernels: the file, its size and date, and
//! what the search went by. While those stand, the note is taken for the library; the first compile loads it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::UNIX_EPOCH;

use crate::error::Error;
use crate::gpu::disk::{Store, Sum};
use crate::gpu::nvrtc;

/// A version of NVRTC, and what it compiles for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Toolchain {
    /// Major and minor.
    pub version: (i32, i32),
    /// Newest architecture it compiles for, as in `sm_XX`.
    pub newest: i32,
}

impl Toolchain {
    /// As people write it: `13.0`.
    pub(crate) fn version_text(&self) -> String {
        format!("{}.{}", self.version.0, self.version.1)
    }

    /// Whether a device of compute capability `arch` gets PTX, which its driver finishes.
    pub(crate) const fn is_older_than(&self, arch: i32) -> bool {
        arch > self.newest
    }

    /// The options of every kernel for a device of compute capability `arch` (90 for `sm_90`).
    pub(crate) fn options(&self, arch: i32) -> Vec<String> {
        let target = if self.is_older_than(arch) {
            format!("compute_{}", self.newest)
        } else {
            format!("sm_{arch}")
        };
        let mut options = vec![format!("--gpu-architecture={target}")];
        let fixed = [
            "-fmad=false",
            "-prec-div=true",
            "-prec-sqrt=true",
            "-ftz=false",
            "-std=c++17",
            "-default-device",
        ];
        options.extend(fixed.map(String::from));
        options
    }
}

/// The NVRTC of this process: as noted, else loaded and noted.
///
/// # Errors
/// [`Error::NoNvrtc`] where none is to be had.
pub(crate) fn get() -> Result<Toolchain, Error> {
    static KNOWN: OnceLock<Toolchain> = OnceLock::new();
    if let Some(known) = KNOWN.get() {
        return Ok(*known);
    }
    let store = Store::of_process();
    if let Some(noted) = store.and_then(|store| Note::read(store, nvrtc::surroundings())) {
        return Ok(*KNOWN.get_or_init(|| noted));
    }
    let loaded = nvrtc::get()?;
    if let (Some(store), Some(file)) = (store, loaded.file()) {
        Note::write(store, nvrtc::surroundings(), &file, loaded.toolchain());
    }
    Ok(*KNOWN.get_or_init(|| loaded.toolchain()))
}

/// What is noted of the library, in the folder of compiled kernels.
struct Note;

impl Note {
    const FILE: &str = "nvrtc";

    /// The toolchain that was noted, if the search and the file are as they were then.
    fn read(store: &Store, surroundings: Sum) -> Option<Toolchain> {
        let text = store.read_text(Self::FILE)?;
        let (first, path) = text.split_once('\n')?;
        let mut fields = first.split(' ');
        let mut number = || fields.next()?.parse().ok();
        let toolchain = Toolchain {
            version: (number()?, number()?),
            newest: number()?,
        };
        let stands = Self::text(surroundings, Path::new(path), toolchain)? == text;
        stands.then_some(toolchain)
    }

    fn write(store: &Store, surroundings: Sum, file: &Path, toolchain: Toolchain) {
        if let Some(text) = Self::text(surroundings, file, toolchain) {
            store.write_text(Self::FILE, &text);
        }
    }

    /// `major minor newest sum-of-search size date`, then the library's path; none where the file is not there.
    fn text(surroundings: Sum, file: &Path, toolchain: Toolchain) -> Option<String> {
        let Toolchain {
            version: (major, minor),
            newest,
        } = toolchain;
        let about = fs::metadata(file).ok()?;
        let date = about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
        Some(format!(
            "{major} {minor} {newest} {surroundings} {} {date}\n{}",
            about.len(),
            file.to_str()?
        ))
    }
}

/// The file that a library loaded by its bare name came from, where the system tells.
pub(crate) fn file_of_loaded(name: &Path) -> Option<PathBuf> {
    let name = name.to_str()?;
    let maps = fs::read_to_string("/proc/self/maps").ok()?;
    let mut files = maps
        .lines()
        .filter_map(|line| line.find('/').map(|at| &line[at..]));
    // `libnvrtc.so` and `libnvrtc.so.13` may be links to `libnvrtc.so.13.0.88`; the builtins are another name.
    files
        .find(|file| file.rsplit('/').next().is_some_and(|last| last.starts_with(name)))
        .map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTED: Toolchain = Toolchain {
        version: (13, 0),
        newest: 121,
    };

    fn here(text: &str) -> Sum {
        Sum::new().part(text.as_bytes())
    }

    #[test]
    fn a_note_holds_while_the_search_and_the_file_stand() {
        let folder = std::env::temp_dir().join(format!("warpfold-toolchain-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let store = Store::at(folder.join("cache"));
        fs::create_dir_all(&folder).unwrap();
        let library = folder.join("lib nvrtc.so");
        fs::write(&library, "library").unwrap();

        assert_eq!(Note::read(&store, here("a")), None, "nothing is noted");
        Note::write(&store, here("a"), &library, NOTED);
        assert_eq!(Note::read(&store, here("a")), Some(NOTED));
        assert_eq!(Note::read(&store, here("b")), None, "another search");

        fs::write(&library, "another library").unwrap();
        assert_eq!(Note::read(&store, here("a")), None, "another file under its name");
        Note::write(&store, here("a"), &library, NOTED);
        assert_eq!(Note::read(&store, here("a")), Some(NOTED));
        fs::remove_file(&library).unwrap();
        assert_eq!(Note::read(&store, here("a")), None, "it is gone");
        for damaged in ["", "13", "13 0 121", "x y z\n/", "13 0 121 0 0 0\n"] {
            store.write_text(Note::FILE, damaged);
            assert_eq!(Note::read(&store, here("a")), None, "{damaged:?}");
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_newer_device_gets_ptx_of_the_newest() {
        assert_eq!(NOTED.options(90)[0], "--gpu-architecture=sm_90");
        assert_eq!(NOTED.options(130)[0], "--gpu-architecture=compute_121");
        assert!(NOTED.is_older_than(130) && !NOTED.is_older_than(121));
    }
}
