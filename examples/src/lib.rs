//! What the examples share: the data they run on and how they check what they find.
//!
//! [`digits`] reads the handwritten digits that lie in `data/` beside this package; `data/README.md` names their
//! source and licence. Where the package has moved since it was compiled (a program copied to another machine), the
//! environment variable `WARPFOLD_EXAMPLES_DATA` says where the folder is now.

mod check;
mod data;
mod own;

use std::path::{Path, PathBuf};

use ndarray::{Array1, Array2};
use ndarray_npy::ReadNpyError;

pub use check::{agree, equal, require};
pub use data::Values;
pub use own::{compile, libraries};

/// The environment variable that names the folder of data, where it is not beside the package.
pub const DATA_VARIABLE: &str = "WARPFOLD_EXAMPLES_DATA";

/// Handwritten digits from the UCI Machine Learning Repository.
#[derive(Clone, Debug, PartialEq)]
pub struct Digits {
    /// One image a row: 1,797 rows of 8 × 8 pixels, each from 0.0 (paper) to 16.0 (ink).
    pub images: Array2<f32>,
    /// The digit that each image shows, 0 to 9.
    pub labels: Array1<u8>,
}

/// Why a file of data could not be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}: {source}\nhelp: set {DATA_VARIABLE} to the folder `examples/data`", path.display())]
pub struct DataError {
    /// The file that was wanted.
    pub path: PathBuf,
    /// What went wrong with it.
    pub source: ReadNpyError,
}

/// Reads the handwritten digits.
///
/// ```
/// let digits = warpfold_examples::digits()?;
/// assert_eq!(digits.images.dim(), (1797, 64));
/// assert_eq!(digits.labels[0], 0);
/// # Ok::<(), warpfold_examples::DataError>(())
/// ```
///
/// # Errors
///
/// When a file is missing or is not what its name says.
pub fn digits() -> Result<Digits, DataError> {
    digits_in(&data_folder())
}

/// Reads the handwritten digits from a given folder.
///
/// # Errors
///
/// When a file is missing or is not what its name says.
pub fn digits_in(folder: &Path) -> Result<Digits, DataError> {
    let images = folder.join("digits.npy");
    let labels = folder.join("digits_labels.npy");
    Ok(Digits {
        images: ndarray_npy::read_npy(&images).map_err(|source| DataError { path: images, source })?,
        labels: ndarray_npy::read_npy(&labels).map_err(|source| DataError { path: labels, source })?,
    })
}

/// The folder of data: what [`DATA_VARIABLE`] says, or `data/` of this package's sources.
pub fn data_folder() -> PathBuf {
    std::env::var_os(DATA_VARIABLE).map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("data"),
        PathBuf::from,
    )
}
