//! Memory of the host whose size follows from what a caller asks for: where there is none, an error says so.

use crate::error::Error;

/// Room for `len` elements.
pub(crate) fn room<T>(len: usize) -> Result<Vec<T>, Error> {
    let mut array = Vec::new();
    array.try_reserve_exact(len).map_err(|_| Error::HostMemory {
        bytes: len.saturating_mul(size_of::<T>()),
    })?;
    Ok(array)
}

/// `len` times the same value.
pub(crate) fn filled<T: Clone>(value: T, len: usize) -> Result<Vec<T>, Error> {
    let mut array = room(len)?;
    array.resize(len, value);
    Ok(array)
}

/// A copy.
pub(crate) fn copied<T: Copy>(elements: &[T]) -> Result<Vec<T>, Error> {
    let mut array = room(elements.len())?;
    array.extend_from_slice(elements);
    Ok(array)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_has_is_an_error() {
        for len in [usize::MAX, usize::MAX / 8, 1 << 58] {
            let error = filled(0.0_f64, len).unwrap_err();
            assert!(
                matches!(error, Error::HostMemory { bytes } if bytes == len.saturating_mul(8)),
                "{error}"
            );
        }
        assert_eq!(filled(3_u8, 2).unwrap(), [3, 3]);
        assert_eq!(copied(&[1_u16, 2]).unwrap(), [1, 2]);
    }
}
