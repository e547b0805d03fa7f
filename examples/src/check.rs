//! How an example checks itself: what it found beside what a library or a closed form says.

use std::error::Error;
use std::fmt::{Debug, Display};

/// An error with the given words, unless what is required holds.
///
/// # Errors
///
/// When it does not hold.
pub fn require(holds: bool, otherwise: impl Display) -> Result<(), Box<dyn Error>> {
    if holds {
        Ok(())
    } else {
        Err(otherwise.to_string().into())
    }
}

/// Prints how far `found` is from `wanted`, at most, as `name: N values, M wrong, largest difference D`.
///
/// A value is right within `tolerance` of the larger of 1 and its own size. `NaN` is right where `NaN` is wanted, an
/// infinity where that infinity is.
///
/// ```
/// use warpfold_examples::agree;
///
/// assert!(agree("halves", &[0.5, 1.0], &[0.5, 1.0], 1e-6).is_ok());
/// assert!(agree("halves", &[0.5, 1.1], &[0.5, 1.0], 1e-6).is_err());
/// assert!(agree("halves", &[f32::NAN], &[0.5], 1e-6).is_err());
/// ```
///
/// # Errors
///
/// When a value is wrong or there are not as many as wanted.
pub fn agree(name: &str, found: &[f32], wanted: &[f64], tolerance: f64) -> Result<(), Box<dyn Error>> {
    same_length(name, found.len(), wanted.len())?;
    let difference = |(&found, &wanted): (&f32, &f64)| {
        let found = f64::from(found);
        if found.to_bits() == wanted.to_bits() || (found.is_nan() && wanted.is_nan()) {
            0.0
        } else {
            (found - wanted).abs() / wanted.abs().max(1.0)
        }
    };
    let differences = || found.iter().zip(wanted).map(difference);
    // A `NaN` where none is wanted is wrong, and greater than nothing.
    let wrong = differences().filter(|&d| d.is_nan() || d > tolerance).count();
    let largest = differences().fold(0.0, f64::max);
    println!(
        "  {name}: {} values, {wrong} wrong, largest difference {largest:.1e}",
        found.len()
    );
    require(wrong == 0, format!("{name}: {wrong} values are wrong"))
}

/// Prints how many of `found` differ from `wanted`, as `name: N values, M wrong`.
///
/// ```
/// use warpfold_examples::equal;
///
/// assert!(equal("offsets", &[0, 3, 5], &[0, 3, 5]).is_ok());
/// assert!(equal("offsets", &[0, 3, 5], &[0, 3, 6]).is_err());
/// ```
///
/// # Errors
///
/// When a value differs or there are not as many as wanted.
pub fn equal<T: PartialEq + Debug>(name: &str, found: &[T], wanted: &[T]) -> Result<(), Box<dyn Error>> {
    same_length(name, found.len(), wanted.len())?;
    let wrong: Vec<usize> = (0..found.len()).filter(|&i| found[i] != wanted[i]).collect();
    println!("  {name}: {} values, {} wrong", found.len(), wrong.len());
    match wrong.first() {
        None => Ok(()),
        Some(&i) => Err(format!("{name}: value {i} is {:?}, not {:?}", found[i], wanted[i]).into()),
    }
}

fn same_length(name: &str, found: usize, wanted: usize) -> Result<(), Box<dyn Error>> {
    require(
        found == wanted,
        format!("{name}: {found} values where {wanted} are wanted"),
    )
}
