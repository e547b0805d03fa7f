//! The tile that a kernel is compiled for.

use crate::order::Order;
use crate::spec::Info;

/// The part of an [`Order`] that kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Tile {
    pub(super) v: u32,
    pub(super) lanes: u32,
    pub(super) turns: u32,
    /// Turns of odd segments, 0 where there are none.
    pub(super) odd: u32,
    /// Whether segments take few lanes.
    pub(super) few: bool,
    /// Whether they have packs wherever they start.
    pub(super) always: bool,
}

impl Tile {
    pub(crate) const fn of(order: &Order) -> Self {
        Self {
            v: order.v,
            lanes: order.lanes,
            turns: order.turns,
            odd: 0,
            few: false,
            always: false,
        }
    }

    /// Of the segments of a spec: the most of those with packs, and of the odd ones.
    pub(crate) const fn of_segments(info: &Info) -> Self {
        Self {
            odd: Order::of_odd_segments(info, 0).turns,
            few: Order::takes_few(info),
            always: Order::always_packs(info),
            ..Self::of(&Order::of_segments(info, 0))
        }
    }

    /// Groups of a warp.
    pub(crate) const fn groups(&self) -> u32 {
        32 / self.lanes
    }
}
