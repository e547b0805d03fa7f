//! Which lanes of a warp take part.

use crate::width::{WARP, Width};
use std::fmt;
use std::iter::FusedIterator;

/// A member mask, as every `…_sync` instruction takes one: bit `i` names lane `i`.
///
/// ```
/// use warpfold_lanes::{Mask, Width};
///
/// let eight = Width::new(8).unwrap();
/// assert!(Mask(0x0000_ff00).is_union_of_groups(eight));
/// assert!(!Mask(0x0000_0ff0).is_union_of_groups(eight));
/// assert_eq!(Mask(0x0000_0ff0).groups(eight).collect::<Vec<_>>(), [0, 1]);
/// assert_eq!(Mask::prefix(20).to_string(), "0x000fffff");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mask(pub u32);

impl Mask {
    /// Every lane of the warp.
    pub const FULL: Self = Self(u32::MAX);

    /// No lane: an instruction with this mask has no meaning.
    pub const EMPTY: Self = Self(0);

    /// The first `lanes` lanes (32 or more: all).
    pub const fn prefix(lanes: u32) -> Self {
        if lanes >= WARP {
            Self::FULL
        } else {
            Self((1 << lanes) - 1)
        }
    }

    /// The lanes of group `index`, counted from 0.
    pub const fn group(width: Width, index: u32) -> Self {
        Self(Self::prefix(width.lanes()).0 << (index * width.lanes()))
    }

    /// Whether the mask names `lane`.
    pub const fn contains(self, lane: u32) -> bool {
        lane < WARP && self.0 >> lane & 1 == 1
    }

    /// Whether the mask names every lane that `other` names.
    pub const fn covers(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// How many lanes the mask names.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The lanes the mask names, the lowest first.
    pub fn lanes(self) -> impl DoubleEndedIterator<Item = u32> + Clone {
        Lanes(self.0)
    }

    /// The groups the mask names at least one lane of.
    pub fn groups(self, width: Width) -> impl Iterator<Item = u32> + Clone {
        (0..width.groups()).filter(move |&index| self.0 & Self::group(width, index).0 != 0)
    }

    /// Whether no group takes part with some of its lanes only.
    pub fn is_union_of_groups(self, width: Width) -> bool {
        self.groups(width)
            .all(|index| self.covers(Self::group(width, index)))
    }

    /// The mask that also names the lanes missing from the groups it names in part.
    #[must_use]
    pub fn whole_groups(self, width: Width) -> Self {
        Self(
            self.groups(width)
                .fold(0, |bits, index| bits | Self::group(width, index).0),
        )
    }
}

/// The lanes that are still to be named, by their bits: proofs ask for the lanes of many masks that name one, and run
/// while crates compile, where nothing is optimised.
#[derive(Clone)]
struct Lanes(u32);

impl Iterator for Lanes {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let lane = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(lane)
    }
}

impl DoubleEndedIterator for Lanes {
    fn next_back(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let lane = self.0.ilog2();
        self.0 &= !(1 << lane);
        Some(lane)
    }
}

impl FusedIterator for Lanes {}

impl fmt::Display for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#010x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Mask;

    #[test]
    fn lanes_are_named_from_both_ends() {
        for mask in [0, 1, 0x8000_0000, 0x0010_0ff1, u32::MAX] {
            let wanted: Vec<u32> = (0..32).filter(|&lane| Mask(mask).contains(lane)).collect();
            assert_eq!(Mask(mask).lanes().collect::<Vec<_>>(), wanted);
            let mut back: Vec<u32> = Mask(mask).lanes().rev().collect();
            back.reverse();
            assert_eq!(back, wanted);
        }
        let mut both = Mask(0b1011).lanes();
        assert_eq!(
            [both.next(), both.next_back(), both.next(), both.next_back()],
            [Some(0), Some(3), Some(1), None]
        );
    }
}
