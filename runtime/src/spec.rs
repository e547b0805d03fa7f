//! What an attribute emits for a spec and what the runtime and the CPU back end read of it.
//!
//! Nothing in here is called by hand: `#[warp_reduce]` and its siblings implement these traits for the type
//! that stands beside the annotated function. Meaning and order of every function are those of the CUDA C++
//! that the same spec emits, so that both back ends give the same bits.

use std::any::TypeId;

use warpfold_lanes::Order;

use crate::argument::Argument;
use crate::outcome::Outcome;

/// A type as the launch sees it: its Rust name, and its size and alignment in bytes (C layout).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeInfo {
    /// Rust's name of it, for messages.
    pub name: &'static str,
    /// Bytes.
    pub size: usize,
    /// Bytes.
    pub align: usize,
    /// Tells types apart.
    pub id: TypeId,
}

impl TypeInfo {
    /// The facts of `T`, under the name the user gave it.
    pub const fn of<T: 'static>(name: &'static str) -> Self {
        Self {
            name,
            size: size_of::<T>(),
            align: align_of::<T>(),
            id: TypeId::of::<T>(),
        }
    }
}

/// How a parameter of the annotated function is fed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// One element per (row, column).
    Plain,
    /// One element per column.
    PerColumn,
    /// One element per row.
    PerRow,
    /// One value for the launch.
    Uniform,
    /// One per row: columns at or past it carry the identity.
    Live,
    /// The element's position. Not passed.
    Index,
    /// The row's number. Not passed.
    Row,
    /// The number of elements. Not passed.
    Len,
}

impl ParamKind {
    /// Whether the caller passes it.
    pub const fn is_passed(self) -> bool {
        !matches!(self, Self::Index | Self::Row | Self::Len)
    }
}

/// A parameter of the annotated function.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The user's name.
    pub name: &'static str,
    /// How it is fed.
    pub kind: ParamKind,
    /// Its type.
    pub ty: TypeInfo,
}

/// What a spec is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `#[warp_reduce]`.
    Reduce,
    /// `#[warp_scan]`.
    Scan {
        /// Position i leaves element i out.
        exclusive: bool,
        /// From the last element to the first.
        reverse: bool,
    },
    /// `#[warp_filter]`.
    Filter,
    /// `#[warp_shuffle]`.
    Shuffle(Exchange),
}

/// Where each lane of a shuffle takes its value from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// Lane k of the group.
    Lane(u32),
    /// k lanes below.
    Up(u32),
    /// k lanes above.
    Down(u32),
    /// The lane whose number differs in the bits of k.
    Xor(u32),
    /// k lanes above, around the group's end.
    Rotate(u32),
}

/// How a tile of mapped elements becomes one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileFold {
    /// Element by element down the turns, then across slots and lanes: any order is allowed.
    Striped,
    /// In the order of the elements.
    Blocked,
    /// By the operator's own fold of a lane's elements, then across lanes.
    Lane,
    /// By the operator's own fold of all elements of the tile.
    Tile,
}

/// The shape of a tile, for operators that fold it their own way.
#[derive(Clone, Copy, Debug)]
pub struct Tile {
    /// Elements of a pack.
    pub v: usize,
    /// Lanes of the group: a power of two up to 32.
    pub lanes: usize,
    /// Position of the tile's first element in the row.
    pub first: u64,
}

/// Which lanes of the emitted warp function hold the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Land {
    /// Every lane of the group.
    All,
    /// One of them.
    Lane(u32),
}

