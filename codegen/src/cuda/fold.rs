//! How a tile of elements is folded, and in which order: the choices that both back ends follow.

use warpfold_lanes::Order;

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
    /// A group's elements by the operator's own rule, in two steps over the lanes.
    Tile,
}

/// The fold of a spec.
///
/// `first` and `last` are folded in order although a lane could pick among its own elements: a lane holds elements
/// from before and after those of its neighbour, so what it picked would not be comparable by place.
pub fn fold(spec: &Spec) -> FoldKind {
    match spec.op {
        Some(Operator::Named(Named::Any | Named::All | Named::Ballot)) => FoldKind::Lane,
        Some(Operator::Named(
            Named::Count | Named::Argmin | Named::Argmax | Named::Softmax | Named::Welford,
        )) => FoldKind::Tile,
        _ if spec.any_order => FoldKind::Striped,
        _ => FoldKind::Blocked,
    }
}

/// In which order states may be combined, and so the plan that every back end runs and `plan()` prints.
///
/// Where elements may change places but swapped operands differ in the last bit (moments; operators that are only
/// claimed to commute), the lanes of a butterfly put their operands on the sides that lane 0 does.
pub fn order(spec: &Spec) -> Order {
    match (spec.any_order, &spec.op) {
        (false, _) => Order::InOrder,
        (true, Some(Operator::Custom(_) | Operator::Named(Named::Welford))) => Order::AnyOrder,
        (true, _) => Order::Symmetric,
    }
}
