//! The attributes of warpfold: a shell around `warpfold-codegen`.
//!
//! Use them through the `warpfold` crate, whose prelude holds them.

use proc_macro::TokenStream;

/// A reduction: one result for each row, or one for each element once the row's state is known.
///
/// The body of the function is the *map*: what each element becomes before it is combined. The function stays a
/// plain function; beside it stands a type of the same name that launches it. So it stands in a module or in a
/// function, never in an `impl`, where there is no room for a type.
///
/// ```
/// use warpfold::prelude::*;
///
/// #[warp_reduce(op = max, identity = -inf)]
/// pub fn row_max(x: f32) -> f32 {
///     x
/// }
///
/// # fn main() -> Result<(), warpfold::Error> {
/// let largest = row_max::rows(Rows::new(2, 3), &[1.0, 3.0, 2.0, -5.0, -4.0, -6.0])?;
/// assert_eq!(largest, [3.0, -4.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Arguments
///
/// - `op`: a name of the table (`sum product min max minimum maximum and or xor any all count ballot argmin argmax
///   first last softmax welford affine`), a closure of two states, or a function of the module. `combine(left,
///   right)` has the element met first on the left.
/// - `identity`: the neutral state. A closure needs one; a name of the table has its own. Floats may write `inf`,
///   `-inf` and `nan`, integers `MIN` and `MAX`.
/// - `init`: a state that is folded in exactly once, on the left. It is not the identity. Of some operators the state
///   is more than the function returns: `init = (true, 5)` of `first`. The guide's page on operators lists them.
/// - `width`: lanes in a group: 1, 2, 4, 8, 16 or 32. The runtime chooses where none is given.
/// - `land`: `all`, or the lane (0 to width - 1) that must hold the result. Default 0.
/// - `mask`: which groups of the emitted warp function take part, a union of whole groups.
/// - `finish = |state| -> T { … }`: what the state of a row becomes when it is stored.
/// - `apply = |total| -> T { … }`: what each element becomes once every lane knows the row's state; with `land = all`.
/// - `commutative = true`: the operator may combine states in any order. The law is tried, the claim is the user's.
///   `false`, the default of an operator that is not in the table, keeps them in order.
/// - `laws = trusted`: the laws of a custom operator are not tried on examples while the crate compiles. `checked`, the
///   default, tries them.
/// - `crate = path`: where the runtime is found, `::warpfold` by default.
///
/// # Parameters
///
/// A plain parameter is one element for each (row, column). Others are marked: `#[per_column]`, `#[per_row]`,
/// `#[uniform]` (one value for the launch), `#[live]` (how many columns of the row count), and those that nobody
/// passes: `#[index]`, `#[row]`, `#[len]`.
///
/// Elements from `#[live]` on are not folded: they carry the identity. `#[len]` is the row's full length all the same,
/// and `apply` stores for them what its closure makes of the element and the row's state, as for any other.
///
/// Down `columns` rows and columns swap, as if the matrix were transposed: a `#[per_row]` parameter and `#[live]` have one
/// value a column, `#[per_column]` one a row, `#[index]` counts down the column and `#[row]` is the column's number.
///
/// # Launches
///
/// | | `rows` | `columns` | `segments` | `array` |
/// |---|---|---|---|---|
/// | without `apply` | one result a row | one a column | one a segment | one value |
/// | with `apply` | one an element | | one an element | |
///
/// Each has an `_into` twin; with `apply`, where the results have the first input's type, there is `rows_in_place`. To
/// apply to one array write `rows(Rows::new(1, n), …)`.
///
/// ```
/// use warpfold::prelude::*;
///
/// #[warp_reduce(op = sum, land = all,
///     apply = |total| -> f32 { x * (total / n as f32 + eps).sqrt().recip() * gamma })]
/// pub fn rms_norm(x: f32, #[per_column] gamma: f32, #[uniform] eps: f32, #[len] n: u32) -> f32 {
///     x * x
/// }
///
/// # fn main() -> Result<(), warpfold::Error> {
/// let normal = rms_norm::rows(Rows::new(1, 4), &[2.0, -2.0, 2.0, 2.0], &[1.0, 1.0, 1.0, 0.5], 0.0)?;
/// assert_eq!(normal, [1.0, -1.0, 1.0, 0.5]);
/// # Ok(())
/// # }
/// ```
///
/// # Each argument
///
/// ```
/// use warpfold::prelude::*;
///
/// // `op` from the table or a closure, which needs its `identity`; `commutative` lets it combine in any order.
/// #[warp_reduce(identity = 0, op = |p, q| p ^ q, commutative = true)]
/// pub fn parity(x: u32) -> u32 { x }
///
/// // `init` is folded in once; `finish` makes the result of the row's state.
/// #[warp_reduce(op = sum, init = 100, finish = |s| -> f64 { s as f64 / 2.0 })]
/// pub fn half_of_100_more(x: i32) -> i32 { x }
///
/// // Groups of `width` lanes, the result in lane 3 of each; `mask` names the lower one of the two groups.
/// #[warp_reduce(op = min, width = 16, land = 3, mask = 0x0000ffff)]
/// pub fn least(x: f32) -> f32 { x }
///
/// // Every lane gets the state, and each element becomes what `apply` makes of both.
/// #[warp_reduce(op = max, land = all, apply = |top| -> f32 { x / top })]
/// pub fn of_the_largest(x: f32) -> f32 { x }
///
/// // A sum that saturates is not associative below 0: `laws = trusted` says that none of the data is.
/// #[warp_reduce(identity = 0, op = |p, q| p.saturating_add(q), laws = trusted)]
/// pub fn at_most(x: i8) -> i8 { x }
///
/// // `crate`: where the runtime is, if it has another name here.
/// #[warp_reduce(op = any, crate = ::warpfold)]
/// pub fn above_two(x: f32) -> bool { x > 2.0 }
///
/// # fn main() -> Result<(), warpfold::Error> {
/// assert_eq!(parity::array(&[1, 2, 4, 1])?, 6);
/// assert_eq!(half_of_100_more::array(&[1, 2, 3])?, 53.0);
/// assert_eq!(least::rows(Rows::new(2, 2), &[3.0, 1.0, 5.0, 9.0])?, [1.0, 5.0]);
/// assert_eq!(of_the_largest::rows(Rows::new(1, 3), &[1.0, 4.0, 2.0])?, [0.25, 1.0, 0.5]);
/// assert_eq!(at_most::array(&[100, 100, 3])?, 127);
/// assert!(above_two::array(&[1.0, 2.5])?);
/// # Ok(())
/// # }
/// ```
#[proc_macro_attribute]
pub fn warp_reduce(args: TokenStream, item: TokenStream) -> TokenStream {
    warpfold_codegen::warp_reduce(args.into(), item.into()).into()
}

