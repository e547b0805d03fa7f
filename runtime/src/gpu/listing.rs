//! Sources for profilers and sanitizers: where `WARPFOLD_SOURCES` names a folder, each kernel that is compiled is written
//! there and compiled with line information, so that Nsight Compute and compute-sanitizer show the lines of the file.

use std::ffi::CString;
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::gpu::disk::Sum;

/// The folder that sources are written to.
#[derive(Debug)]
pub(crate) struct Listing {
    folder: PathBuf,
}

impl Listing {
    /// The one that `WARPFOLD_SOURCES` names, if it does.
    pub(crate) fn of_process() -> Option<&'static Self> {
        static LISTING: OnceLock<Option<Listing>> = OnceLock::new();
        LISTING
            .get_or_init(|| {
                std::env::var_os("WARPFOLD_SOURCES")
                    .filter(|value| !value.is_empty())
                    .map(|folder| Self::at(folder.into()))
            })
            .as_ref()
    }

    const fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Writes a kernel's source; gives the name to compile it under, which is the path of the file. A folder that
    /// cannot be written to costs the listing, not the kernel.
    pub(crate) fn write(&self, spec: &str, source: &str) -> CString {
        let file = self
            .folder
            .join(format!("{spec}-{}.cu", Sum::new().part(source.as_bytes())));
        let _ = std::fs::create_dir_all(&self.folder).and_then(|()| std::fs::write(&file, source));
        CString::new(file.as_os_str().as_encoded_bytes()).unwrap_or_else(|_| c"warpfold.cu".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_lies_where_its_name_says() {
        let folder = std::env::temp_dir().join(format!("warpfold-listing-{}", std::process::id()));
        let listing = Listing::at(folder.join("new"));
        let name = listing.write("row_max", "int one;\n");
        let file = PathBuf::from(name.to_str().unwrap());
        assert!(file.starts_with(&folder));
        assert!(
            file.file_name()
                .unwrap()
                .to_str()
                .unwrap()
                .starts_with("row_max-")
        );
        assert_eq!(std::fs::read_to_string(file).unwrap(), "int one;\n");
        assert_ne!(listing.write("row_max", "int two;\n"), name);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_folder_that_cannot_be_made_costs_the_listing_alone() {
        let listing = Listing::at(PathBuf::from("/proc/warpfold-cannot-be"));
        let name = listing.write("row_max", "int one;\n");
        assert!(
            name.to_str()
                .unwrap()
                .starts_with("/proc/warpfold-cannot-be/row_max-")
        );
    }
}
