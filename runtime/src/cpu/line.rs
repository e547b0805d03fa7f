//! One row, segment or array under a spec: where its elements are and how many count.

use crate::cpu::plans::Plans;
use crate::order::Order;
use crate::spec::{At, Bind, Fold, Form};

/// A run of elements that is folded or scanned as one.
pub(crate) struct Line<'a, S: Bind> {
    /// The arguments.
    pub bound: S::Bound<'a>,
    /// Element 0; its index is not 0 in a later shard of an array.
    pub start: At,
    /// From one element to the next in memory; 1 but for columns.
    pub step: usize,
    /// The leading elements that carry a state of their own.
    pub live: u64,
    /// The order.
    pub order: Order,
    /// The warp's steps.
    pub plans: &'a Plans,
}

impl<S: Bind> Line<'_, S> {
    /// Takes the row's `#[live]` value, where there is one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn ask_live(&mut self) {
        if const { S::INFO.has_live() } {
            self.live = S::live(&self.bound, self.start).min(self.start.len);
        }
    }

    /// Where element `index` is.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn at(&self, index: u64) -> At {
        At {
            element: self.start.element + index as usize * self.step,
            index: self.start.index + index,
            ..self.start
        }
    }
}

/// Elements that the end of a row is read by.
const PACK: usize = 4;

impl<S: Fold> Line<'_, S> {
    /// The state of element `index`, or the identity where it is not live.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn state(&self, index: u64) -> S::State {
        if index < self.live {
            S::lift(S::map(&self.bound, self.at(index)), self.start.index + index)
        } else {
            S::identity()
        }
    }

    /// The index of the element that stands at a position: a scan may go from the last element to the first.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn standing(&self, position: u64) -> u64 {
        if matches!(S::INFO.form, Form::Scan { reverse: true, .. }) {
            self.order.n - 1 - position
        } else {
            position
        }
    }

    /// The state at a position, or the identity past the end.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn met(&self, position: u64) -> S::State {
        if position < self.order.n {
            self.state(self.standing(position))
        } else {
            S::identity()
        }
    }

    /// Whether `count` elements from `first` on are all live, and side by side in memory.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn is_whole(&self, first: u64, count: u64) -> bool {
        self.step == 1 && first + count <= self.live
    }

    /// The states of `N` elements from `first`, of which not all are live, or side by side in memory.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn scattered<const N: usize>(&self, first: u64) -> [S::State; N] {
        let mut states = [S::identity(); N];
        if N <= PACK || self.step != 1 {
            for (state, index) in states.iter_mut().zip(first..) {
                *state = self.state(index);
            }
            return states;
        }
        // The end of a row: whole packs as far as they go, so that short rows are not read one by one.
        let live = self.live.saturating_sub(first).min(N as u64) as usize;
        let mut at = first;
        let (packs, rest) = states[..live].as_chunks_mut::<PACK>();
        for pack in packs {
            *pack = self.block(at);
            at += PACK as u64;
        }
        for state in rest {
            *state = self.state(at);
            at += 1;
        }
        states
    }

    /// The states of `N` elements from `first`, all of them live and side by side in memory.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn block<const N: usize>(&self, first: u64) -> [S::State; N] {
        let at = self.at(first);
        let mut mapped = [S::map(&self.bound, at); N];
        S::map_block(&self.bound, at, &mut mapped);
        let mut states = [S::identity(); N];
        for (i, state) in states.iter_mut().enumerate() {
            *state = S::lift(mapped[i], at.index + i as u64);
        }
        states
    }

    /// What the annotated function returns for `out.len()` elements from `first`, all of them live.
    pub fn mapped(&self, first: u64, out: &mut [S::Mapped]) {
        const BLOCK: usize = 32;
        let mut index = first;
        if self.step == 1 {
            let (blocks, rest) = out.as_chunks_mut::<BLOCK>();
            for block in blocks {
                S::map_block(&self.bound, self.at(index), block);
                index += BLOCK as u64;
            }
            for slot in rest {
                *slot = S::map(&self.bound, self.at(index));
                index += 1;
            }
        } else {
            for slot in out {
                *slot = S::map(&self.bound, self.at(index));
                index += 1;
            }
        }
    }
}