/// A scan: at each position, what the elements up to it combine to.
///
/// ```
/// use warpfold::prelude::*;
///
/// #[warp_scan(op = sum, kind = exclusive)]
/// pub fn offsets(count: u32) -> u32 {
///     count
/// }
///
/// # fn main() -> Result<(), warpfold::Error> {
/// assert_eq!(offsets::rows(Rows::new(1, 4), &[3, 0, 2, 5])?, [0, 3, 3, 5]);
/// # Ok(())
/// # }
/// ```
///
/// # Arguments
///
/// Those of [`macro@warp_reduce`] except `land` and `apply`, and
///
/// - `kind`: `inclusive` (the default: position i has element i in it) or `exclusive` (it does not; the first
///   position holds `init`, or the identity).
/// - `direction`: `forward` (the default) or `reverse`: from the last element to the first.
/// - `finish = |state| -> T { … }` runs at every position and may name any parameter.
///
/// ```
/// use warpfold::prelude::*;
///
/// // h[t] = a[t] * h[t - 1] + b[t]
/// #[warp_scan(identity = (1.0, 0.0), op = |p, q| (p.0 * q.0, q.0 * p.1 + q.1), finish = |s| -> f32 { s.1 })]
/// pub fn recurrence(a: f32, b: f32) -> (f32, f32) {
///     (a, b)
/// }
///
/// # fn main() -> Result<(), warpfold::Error> {
/// let h = recurrence::rows(Rows::new(1, 3), &[0.5, 0.5, 0.5], &[1.0, 1.0, 1.0])?;
/// assert_eq!(h, [1.0, 1.5, 1.75]);
/// # Ok(())
/// # }
/// ```
///
/// ```
/// use warpfold::prelude::*;
///
/// // From the end, without the element itself, from `init` on.
/// #[warp_scan(op = sum, kind = exclusive, direction = reverse, init = 10)]
/// pub fn still_to_come(x: u32) -> u32 { x }
///
/// # fn main() -> Result<(), warpfold::Error> {
/// assert_eq!(still_to_come::array(&[1, 2, 3])?, [15, 13, 10]);
/// # Ok(())
/// # }
/// ```
///
/// ```
/// use warpfold::prelude::*;
///
/// // Groups of `width` lanes; `mask` names the upper two of the four. A row may be longer: this fixes only the warp step.
/// #[warp_scan(op = max, width = 8, mask = 0xffff0000, kind = inclusive)]
/// pub fn highest_yet(x: f32) -> f32 { x }
///
/// // A closure needs its `identity`; `commutative` lets it combine in any order.
/// #[warp_scan(identity = 0, op = |p, q| p ^ q, commutative = true, direction = forward)]
/// pub fn parity_so_far(x: u32) -> u32 { x }
///
/// // A sum that saturates is not associative below 0: `laws = trusted` says that none of the data is.
/// #[warp_scan(identity = 0, op = |p, q| p.saturating_add(q), laws = trusted)]
/// pub fn filled(x: i8) -> i8 { x }
///
/// // `crate`: where the runtime is, if it has another name here.
/// #[warp_scan(op = count, crate = ::warpfold)]
/// pub fn positives_so_far(x: f32) -> bool { x > 0.0 }
///
/// # fn main() -> Result<(), warpfold::Error> {
/// assert_eq!(highest_yet::array(&[1.0, 3.0, 2.0, 4.0])?, [1.0, 3.0, 3.0, 4.0]);
/// assert_eq!(parity_so_far::array(&[1, 2, 3])?, [1, 3, 0]);
/// assert_eq!(filled::array(&[100, 20, 100])?, [100, 120, 127]);
/// assert_eq!(positives_so_far::array(&[1.0, -1.0, 2.0])?, [1, 1, 2]);
/// # Ok(())
/// # }
/// ```
#[proc_macro_attribute]
pub fn warp_scan(args: TokenStream, item: TokenStream) -> TokenStream {
    warpfold_codegen::warp_scan(args.into(), item.into()).into()
}

