//! Compiled kernels on disk, so that the next process need not compile them.
//!
//! An entry is found by what it was made from (source, options, architecture, NVRTC's version) and holds a sum of its
//! own bytes: what is damaged, truncated or foreign is compiled again. It is written beside and then renamed, so that a
//! reader sees all of it or nothing, however many processes write and whenever they are killed. A folder that cannot be
//! read or written costs nothing but the time to compile.

use std::fmt;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::gpu::nvrtc::Image;

/// Marks our files; the number changes with their layout.
const MAGIC: &[u8; 8] = b"warpfld1";
/// Magic, kind of image, sum.
const HEADER: usize = 8 + 1 + 16;

/// FNV-1a with 128 bits: any change of the input changes it, and nobody is kept from forging it.
#[derive(Clone, Copy)]
pub(crate) struct Sum(u128);

impl Sum {
    /// Of nothing.
    pub(crate) const fn new() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    /// With further bytes.
    #[must_use]
    pub(crate) fn with(self, bytes: &[u8]) -> Self {
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        Self(
            bytes
                .iter()
                .fold(self.0, |sum, &byte| (sum ^ u128::from(byte)).wrapping_mul(PRIME)),
        )
    }

    /// With a part that ends here: `("ab", "c")` and `("a", "bc")` differ.
    #[must_use]
    pub(crate) fn part(self, bytes: &[u8]) -> Self {
        self.with(&(bytes.len() as u64).to_le_bytes()).with(bytes)
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// A folder of compiled kernels.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    folder: PathBuf,
}

impl Store {
    /// The process's: `WARPFOLD_CACHE`, or `warpfold` in the user's cache folder; none where `WARPFOLD_CACHE` is `off`.
    pub(crate) fn of_process() -> Option<&'static Self> {
        static STORE: OnceLock<Option<Store>> = OnceLock::new();
        STORE
            .get_or_init(|| {
                let path = |name: &str| {
                    std::env::var_os(name)
                        .filter(|value| !value.is_empty())
                        .map(PathBuf::from)
                };
                match path("WARPFOLD_CACHE") {
                    Some(named) if named.as_os_str() == "off" => None,
                    Some(named) => Some(Store::at(named)),
                    None => path("XDG_CACHE_HOME")
                        .or_else(|| path("HOME").map(|home| home.join(".cache")))
                        .or_else(|| path("LOCALAPPDATA"))
                        .map(|caches| Store::at(caches.join("warpfold"))),
                }
            })
            .as_ref()
    }

    pub(crate) const fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    fn file(&self, key: Sum) -> PathBuf {
        self.folder.join(entry(key))
    }

    /// The kernel kept under `key`, if there is one and it is whole.
    pub(crate) fn read(&self, key: Sum) -> Option<Image> {
        let bytes = fs::read(self.file(key)).ok()?;
        let (header, body) = bytes.split_at_checked(HEADER)?;
        if !header.starts_with(MAGIC) || header[9..] != sum_of(key, header[8], body).0.to_le_bytes() {
            return None;
        }
        match header[8] {
            b'c' => Some(Image::Cubin(body.to_vec())),
            b'p' => Some(Image::Ptx(body.to_vec())),
            _ => None,
        }
    }

    /// A note of ours beside the kernels, if it is there.
    pub(crate) fn read_text(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.folder.join(name)).ok()
    }

    /// Keeps a note. What goes wrong is not reported, as with kernels.
    pub(crate) fn write_text(&self, name: &str, text: &str) {
        let _ = self.put(name, &[text.as_bytes()]);
    }

    /// Keeps a kernel. What goes wrong is not reported: the kernel is at hand, only the next process has to compile.
    pub(crate) fn write(&self, key: Sum, image: &Image) {
        let _ = self.try_write(key, image);
    }

    fn try_write(&self, key: Sum, image: &Image) -> std::io::Result<()> {
        let (kind, body) = match image {
            Image::Cubin(body) => (b'c', body),
            Image::Ptx(body) => (b'p', body),
        };
        let sum = sum_of(key, kind, body).0.to_le_bytes();
        self.put(&entry(key), &[MAGIC, &[kind], &sum, body])
    }

    /// Writes a file beside its name and renames it.
    fn put(&self, name: &str, parts: &[&[u8]]) -> std::io::Result<()> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        fs::create_dir_all(&self.folder)?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let beside = self
            .folder
            .join(format!("{name}.{}-{number}.part", std::process::id()));
        let written = write_whole(&beside, parts).and_then(|()| fs::rename(&beside, self.folder.join(name)));
        if written.is_err() {
            let _ = fs::remove_file(&beside);
        }
        written
    }
}

