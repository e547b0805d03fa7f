//! Plans: the list of steps a warp performs, as plain data.
//!
//! A [`Plan`] promises nothing. [`prove`](crate::prove) turns it into a [`Proved`](crate::Proved) plan, and what
//! emits code or runs on the CPU takes only those.

use crate::mask::Mask;
use crate::shuffle::{Shuffle, Source};
use crate::width::{WARP, Width};
use std::fmt;

/// What a warp does, step by step, and what that is for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Plan {
    /// Lanes in a group.
    pub width: Width,
    /// The member mask of every instruction: the lanes that perform the plan.
    pub mask: Mask,
    /// Lanes of the warp that exist: 32, or fewer in the short last warp of a block. Lanes that do not exist
    /// carry nothing; the mask must not name them. (A lane that exists without an element carries the identity.)
    pub present: u32,
    /// The steps, in the order they are performed.
    pub steps: Vec<Step>,
    /// What holds after the last step.
    pub goal: Goal,
    /// What a reader of the drawings has to know besides the steps, such as what lanes do before the first one; empty
    /// where the steps say all. Nothing is proved of it.
    pub note: &'static str,
}

/// One step: one instruction a word of state, and what each lane makes of what it receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Lanes exchange values and combine or keep them.
    Shuffle {
        /// Who reads whom.
        shuffle: Shuffle,
        /// What becomes of the value received.
        combine: Combine,
        /// Which lanes have a use for it.
        guard: Guard,
    },
    /// A ballot: every lane learns what each lane of its group said, in the order of the lanes.
    Vote,
    /// `redux.sync`: every lane learns the combination of all lanes the mask names, whatever their group, in no
    /// order. The hardware has it for 32-bit integer `add min max and or xor`.
    Redux,
}

/// What becomes of the value a lane receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Combine {
    /// `state = combine(own, received)`.
    ReceivedRight,
    /// `state = combine(received, own)`.
    ReceivedLeft,
    /// Received on the left in lanes whose number has a bit of `k` set, on the right in the others: a butterfly
    /// that keeps order, since a lane with the bit set receives what stands before its own.
    ReceivedLeftWhereBit(u32),
    /// `state = received`. Lanes the guard holds back take what `otherwise` says.
    Replace {
        /// What the lanes without a source hold afterwards.
        otherwise: Otherwise,
    },
}

/// What a lane that has no source holds after [`Combine::Replace`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Otherwise {
    /// What it held.
    Own,
    /// The identity.
    Identity,
}

/// Which lanes use what they receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Guard {
    /// All of them. A lane whose source is outside its group ends with a value nobody may use: the hardware
    /// gives it its own value back, and `combine(own, own)` is no part of any answer.
    Always,
    /// Lanes whose source stands in their own group.
    SourceInGroup,
    /// Lanes whose source stands in their own group, at a position below the number given.
    SourceBelow(u32),
}

/// What a plan is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// Every element of a group combined.
    Reduce {
        /// Who holds the result.
        landing: Landing,
        /// Whether elements may change places.
        order: Order,
    },
    /// Lane `i` holds the elements met before it, its own included or not.
    Scan {
        /// Whether a lane's own element is included.
        kind: ScanKind,
        /// From which end the elements are met. The element met first stands on the left.
        direction: Direction,
    },
    /// Lanes hold the value of their source; a lane without one in its group, below `live`, keeps its own.
    Exchange {
        /// Who reads whom.
        shuffle: Shuffle,
        /// Positions of a group that hold an element: the width, or fewer where a row ends earlier.
        live: u32,
    },
}

/// The lanes of a group that hold the result of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Landing {
    /// All of them.
    All,
    /// The one at this position of the group.
    Lane(u32),
}

/// What a plan may change about the order of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Nothing: for every associative operator.
    InOrder,
    /// Elements may change places: for commutative operators. All lanes still fold one tree, operands on one
    /// side each, so that an operator that commutes only up to rounding gives all of them the same bits.
    AnyOrder,
    /// Elements may change places and operands sides: for operators for which `combine(a, b)` and `combine(b, a)`
    /// are the same bits, as those of sums, products and extrema are. The answer's bits are those of `AnyOrder`.
    Symmetric,
}

/// Whether a scan's result at a lane includes the lane's own element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScanKind {
    /// It does.
    Inclusive,
    /// It does not: the lane met first holds the identity.
    Exclusive,
}

/// From which end elements are met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The lowest position first.
    Forward,
    /// The highest position first.
    Reverse,
}

/// What one lane does at one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// It combines its value with that of `source`, which goes to the left or to the right.
    Combine {
        /// The lane whose value is combined.
        source: u32,
        /// Whether that value is the left operand.
        on_left: bool,
    },
    /// It takes the value of `source` for its own.
    Take {
        /// The lane whose value is taken.
        source: u32,
    },
    /// It keeps its value.
    Keep,
    /// It takes the identity.
    TakeIdentity,
    /// It has no source in its group and no guard: nobody may use what it holds afterwards.
    Lose,
    /// It learns what these lanes hold together.
    Collect {
        /// The lanes, which are read the lowest first.
        from: Mask,
        /// Whether the instruction keeps them in that order.
        in_order: bool,
    },
}