/// A filter: the elements for which the function is true, in their order.
///
/// ```
/// use warpfold::prelude::*;
///
/// #[warp_filter]
/// pub fn positive(x: f32) -> bool {
///     x > 0.0
/// }
///
/// # fn main() -> Result<(), warpfold::Error> {
/// let (kept, counts) = positive::rows(Rows::new(2, 3), &[1.0, -2.0, 3.0, -4.0, -5.0, -6.0])?;
/// assert_eq!(kept, [1.0, 3.0, 0.0, 0.0, 0.0, 0.0]);
/// assert_eq!(counts, [2, 0]);
/// assert_eq!(positive::array(&[1.0, -2.0, 3.0])?, [1.0, 3.0]);
/// assert_eq!(positive::indices(&[1.0, -2.0, 3.0])?, [0, 2]);
/// # Ok(())
/// # }
/// ```
///
/// Counts, and the places that `indices` gives, are `u64` on every device.
///
/// # Arguments
///
/// - `keep = |…| -> T { … }`: what is stored of a kept element, from any parameters by name. Without it every plain
///   parameter is kept, one array each.
/// - `width`, `mask`, `crate`: as of [`macro@warp_reduce`].
///
/// ```
/// use warpfold::prelude::*;
///
/// #[warp_filter(keep = || (x * x, i))]
/// pub fn squares(x: f32, #[index] i: u32) -> bool { x > 1.0 }
///
/// # fn main() -> Result<(), warpfold::Error> {
/// let (squares, places) = squares::array(&[3.0, 0.5, 2.0])?;
/// assert_eq!((squares, places), (vec![9.0, 4.0], vec![0, 2]));
/// # Ok(())
/// # }
/// ```
///
/// ```
/// use warpfold::prelude::*;
///
/// // The vote goes over groups of 8 lanes, and `mask` names the lowest group. That shapes `above::cuda()`; what a call
/// // keeps is the same for any width and mask.
/// #[warp_filter(width = 8, mask = 0x000000ff)]
/// pub fn above(x: i32, #[uniform] least: i32) -> bool { x > least }
///
/// // `crate`: where the runtime is, if it has another name here.
/// #[warp_filter(crate = ::warpfold)]
/// pub fn odd(x: u32) -> bool { x % 2 == 1 }
///
/// # fn main() -> Result<(), warpfold::Error> {
/// assert_eq!(above::array(&[4, 9, 5, 7], 4)?, [9, 5, 7]);
/// assert_eq!(odd::array(&[1, 2, 3])?, [1, 3]);
/// # Ok(())
/// # }
/// ```
#[proc_macro_attribute]
pub fn warp_filter(args: TokenStream, item: TokenStream) -> TokenStream {
    warpfold_codegen::warp_filter(args.into(), item.into()).into()
}

