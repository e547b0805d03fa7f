//! Operators and masks that several tests share.

#![allow(dead_code, reason = "each test takes what it needs")]

use warpfold_lanes::{Mask, Width};

/// A list of lane numbers that can be copied. Concatenation is associative and not commutative, and it gives
/// away every mistake: an element twice, missing, or out of place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seq {
    length: usize,
    letters: [u8; 64],
}

impl Seq {
    pub const EMPTY: Self = Self {
        length: 0,
        letters: [0; 64],
    };

    pub fn of(lane: u32) -> Self {
        let mut seq = Self::EMPTY;
        seq.letters[0] = lane as u8;
        seq.length = 1;
        seq
    }

    pub fn then(mut self, right: Self) -> Self {
        let end = self.length + right.length;
        self.letters[self.length..end].copy_from_slice(right.letters());
        self.length = end;
        self
    }

    pub fn letters(&self) -> &[u8] {
        &self.letters[..self.length]
    }

    pub fn sorted(&self) -> Vec<u8> {
        let mut letters = self.letters().to_vec();
        letters.sort_unstable();
        letters
    }
}

/// A 2×2 matrix of wrapping integers; products are associative and not commutative.
pub type Matrix = [u32; 4];

pub const UNIT: Matrix = [1, 0, 0, 1];

pub fn times(a: Matrix, b: Matrix) -> Matrix {
    let dot = |row: usize, column: usize| {
        a[row]
            .wrapping_mul(b[column])
            .wrapping_add(a[row + 1].wrapping_mul(b[column + 2]))
    };
    [dot(0, 0), dot(0, 1), dot(2, 0), dot(2, 1)]
}

/// Some matrix for each lane; no two commute.
pub fn matrix(lane: u32) -> Matrix {
    [lane + 2, 1, 2 * lane + 1, 3]
}

/// Masks of whole groups: every one where there are at most 255, otherwise the full mask, each group alone, and
/// a few hundred scattered over the rest.
pub fn masks(width: Width) -> Vec<Mask> {
    let groups = width.groups();
    let union = |chosen: u32| {
        Mask(
            (0..groups)
                .filter(|g| chosen >> g & 1 == 1)
                .fold(0, |bits, g| bits | Mask::group(width, g).0),
        )
    };
    if groups <= 8 {
        return (1..1 << groups).map(union).collect();
    }
    let mut random = 0x9e37_79b9_u32;
    let scattered = (0..200).map(|_| {
        random = random.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        union(random ^ random >> 15)
    });
    let alone = (0..groups).map(|group| Mask::group(width, group));
    alone
        .chain([Mask::FULL])
        .chain(scattered)
        .filter(|&mask| mask != Mask::EMPTY)
        .collect()
}
