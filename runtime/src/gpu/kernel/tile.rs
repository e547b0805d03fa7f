//! The tile that a kernel is compiled for.

use crate::order::Order;

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
}

impl Tile {
    pub(crate) const fn of(order: &Order) -> Self {
        Self {
            v: order.v,
            lanes: order.lanes,
            turns: order.turns,
            odd: 0,
            few: false,
        }
    }

    /// Of segments: the most of those with packs, and of the odd ones, and whether they take [few lanes](Order::takes_few).
    pub(crate) const fn of_segments(order: &Order, odd: &Order, few: bool) -> Self {
        Self {
            odd: odd.turns,
            few,
            ..Self::of(order)
        }
    }

    /// Groups of a warp.
    pub(crate) const fn groups(&self) -> u32 {
        32 / self.lanes
    }
}
