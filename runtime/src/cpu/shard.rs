//! Shards of an array that several ranks hold: what each comes to, what all come to, and a scan that goes on.

use crate::argument::Argument;
use crate::cpu::line::Line;
use crate::cpu::plans::Plans;
use crate::cpu::{fold, scan};
use crate::order::Order;
use crate::outcome::Outcome;
use crate::spec::{At, Bind, Fold, FoldRows, ScanRows};

/// Where a shard stands in the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stand {
    /// Elements of the shard.
    pub n: u64,
    /// Index of its first element in the array.
    pub first: u64,
    /// Elements of the array.
    pub total: u64,
}

fn line<'b, S: Bind>(stand: Stand, bound: S::Bound<'b>, plans: &'b Plans) -> Line<'b, S> {
    Line {
        bound,
        start: At {
            element: 0,
            row: 0,
            index: stand.first,
            len: stand.total,
        },
        step: 1,
        live: stand.n,
        order: Order::of_array(&S::INFO, stand.n),
        plans,
    }
}

/// The state of a shard, without `init`.
pub(crate) fn total<S: Fold>(stand: Stand, arguments: &[Argument<'_>]) -> S::State {
    let line = line::<S>(stand, S::bind(arguments), Plans::get());
    fold::folded(&line, &mut fold::Scratch::default())
}

/// The result of an array from the states of its shards, first to last, folded as those of neighbouring tiles are.
pub(crate) fn result<S: FoldRows>(
    states: Vec<S::State>,
    elements: u64,
    arguments: &[Argument<'_>],
) -> S::Result {
    let total = fold::with_init::<S>(fold::levels::<S>(Plans::get(), states));
    let at = At {
        len: elements,
        ..At::default()
    };
    S::finish(&S::bind(arguments), total, at)
}

/// What stands before a shard, from the states of those that are met before it, in that order.
pub(crate) fn carry<S: Fold>(before: impl Iterator<Item = S::State>) -> Option<S::State> {
    before.fold(S::init(), |carry, state| {
        Some(carry.map_or(state, |carry| S::combine(carry, state)))
    })
}

/// Scans a shard after what stands before it.
pub(crate) fn scan_after<S: ScanRows>(
    stand: Stand,
    before: Option<S::State>,
    arguments: &[Argument<'_>],
    mut out: <S::Result as Outcome>::Slices<'_>,
) {
    let line = line::<S>(stand, S::bind(arguments), Plans::get());
    let store = |at, result: S::Result| result.put(&mut out, at);
    scan::scan_after(&line, before, store, &mut scan::Scratch::default());
}