/// The name of a kernel's file.
fn entry(key: Sum) -> String {
    format!("{key}.bin")
}

/// The sum of an entry: its key is part of it, so that a file under another's name is not taken for it.
fn sum_of(key: Sum, kind: u8, body: &[u8]) -> Sum {
    Sum::new().with(&key.0.to_le_bytes()).with(&[kind]).part(body)
}

fn write_whole(path: &Path, parts: &[&[u8]]) -> std::io::Result<()> {
    let mut file = fs::File::create_new(path)?;
    for part in parts {
        file.write_all(part)?;
    }
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(name: &str) -> Store {
        let folder = std::env::temp_dir().join(format!("warpfold-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        Store::at(folder)
    }

    fn key(text: &str) -> Sum {
        Sum::new().part(text.as_bytes())
    }

    #[test]
    fn what_is_kept_comes_back() {
        let store = store("kept");
        assert_eq!(store.read(key("a")), None);
        store.write(key("a"), &Image::Cubin(vec![1, 2, 3]));
        store.write(key("b"), &Image::Ptx(vec![4]));
        assert_eq!(store.read(key("a")), Some(Image::Cubin(vec![1, 2, 3])));
        assert_eq!(store.read(key("b")), Some(Image::Ptx(vec![4])));
        assert_eq!(
            fs::read_dir(&store.folder).unwrap().count(),
            2,
            "nothing is left beside the entries"
        );
    }

    #[test]
    fn damaged_truncated_and_foreign_entries_are_not_taken() {
        let store = store("damaged");
        store.write(key("a"), &Image::Cubin((0..=255).collect()));
        let path = store.file(key("a"));
        let whole = fs::read(&path).unwrap();
        for at in [0, 8, 9, HEADER, whole.len() - 1] {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            fs::write(&path, damaged).unwrap();
            assert_eq!(store.read(key("a")), None, "byte {at} was changed");
        }
        for len in [0, 5, HEADER - 1, HEADER, whole.len() - 1] {
            fs::write(&path, &whole[..len]).unwrap();
            assert_eq!(store.read(key("a")), None, "cut to {len} bytes");
        }
        fs::write(store.file(key("b")), &whole).unwrap();
        assert_eq!(store.read(key("b")), None, "another entry under its name");
        store.write(key("a"), &Image::Cubin(vec![7]));
        assert_eq!(
            store.read(key("a")),
            Some(Image::Cubin(vec![7])),
            "it is replaced"
        );
    }

    #[test]
    fn a_folder_that_cannot_be_used_is_no_error() {
        let store = Store::at(PathBuf::from("/proc/warpfold-cannot-be"));
        store.write(key("a"), &Image::Ptx(vec![1]));
        assert_eq!(store.read(key("a")), None);
    }

    #[test]
    fn many_writers_leave_a_whole_entry() {
        let store = store("many");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        store.write(key("a"), &Image::Cubin(vec![9; 10_000]));
                        let read = store.read(key("a"));
                        assert_eq!(read, Some(Image::Cubin(vec![9; 10_000])));
                    }
                });
            }
        });
    }

    #[test]
    fn parts_do_not_run_together() {
        assert_ne!(
            Sum::new().part(b"ab").part(b"c").0,
            Sum::new().part(b"a").part(b"bc").0
        );
    }
}