/// The facts of a spec that shape a launch.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// The annotated function's name.
    pub name: &'static str,
    /// What it is.
    pub form: Form,
    /// Parameters in the function's own order.
    pub params: &'static [Param],
    /// What is stored, one a field: of a reduction with `apply`, what apply returns.
    pub results: &'static [TypeInfo],
    /// What the operator combines.
    pub state: TypeInfo,
    /// What the annotated function returns.
    pub mapped: TypeInfo,
    /// How a tile is folded.
    pub fold: TileFold,
    /// In which order states may be combined: the plans of the warp follow from it.
    pub order: Order,
    /// The width the user fixed.
    pub width: Option<u32>,
    /// Where the user wants the warp function's result.
    pub land: Land,
    /// The lanes of the user's warp function that take part.
    pub mask: u32,
    /// Whether there is an `init`.
    pub has_init: bool,
    /// Whether a reduction has an `apply`.
    pub has_apply: bool,
    /// The most columns it takes, where there is a limit (`ballot`: 32).
    pub max_columns: Option<u64>,
}

impl Info {
    /// Whether a `#[live]` parameter cuts rows short.
    pub const fn has_live(&self) -> bool {
        self.has(ParamKind::Live)
    }

    /// How a tile is folded where no scan is made of it: a scan has `lift` and `combine` alone, and no fold of its own.
    pub const fn total_fold(&self) -> TileFold {
        match (self.form, self.fold) {
            (Form::Scan { .. }, TileFold::Lane | TileFold::Tile) => TileFold::Blocked,
            (_, fold) => fold,
        }
    }

    /// Whether a parameter of this kind exists.
    pub const fn has(&self, kind: ParamKind) -> bool {
        let mut i = 0;
        while i < self.params.len() {
            if self.params[i].kind as u8 == kind as u8 {
                return true;
            }
            i += 1;
        }
        false
    }
}

/// Any spec.
pub trait Spec: 'static + Sized {
    /// Its facts.
    const INFO: Info;
    /// The CUDA C++ of the spec alone: namespace `wf_spec`, without the library's part.
    const CUDA: &'static str;
}

/// A spec without its type: what a launch on a GPU needs of it. Functions that take this are compiled once, in this
/// crate, and not for every spec that is called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    /// [`Spec::INFO`].
    pub info: &'static Info,
    /// [`Spec::CUDA`].
    pub cuda: &'static str,
    /// Tells specs apart.
    pub id: TypeId,
}

impl Facts {
    /// Those of a spec.
    pub(crate) const fn of<S: Spec>() -> Self {
        Self {
            info: &S::INFO,
            cuda: S::CUDA,
            id: TypeId::of::<S>(),
        }
    }
}

/// Where a function of a spec stands.
#[derive(Clone, Copy, Debug, Default)]
pub struct At {
    /// Index into the plain parameters' arrays.
    pub element: usize,
    /// Number of the row or segment: `#[row]`, and the index of `#[per_row]` arrays.
    pub row: u64,
    /// Position in the row, segment or array: `#[index]`, and the index of `#[per_column]` arrays.
    pub index: u64,
    /// Elements of the row, segment or array: `#[len]`.
    pub len: u64,
}

impl At {
    /// The same row, `by` elements further.
    #[must_use]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn advanced(self, by: usize) -> Self {
        Self {
            element: self.element + by,
            row: self.row,
            index: self.index + by as u64,
            len: self.len,
        }
    }
}

/// What every spec with per-element arguments offers: its arguments, bound.
pub trait Bind: Spec {
    /// Slices and uniforms, in the function's order.
    type Bound<'a>: Copy + Send + Sync;
    /// Takes the erased arguments (those that are passed, in the function's order) apart:
    /// [`Argument::slice`] for arrays, [`Argument::value`] for uniforms.
    fn bind<'a>(arguments: &'a [Argument<'a>]) -> Self::Bound<'a>;
    /// The row's `#[live]` value; `at.len` where there is none.
    fn live(_bound: &Self::Bound<'_>, at: At) -> u64 {
        at.len
    }
}

/// What reductions and scans have in common: a map, an operator, an identity.
pub trait Fold: Bind {
    /// What the annotated function returns.
    type Mapped: Copy + Send + Sync;
    /// What the operator combines.
    type State: Copy + Send + Sync + 'static;
    /// What is stored.
    type Result: Outcome;

