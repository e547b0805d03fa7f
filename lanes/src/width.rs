//! How many lanes work together.

use std::fmt;

/// Lanes in a hardware warp. Every NVIDIA GPU so far has 32.
pub const WARP: u32 = 32;

/// The lanes of a logical group: 1, 2, 4, 8, 16 or 32. A warp holds `32 / width` groups.
///
/// ```
/// use warpfold_lanes::Width;
///
/// let width = Width::new(8).unwrap();
/// assert_eq!((width.lanes(), width.groups(), width.steps()), (8, 4, 3));
/// assert_eq!(Width::new(12), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Width(u32);

impl Width {
    /// The whole warp.
    pub const WARP: Self = Self(WARP);

    /// Every width there is, the narrowest first.
    pub const ALL: [Self; 6] = [Self(1), Self(2), Self(4), Self(8), Self(16), Self(32)];

    /// The width of `lanes` lanes; `None` unless that is a power of two up to 32.
    pub const fn new(lanes: u32) -> Option<Self> {
        if lanes.is_power_of_two() && lanes <= WARP {
            Some(Self(lanes))
        } else {
            None
        }
    }

    /// Lanes in one group.
    pub const fn lanes(self) -> u32 {
        self.0
    }

    /// Groups in one warp.
    pub const fn groups(self) -> u32 {
        WARP / self.0
    }

    /// Steps that reach every lane when each doubles how far a lane has seen: log2 of the width.
    pub const fn steps(self) -> u32 {
        self.0.trailing_zeros()
    }

    /// The first lane of the group that `lane` stands in.
    pub const fn base(self, lane: u32) -> u32 {
        lane & !(self.0 - 1)
    }

    /// Where `lane` stands in its group.
    pub const fn position(self, lane: u32) -> u32 {
        lane & (self.0 - 1)
    }

    /// The offsets 1, 2, 4 … below the width.
    pub fn ascending(self) -> impl DoubleEndedIterator<Item = u32> {
        (0..self.steps()).map(|step| 1 << step)
    }

    /// The offsets half the width … 4, 2, 1.
    pub fn descending(self) -> impl DoubleEndedIterator<Item = u32> {
        self.ascending().rev()
    }
}

impl fmt::Display for Width {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
