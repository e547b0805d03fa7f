//! The shuffles, exactly as the hardware has them.
//!
//! The rules are those of `shfl.sync` in the PTX reference. An offset counts modulo 32, because the instruction
//! reads five bits of it. What happens past the end of a group differs from shuffle to shuffle, and the rules are
//! kept here in full so that nobody else has to know them:
//!
//! | shuffle | reads lane | past the group's end |
//! | --- | --- | --- |
//! | `up k` | `lane - k` | the lane's own value |
//! | `down k` | `lane + k` | the lane's own value |
//! | `xor k` | `lane ^ k` | an earlier group is read, a later one gives the lane's own value |
//! | `lane k` | lane `k mod width` of the group | cannot happen |
//! | `rotate k` | lane `(position + k) mod width` of the group | cannot happen |

use crate::width::{WARP, Width};
use std::fmt;

/// One shuffle: every lane offers its value and reads one other lane's.
///
/// `Rotate` is no instruction of its own: it is `Lane` with an index that each lane computes for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shuffle {
    /// `__shfl_up_sync`: read the lane `k` below.
    Up(u32),
    /// `__shfl_down_sync`: read the lane `k` above.
    Down(u32),
    /// `__shfl_xor_sync`: read the lane whose number differs in the bits of `k`.
    Xor(u32),
    /// `__shfl_sync` with one index for all: read lane `k` of the group.
    Lane(u32),
    /// `__shfl_sync` with an index a lane: read the lane `k` above, around the group's end.
    Rotate(u32),
}

/// Whose value a lane receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Source {
    /// The lane of the warp whose value arrives.
    pub lane: u32,
    /// Whether the lane that was asked for stands in the reader's own group. Where it does not, the hardware
    /// gives the reader's own value, or, for `xor`, may give a lane of an earlier group.
    pub in_group: bool,
}

impl Shuffle {
    /// Whose value `lane` (of the warp) receives when groups are `width` lanes wide.
    ///
    /// ```
    /// use warpfold_lanes::{Shuffle, Source, Width};
    ///
    /// let half = Width::new(16).unwrap();
    /// assert_eq!(Shuffle::Down(5).source(2, half), Source { lane: 7, in_group: true });
    /// assert_eq!(Shuffle::Down(5).source(12, half), Source { lane: 12, in_group: false });
    /// assert_eq!(Shuffle::Xor(16).source(20, half), Source { lane: 4, in_group: false });
    /// ```
    pub const fn source(self, lane: u32, width: Width) -> Source {
        let first = width.base(lane);
        let last = first + width.lanes() - 1;
        let own = Source {
            lane,
            in_group: false,
        };
        match self {
            Self::Up(k) => {
                let k = k % WARP;
                if lane >= first + k {
                    Source {
                        lane: lane - k,
                        in_group: true,
                    }
                } else {
                    own
                }
            }
            Self::Down(k) => {
                let wanted = lane + k % WARP;
                if wanted <= last {
                    Source {
                        lane: wanted,
                        in_group: true,
                    }
                } else {
                    own
                }
            }
            Self::Xor(k) => {
                let wanted = lane ^ (k % WARP);
                if wanted <= last {
                    Source {
                        lane: wanted,
                        in_group: wanted >= first,
                    }
                } else {
                    own
                }
            }
            Self::Lane(k) => Source {
                lane: first + width.position(k),
                in_group: true,
            },
            Self::Rotate(k) => Source {
                lane: first + width.position(lane.wrapping_add(k)),
                in_group: true,
            },
        }
    }

    /// The offset, or the lane for `Lane`.
    pub const fn offset(self) -> u32 {
        match self {
            Self::Up(k) | Self::Down(k) | Self::Xor(k) | Self::Lane(k) | Self::Rotate(k) => k,
        }
    }

    /// The shuffle's name in lower case, as a spec writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Up(_) => "up",
            Self::Down(_) => "down",
            Self::Xor(_) => "xor",
            Self::Lane(_) => "lane",
            Self::Rotate(_) => "rotate",
        }
    }
}

impl fmt::Display for Shuffle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name(), self.offset())
    }
}