/// A shuffle: what the function makes of each element moves to another lane of its group.
///
/// ```
/// use warpfold::prelude::*;
///
/// #[warp_shuffle(from = xor(1), width = 4)]
/// pub fn partner(x: i32) -> i32 {
///     x
/// }
///
/// # fn main() -> Result<(), warpfold::Error> {
/// assert_eq!(partner::rows(Rows::new(1, 4), &[10, 11, 12, 13])?, [11, 10, 13, 12]);
/// # Ok(())
/// # }
/// ```
///
/// # Arguments
///
/// - `from`: where each lane takes its value from: `lane(k)`, `up(k)` (k lanes below), `down(k)` (k lanes above),
///   `xor(k)` or `rotate(k)`, with k inside the group. Where that lies past the end of the group or the row a lane
///   keeps its own value.
/// - `width`: lanes in a group, 32 by default. Longer rows go group by group.
/// - `mask`, `crate`: as of [`macro@warp_reduce`].
///
/// ```
/// use warpfold::prelude::*;
///
/// #[warp_shuffle(from = lane(2), width = 4)]
/// pub fn third(x: i32) -> i32 { x }
///
/// #[warp_shuffle(from = up(1), width = 4)]
/// pub fn before(x: i32) -> i32 { x }
///
/// #[warp_shuffle(from = down(3), width = 4)]
/// pub fn three_on(x: i32) -> i32 { x }
///
/// #[warp_shuffle(from = rotate(1), width = 4)]
/// pub fn around(x: i32) -> i32 { x }
///
/// # fn main() -> Result<(), warpfold::Error> {
/// let (shape, x) = (Rows::new(1, 4), [10, 11, 12, 13]);
/// assert_eq!(third::rows(shape, &x)?, [12; 4]);
/// assert_eq!(before::rows(shape, &x)?, [10, 10, 11, 12]);
/// assert_eq!(three_on::rows(shape, &x)?, [13, 11, 12, 13]);
/// assert_eq!(around::rows(shape, &x)?, [11, 12, 13, 10]);
/// # Ok(())
/// # }
/// ```
///
/// ```
/// use warpfold::prelude::*;
///
/// // `mask` names the lower half of the warp, two groups of 8. That shapes `mirrored::cuda()`; `rows` gives the same results
/// // whatever it is.
/// #[warp_shuffle(from = xor(7), width = 8, mask = 0x0000ffff)]
/// pub fn mirrored(x: i32) -> i32 { x }
///
/// // `crate`: where the runtime is, if it has another name here.
/// #[warp_shuffle(from = lane(0), crate = ::warpfold)]
/// pub fn first_of_32(x: i32) -> i32 { x }
///
/// # fn main() -> Result<(), warpfold::Error> {
/// assert_eq!(mirrored::rows(Rows::new(1, 8), &[1, 2, 3, 4, 5, 6, 7, 8])?, [8, 7, 6, 5, 4, 3, 2, 1]);
/// assert_eq!(first_of_32::rows(Rows::new(2, 2), &[5, 6, 7, 8])?, [5, 5, 7, 7]);
/// # Ok(())
/// # }
/// ```
#[proc_macro_attribute]
pub fn warp_shuffle(args: TokenStream, item: TokenStream) -> TokenStream {
    warpfold_codegen::warp_shuffle(args.into(), item.into()).into()
}

/// A module whose structs, constants and helper functions its specs may use.
///
/// Structs are made `repr(C)` and may be elements of arrays; one that is the state, element or result of a spec is
/// visible where the spec is, even if it was not written so. Helpers stay plain functions.
///
/// ```
/// use warpfold::prelude::*;
///
/// #[warp_module]
/// pub mod stats {
///     #[derive(Clone, Copy, Debug, PartialEq)]
///     pub struct Span {
///         pub low: f32,
///         pub high: f32,
///     }
///
///     fn hull(a: Span, b: Span) -> Span {
///         Span { low: a.low.min(b.low), high: a.high.max(b.high) }
///     }
///
///     #[warp_reduce(identity = Span { low: inf, high: -inf }, op = hull, finish = |s| -> f32 { s.high - s.low })]
///     pub fn range(x: f32) -> Span {
///         Span { low: x, high: x }
///     }
/// }
///
/// # fn main() -> Result<(), warpfold::Error> {
/// assert_eq!(stats::range::rows(Rows::new(1, 4), &[1.0, 7.0, -2.0, 0.0])?, [9.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Arguments
///
/// - `crate`: as of [`macro@warp_reduce`], for every spec of the module.
///
/// ```
/// use warpfold::prelude::*;
///
/// #[warp_module(crate = ::warpfold)]
/// pub mod money {
///     /// Cents in one unit.
///     const CENTS: i64 = 100;
///
///     #[warp_reduce(op = sum)]
///     pub fn cents(units: i64) -> i64 { units * CENTS }
/// }
///
/// # fn main() -> Result<(), warpfold::Error> {
/// assert_eq!(money::cents::array(&[1, 2, 3])?, 600);
/// # Ok(())
/// # }
/// ```
#[proc_macro_attribute]
pub fn warp_module(args: TokenStream, item: TokenStream) -> TokenStream {
    warpfold_codegen::warp_module(args.into(), item.into()).into()
}