    /// The annotated function at one element.
    fn map(bound: &Self::Bound<'_>, at: At) -> Self::Mapped;
    /// The annotated function at the `N` consecutive elements from `at`: one bounds check an array, then a loop
    /// the compiler can vectorise.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn map_block<const N: usize>(bound: &Self::Bound<'_>, at: At, out: &mut [Self::Mapped; N]) {
        for (i, slot) in out.iter_mut().enumerate() {
            *slot = Self::map(bound, at.advanced(i));
        }
    }
    /// The state of one element.
    fn lift(mapped: Self::Mapped, index: u64) -> Self::State;
    /// The neutral state.
    fn identity() -> Self::State;
    /// The state folded in once, on the left.
    fn init() -> Option<Self::State> {
        None
    }
    /// The operator: `left` is the element met first.
    fn combine(left: Self::State, right: Self::State) -> Self::State;
    /// A lane's state from its elements. Only called where [`Info::fold`] is [`TileFold::Lane`].
    ///
    /// `mapped[t * v + slot]` has index `first + t * stride + slot` and counts only when that is below `limit`;
    /// entries past it hold unspecified values; where none counts the answer is the identity.
    fn fold_lane(mapped: &[Self::Mapped], v: usize, first: u64, stride: u64, limit: u64) -> Self::State {
        // The reference meaning; operators of the table that fold a lane their own way replace it.
        let mut state = Self::identity();
        for (t, turn) in mapped.chunks(v).enumerate() {
            for (slot, &m) in turn.iter().enumerate() {
                let index = first + t as u64 * stride + slot as u64;
                if index < limit {
                    state = Self::combine(state, Self::lift(m, index));
                }
            }
        }
        state
    }
    /// A tile's state from its live elements, position by position. Only called where [`Info::fold`] is
    /// [`TileFold::Tile`]; where there is no element the answer is the identity.
    fn fold_tile(mapped: &[Self::Mapped], shape: Tile) -> Self::State {
        let states = mapped
            .iter()
            .zip(shape.first..)
            .map(|(&m, index)| Self::lift(m, index));
        states.fold(Self::identity(), Self::combine)
    }
}

/// A reduction.
pub trait FoldRows: Fold {
    /// What is stored of a row without `apply`; with `apply` it is not there, and never called.
    /// `at.row` and `at.len` are the row's; the rest is unused.
    fn finish(_bound: &Self::Bound<'_>, _state: Self::State, _at: At) -> Self::Result {
        unreachable!("with `apply` nothing is stored for the row itself")
    }
    /// What is stored at an element once the row's state is known; called only where there is an `apply`.
    fn apply(bound: &Self::Bound<'_>, total: Self::State, at: At) -> Self::Result {
        Self::finish(bound, total, at)
    }
    /// [`Self::apply`] at the `N` consecutive elements from `at`: one bounds check an array, then a loop the compiler
    /// can vectorise.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn apply_block<const N: usize>(
        bound: &Self::Bound<'_>,
        total: Self::State,
        at: At,
        out: &mut [Self::Result; N],
    ) {
        for (i, slot) in out.iter_mut().enumerate() {
            *slot = Self::apply(bound, total, at.advanced(i));
        }
    }
}

/// A scan.
pub trait ScanRows: Fold {
    /// What is stored at a position, from the state there.
    fn finish(bound: &Self::Bound<'_>, state: Self::State, at: At) -> Self::Result;
}

/// A filter.
pub trait FilterRows: Bind {
    /// What is stored of a kept element.
    type Result: Outcome;
    /// Whether the element stays.
    fn keeps(bound: &Self::Bound<'_>, at: At) -> bool;
    /// What is stored of it; called only where it stays.
    fn kept(bound: &Self::Bound<'_>, at: At) -> Self::Result;
}

/// A shuffle.
pub trait ShuffleRows: Bind {
    /// What moves between lanes.
    type Result: Outcome;
    /// The annotated function at one element.
    fn map(bound: &Self::Bound<'_>, at: At) -> Self::Result;
}