impl Step {
    /// What `lane` does at this step of a plan with this width and mask.
    pub const fn action(self, lane: u32, width: Width, mask: Mask) -> Action {
        let (shuffle, combine, guard) = match self {
            Self::Vote => {
                let group = Mask::group(width, lane / width.lanes());
                return Action::Collect {
                    from: Mask(mask.0 & group.0),
                    in_order: true,
                };
            }
            Self::Redux => {
                return Action::Collect {
                    from: mask,
                    in_order: false,
                };
            }
            Self::Shuffle {
                shuffle,
                combine,
                guard,
            } => (shuffle, combine, guard),
        };
        let source = shuffle.source(lane, width);
        match (guard.admits(source, width), combine) {
            (None, _) => Action::Lose,
            (Some(true), Combine::ReceivedRight) => Action::Combine {
                source: source.lane,
                on_left: false,
            },
            (Some(true), Combine::ReceivedLeft) => Action::Combine {
                source: source.lane,
                on_left: true,
            },
            (Some(true), Combine::ReceivedLeftWhereBit(k)) => Action::Combine {
                source: source.lane,
                on_left: lane & k != 0,
            },
            (Some(true), Combine::Replace { .. }) => Action::Take { source: source.lane },
            (
                Some(false),
                Combine::Replace {
                    otherwise: Otherwise::Identity,
                },
            ) => Action::TakeIdentity,
            (Some(false), _) => Action::Keep,
        }
    }
}

impl Guard {
    /// Whether a lane with this source uses what it receives; `None` where it does and must not.
    const fn admits(self, source: Source, width: Width) -> Option<bool> {
        match self {
            Self::Always if source.in_group => Some(true),
            Self::Always => None,
            Self::SourceInGroup => Some(source.in_group),
            Self::SourceBelow(live) => Some(source.in_group && width.position(source.lane) < live),
        }
    }
}

impl Plan {
    /// A plan for a warp that has all its lanes.
    pub const fn new(width: Width, mask: Mask, steps: Vec<Step>, goal: Goal) -> Self {
        Self {
            width,
            mask,
            present: WARP,
            steps,
            goal,
            note: "",
        }
    }

    /// The same plan with a [note](Self::note) in its drawings.
    ///
    /// ```
    /// use warpfold_lanes::{Mask, Width, vote_plan};
    ///
    /// let plan = vote_plan(Width::WARP, Mask::FULL).noted("each lane has looked at its own elements first");
    /// assert!(plan.to_string().contains("each lane has looked at its own elements first\n"));
    /// ```
    #[must_use]
    pub fn noted(self, note: &'static str) -> Self {
        Self { note, ..self }
    }

    /// What `lane` does at `step`.
    pub const fn action(&self, step: Step, lane: u32) -> Action {
        step.action(lane, self.width, self.mask)
    }

    /// Lanes of a group that exist: the width, except in a short warp.
    pub const fn group_lanes(&self) -> u32 {
        if self.present < self.width.lanes() {
            self.present
        } else {
            self.width.lanes()
        }
    }

    /// The lanes of group `index` that exist.
    pub const fn group(&self, index: u32) -> Mask {
        Mask(Mask::group(self.width, index).0 & Mask::prefix(self.present).0)
    }

    /// The lanes of group `index` whose values the goal speaks of.
    pub fn landing_lanes(&self, index: u32) -> Mask {
        match self.goal {
            Goal::Reduce {
                landing: Landing::Lane(k),
                ..
            } => {
                let lane = u64::from(index) * u64::from(self.width.lanes()) + u64::from(k);
                Mask(1_u32.checked_shl(lane.min(u64::from(WARP)) as u32).unwrap_or(0))
            }
            Goal::Exchange { live, .. } => {
                let within = Mask::prefix(live)
                    .0
                    .checked_shl(index * self.width.lanes())
                    .unwrap_or(0);
                Mask(self.group(index).0 & within)
            }
            Goal::Reduce {
                landing: Landing::All,
                ..
            }
            | Goal::Scan { .. } => self.group(index),
        }
    }
}

impl Combine {
    /// `Replace`, where a lane without a source keeps its own value.
    pub const REPLACE_OR_KEEP: Self = Self::Replace {
        otherwise: Otherwise::Own,
    };

    /// `Replace`, where a lane without a source takes the identity.
    pub const REPLACE_OR_IDENTITY: Self = Self::Replace {
        otherwise: Otherwise::Identity,
    };
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shuffle { shuffle, .. } => shuffle.fmt(f),
            Self::Vote => f.write_str("vote"),
            Self::Redux => f.write_str("redux"),
        }
    }
}

impl fmt::Display for Landing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all lanes"),
            Self::Lane(k) => write!(f, "lane {k}"),
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reduce {
                landing,
                order: Order::InOrder,
            } => write!(f, "reduce to {landing}, in order"),
            Self::Reduce {
                landing,
                order: Order::AnyOrder | Order::Symmetric,
            } => write!(f, "reduce to {landing}, any order"),
            Self::Scan { kind, direction } => {
                let kind = if *kind == ScanKind::Inclusive {
                    "inclusive"
                } else {
                    "exclusive"
                };
                let direction = if *direction == Direction::Forward {
                    "forward"
                } else {
                    "reverse"
                };
                write!(f, "{kind} scan, {direction}")
            }
            Self::Exchange { shuffle, .. } => write!(f, "exchange, {shuffle}"),
        }
    }
}
