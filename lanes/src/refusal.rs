//! Why a plan is refused, in words that say what to do.

use crate::mask::Mask;
use crate::plan::{Order, Step};
use crate::shuffle::Shuffle;
use crate::width::Width;
use crate::word::Word;
use std::fmt;

/// Why [`prove`](crate::prove) refused a plan. Steps are counted from 1, lanes from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No lane takes part.
    MaskEmpty,
    /// The mask names a lane that does not exist.
    MaskPastPresent {
        /// The mask.
        mask: Mask,
        /// Lanes that exist.
        present: u32,
        /// The first lane named that does not.
        lane: u32,
    },
    /// A group takes part with some of its lanes, and one that must hold a result is missing.
    MaskSplitsGroup {
        /// The mask.
        mask: Mask,
        /// Lanes in a group.
        width: Width,
        /// A lane that must hold a result and is not named.
        missing: u32,
    },
    /// The landing lane is not in the group.
    LandingOutsideGroup {
        /// The landing lane.
        landing: u32,
        /// Lanes in a group.
        width: Width,
    },
    /// An exchange reads further than its group reaches.
    SourceOutsideGroup {
        /// The exchange.
        shuffle: Shuffle,
        /// Lanes in a group.
        width: Width,
    },
    /// Fewer lanes exist than a warp has, and they are split into groups, or there are none or too many.
    ShortWarp {
        /// Lanes that exist.
        present: u32,
        /// Lanes in a group.
        width: Width,
    },
    /// A lane uses what a lane outside the mask offers.
    ReadsUnnamed {
        /// The mask.
        mask: Mask,
        /// The step, from 1.
        at: usize,
        /// What is done at that step.
        step: Step,
        /// The lane that reads.
        lane: u32,
        /// The lane that it reads.
        source: u32,
    },
    /// A lane that matters uses a value nobody may use: another lane's, or its own.
    ReadsUnusable {
        /// The step, from 1.
        at: usize,
        /// What is done at that step.
        step: Step,
        /// The lane that reads.
        lane: u32,
        /// The lane that it reads, which may be itself.
        source: u32,
        /// How that value was lost.
        lost: Loss,
    },
    /// A lane that must hold a result holds a value nobody may use.
    LandsUnusable {
        /// The lane.
        lane: u32,
        /// How the value was lost.
        lost: Loss,
    },
    /// The instruction keeps no order where order matters.
    OrderLost {
        /// The step, from 1.
        at: usize,
        /// What is done at that step.
        step: Step,
    },
    /// A lane that must hold a result holds another.
    WrongWord {
        /// The lane.
        lane: u32,
        /// The elements it holds.
        holds: Word,
        /// The elements it has to hold.
        wanted: Word,
        /// Whether they may stand in any order.
        order: Order,
    },
}

/// Where a value became one that nobody may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The step, from 1.
    pub at: usize,
    /// What is done at that step.
    pub step: Step,
}

impl Refusal {
    /// What to do about it, as a line that can be typed in or followed.
    pub fn help(&self) -> String {
        match self {
            Self::MaskEmpty | Self::ReadsUnnamed { .. } | Self::MaskPastPresent { .. } => {
                "keep the mask full and let dead lanes carry the identity: `mask = 0xffffffff`".into()
            }
            Self::MaskSplitsGroup { mask, width, .. } => {
                format!(
                    "name whole groups of {width}: `mask = {}`",
                    mask.whole_groups(*width)
                )
            }
            Self::LandingOutsideGroup { width, .. } => {
                format!("name a lane from 0 to {}, or `land = all`", width.lanes() - 1)
            }
            Self::SourceOutsideGroup { shuffle, width } => outside_help(*shuffle, *width),
            Self::ShortWarp { .. } => {
                "a short warp is one group: width 32, and from 1 to 32 lanes that exist".into()
            }
            Self::OrderLost { .. } => "use shuffles, which keep order, or an operator of the table".into(),
            Self::ReadsUnusable { .. } | Self::LandsUnusable { .. } => {
                "read inside the group, or guard the step so that lanes without a source keep their value"
                    .into()
            }
            Self::WrongWord { .. } => "take the plan from `reduce`, `scan` or `exchange`".into(),
        }
    }
}

