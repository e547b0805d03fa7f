//! How a tile of elements is folded: the choice that both back ends follow.

use crate::ir::{Named, Operator, Spec};

/// The ways to fold a tile. The runtime's order says what each does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    /// Slot by slot over the turns: for operators whose operands may change places.
    Striped,
    /// Element by element as they stand.
    Blocked,
    /// A lane's elements by the operator's own rule, then the lanes.
    Lane,
}

/// The fold of a spec.
///
/// `first` and `last` are folded in order although a lane could pick among its own elements: a lane holds elements
/// from before and after those of its neighbour, so what it picked would not be comparable by place.
pub fn fold(spec: &Spec) -> FoldKind {
    match spec.op {
        Some(Operator::Named(
            Named::Any
            | Named::All
            | Named::Count
            | Named::Ballot
            | Named::Argmin
            | Named::Argmax
            | Named::Softmax
            | Named::Welford,
        )) => FoldKind::Lane,
        _ if spec.any_order => FoldKind::Striped,
        _ => FoldKind::Blocked,
    }
}

/// Whether the operator gives the same bits with its operands swapped: a butterfly then needs no sides. Where it does
/// not, although elements may change places, the lanes put their operands on the sides that lane 0 does.
pub fn symmetric(spec: &Spec) -> bool {
    spec.any_order
        && !matches!(
            spec.op,
            Some(Operator::Custom(_) | Operator::Named(Named::Welford))
        )
}
