//! The data: a hash of the position, so that every program makes the same elements without sharing memory.
//!
//! `peers/common.py` and `peers/cub/common.cuh` spell the same formula; [`crate::reference`] computes the
//! expected results from this one.

use std::sync::{Arc, Mutex, PoisonError};

use crate::cell::{Cell, DType, Spread, Work};

/// Where the second array (of `dot` and `recurrence`) starts in the sequence of hashes.
pub const SECOND: u32 = 0x4000_0000;
/// Where the per-column weights start.
pub const GAMMA: u32 = 0x8000_0000;
/// Where the per-column biases start.
pub const BETA: u32 = 0xa000_0000;
/// What the norms add to the mean square or the variance.
pub const EPSILON: f64 = 1e-6;

/// A well-mixed 32-bit hash of a position (two rounds of xor-shift and multiply).
pub const fn hash(position: u32) -> u32 {
    let mut h = position;
    h ^= h >> 16;
    h = h.wrapping_mul(0x7feb_352d);
    h ^= h >> 15;
    h = h.wrapping_mul(0x846c_a68b);
    h ^ (h >> 16)
}

/// An element of 24 significant bits in `[-1, 1)`, exact in `f32` and `f64`.
pub fn unit(position: u32) -> f64 {
    f64::from(hash(position) >> 8) * (1.0 / 8_388_608.0) - 1.0
}

/// The element of the first array at a position, as a number.
pub fn element(dtype: DType, position: u64) -> f64 {
    let position = position as u32;
    match dtype {
        DType::F32 | DType::F64 => unit(position),
        DType::F16 => half::f16::from_f64(unit(position)).to_f64(),
        DType::I8 | DType::I16 | DType::I32 => f64::from((hash(position) & 0xff).cast_signed() - 128),
    }
}

/// The element of the second array at a position.
pub fn second(work: Work, position: u64) -> f64 {
    // A recurrence decays by at most a half, so that its values stay of one magnitude.
    let value = unit((position as u32).wrapping_add(SECOND));
    if matches!(work, Work::Recurrence) {
        value * 0.5
    } else {
        value
    }
}

/// The weight of a column.
pub fn gamma(column: u64) -> f64 {
    1.0 + 0.5 * unit((column as u32).wrapping_add(GAMMA))
}

/// The bias of a column.
pub fn beta(column: u64) -> f64 {
    unit((column as u32).wrapping_add(BETA))
}

/// Elements of one segment of a cell.
pub const fn length(cell: &Cell, segment: u64) -> u32 {
    let chance = hash(segment as u32);
    match cell.spread() {
        Spread::Even => cell.cols as u32,
        Spread::PowerLaw => (4 << 16) / ((chance >> 16) + 1),
        Spread::Giant if segment == cell.rows / 2 => GIANT,
        Spread::Giant => chance % 51,
        Spread::HalfEmpty => (chance & 1) * cell.cols as u32,
    }
}

/// Elements of the giant among dwarfs.
pub const GIANT: u32 = 100_000_000;

/// Where the segments of a cell start, and where the last one ends.
pub fn offsets(cell: &Cell) -> Arc<Vec<u32>> {
    // The last ones are kept: a cell asks for its offsets many times.
    /// What offsets were made from, and they.
    type Made = ([u64; 3], Arc<Vec<u32>>);
    static LAST: Mutex<Option<Made>> = Mutex::new(None);
    let key = [cell.rows, cell.cols, cell.stride];
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((known, offsets)) = &*last
        && *known == key
    {
        return Arc::clone(offsets);
    }
    let mut at = 0;
    let ends = (0..cell.rows).map(|segment| {
        at += length(cell, segment);
        at
    });
    let offsets = Arc::new(std::iter::once(0).chain(ends).collect());
    *last = Some((key, Arc::clone(&offsets)));
    offsets
}

/// What a filter compares with: elements below it are kept.
pub const fn threshold(work: Work, dtype: DType) -> f64 {
    match dtype {
        DType::I8 | DType::I16 | DType::I32 => (256.0 * work.kept()) as i64 as f64 - 128.0,
        _ => 2.0 * work.kept() - 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_exact_in_f32_and_fill_the_range() {
        let mut low: f64 = 0.0;
        let mut high: f64 = 0.0;
        for position in 0..100_000 {
            let value = unit(position);
            assert_eq!(f64::from(value as f32).to_bits(), value.to_bits());
            low = low.min(value);
            high = high.max(value);
        }
        assert!(low < -0.999 && high > 0.999);
    }

    #[test]
    fn known_elements_are_the_ones_the_peers_make() {
        // peers/common.py states the same three numbers and checks its own formula against them.
        assert_eq!([hash(0), hash(1), hash(12_345)], [0, 0x6889_90c0, 0x912e_fcf7]);
    }

    #[test]
    fn thresholds_keep_their_share() {
        for work in [Work::Filter1, Work::Filter50, Work::Filter99] {
            for dtype in [DType::F32, DType::I32] {
                let limit = threshold(work, dtype);
                let kept = (0..100_000_u64).filter(|&p| element(dtype, p) < limit).count();
                let share = kept as f64 / 100_000.0;
                assert!((share - work.kept()).abs() < 0.02, "{work:?} {dtype:?} {share}");
            }
        }
    }
}