/// How to write what the hardware would do with an offset that leaves the group.
fn outside_help(shuffle: Shuffle, width: Width) -> String {
    let wrapped = width.position(shuffle.offset());
    match shuffle {
        Shuffle::Lane(_) => format!("the hardware would read modulo {width}: `from = lane({wrapped})`"),
        Shuffle::Rotate(_) => format!("around a group of {width} that is `from = rotate({wrapped})`"),
        Shuffle::Xor(_) if shuffle.offset() < 32 => format!(
            "xor({}) pairs lanes of groups of {wider}: write `width = {wider}`, or k from 0 to {}",
            shuffle.offset(),
            width.lanes() - 1,
            wider = (shuffle.offset() + 1).next_power_of_two(),
        ),
        Shuffle::Up(_) | Shuffle::Down(_) | Shuffle::Xor(_) => format!(
            "no lane of a group of {width} would have a source; write k from 0 to {}: `from = {}({})`",
            width.lanes() - 1,
            shuffle.name(),
            width.lanes() / 2
        ),
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MaskEmpty => write!(f, "mask {} names no lane", Mask::EMPTY),
            Self::MaskPastPresent { mask, present, lane } => {
                write!(
                    f,
                    "mask {mask} names lane {lane}, but only lanes 0 to {} exist",
                    present.saturating_sub(1)
                )
            }
            Self::MaskSplitsGroup { mask, width, missing } => {
                let first = width.base(*missing);
                let last = first + width.lanes() - 1;
                write!(
                    f,
                    "mask {mask} names lanes {first} to {last} only in part: lane {missing} is missing"
                )
            }
            Self::LandingOutsideGroup { landing, width } => {
                write!(f, "landing lane {landing} is outside a group of {width}")
            }
            Self::SourceOutsideGroup { shuffle, width } => {
                let (name, k) = (shuffle.name(), shuffle.offset());
                write!(f, "{name}({k}) reaches outside a group of {width}")
            }
            Self::ShortWarp { present, width } => {
                write!(
                    f,
                    "a warp of which {present} lanes exist cannot be split into groups of {width}"
                )
            }
            Self::ReadsUnnamed {
                mask,
                at,
                step,
                lane,
                source,
            } => write!(
                f,
                "mask {mask}: at step {at} ({step}) lane {lane} reads lane {source}, which the mask does not name"
            ),
            Self::ReadsUnusable {
                at,
                step,
                lane,
                source,
                lost,
            } if lane == source => {
                write!(
                    f,
                    "at step {at} ({step}) lane {lane} needs its own value, which {lost}"
                )
            }
            Self::ReadsUnusable {
                at,
                step,
                lane,
                source,
                lost,
            } => {
                write!(
                    f,
                    "at step {at} ({step}) lane {lane} reads lane {source}, whose value {lost}"
                )
            }
            Self::LandsUnusable { lane, lost } => {
                write!(f, "lane {lane} has to hold the result, but its value {lost}")
            }
            Self::OrderLost { at, step } => {
                write!(f, "step {at} ({step}) keeps no order, and the operator needs one")
            }
            Self::WrongWord {
                lane,
                holds,
                wanted,
                order: Order::InOrder,
            } => {
                write!(f, "lane {lane} ends with {holds}, but has to hold {wanted}")
            }
            Self::WrongWord {
                lane,
                holds,
                wanted,
                order: Order::AnyOrder | Order::Symmetric,
            } => {
                let holds = holds.sorted();
                write!(
                    f,
                    "lane {lane} ends with {holds}, but has to hold each of {wanted} once"
                )
            }
        }
    }
}

impl std::error::Error for Refusal {}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "nobody may use since step {} ({}), where its source is outside the group",
            self.at, self.step
        )
    }
}
