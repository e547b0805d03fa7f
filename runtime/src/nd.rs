//! Arrays of the crate `ndarray`: reductions and scans along an axis. Needs the feature `ndarray`.
//!
//! ```
//! use ndarray::{Axis, array};
//! use warpfold::nd::{ApplyAxis, ReduceAxis, ScanAxis};
//! use warpfold::prelude::*;
//!
//! #[warp_reduce(op = sum)]
//! pub fn total(x: f32) -> f32 { x }
//!
//! #[warp_reduce(op = sum)]
//! pub fn dot(a: f32, b: f32) -> f32 { a * b }
//!
//! #[warp_reduce(op = sum, land = all, apply = |total| -> f32 { x / total })]
//! pub fn share(x: f32) -> f32 { x }
//!
//! #[warp_scan(op = sum)]
//! pub fn running(x: f32) -> f32 { x }
//!
//! # fn main() -> Result<(), warpfold::Error> {
//! let x = array![[1.0_f32, 3.0], [4.0, 4.0], [2.0, 6.0]];
//! assert_eq!(total::axis(&x, Axis(1))?, array![4.0, 8.0, 8.0]);
//! assert_eq!(total::axis(&x, Axis(0))?, array![7.0, 13.0]);
//! assert_eq!(dot::axis((&x, &x), Axis(1))?, array![10.0, 32.0, 40.0]);
//! assert_eq!(share::along_axis(&x, Axis(1))?, array![[0.25, 0.75], [0.5, 0.5], [0.25, 0.75]]);
//! assert_eq!(running::along_axis(x.t(), Axis(0))?, array![[1.0, 4.0, 2.0], [4.0, 8.0, 8.0]]);
//! # Ok(()) }
//! ```
//!
//! Arguments are one array or view, or a tuple in the annotated function's order. Plain parameters take arrays and views
//! of one shape; `#[per_row]`, `#[per_column]` and `#[live]` ones take slices and `Vec`s; `#[uniform]` ones take
//! [`Uniform`](crate::Uniform). The axis is what a row runs along, and a per-column parameter has one value a position on it; a per-row
//! parameter has one value for each position on the other axes, the last of them counted first.
//!
//! An array in standard layout is read where it is, along its last axis and, where it has two, in a reduction along the
//! first as well. Any other layout is copied first, once. All of it runs on the CPU, with the bits of
//! [`rows`](Reduce::rows) over that axis.

mod arguments;

use ::ndarray::{Array, Axis, Dimension, RemoveAxis};

use crate::call;
use crate::check;
use crate::element::Element;
use crate::error::Error;
use crate::generic::{Reduce, Scan};
use crate::outcome::Outcome;
use crate::place::Host;
use crate::rows::Rows;
use crate::spec::{Fold, FoldRows, Info, ScanRows};

pub use arguments::{Held, NdArgument, NdArguments};
use arguments::{back, innermost};

/// The arrays of a spec's results on the host.
type Arrays<S> = <<S as Fold>::Result as Outcome>::Arrays<Host>;

/// The rows of a shape along an axis.
fn rows<D: Dimension>(info: &Info, shape: &D, axis: Axis) -> Result<Rows, Error> {
    let (axes, axis) = (shape.ndim(), axis.index());
    if axis >= axes {
        return Err(Error::Arrays {
            spec: info.name,
            what: format!("axis {axis} of an array that has {axes}, the first being axis 0"),
        });
    }
    let others = shape.slice().iter().enumerate().filter(|&(at, _)| at != axis);
    Ok(Rows::new(others.map(|(_, len)| len).product(), shape[axis]))
}

/// The results of a call as arrays: a `Vec`, or a tuple of them.
pub trait Shaped<D> {
    /// The arrays.
    type Out;
    /// In standard layout of this shape, then permuted where an order is given.
    #[doc(hidden)]
    fn shaped(self, shape: &D, order: Option<&D>) -> Self::Out;
}

impl<T: Element, D: Dimension> Shaped<D> for Vec<T> {
    type Out = Array<T, D>;
    fn shaped(self, shape: &D, order: Option<&D>) -> Array<T, D> {
        let array = Array::from_shape_vec(shape.clone(), self).expect("one result a position");
        match order {
            Some(order) => array.permuted_axes(order.clone()),
            None => array,
        }
    }
}

macro_rules! shaped {
    ($(($($name:ident $number:tt),+))*) => { $(
        impl<D, $($name: Shaped<D>),+> Shaped<D> for ($($name,)+) {
            type Out = ($($name::Out,)+);
            fn shaped(self, shape: &D, order: Option<&D>) -> Self::Out {
                ($(self.$number.shaped(shape, order),)+)
            }
        }
    )* };
}

shaped! { (A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, E 3) }

/// Any `#[warp_reduce]` without `apply`, along an axis.
pub trait ReduceAxis: FoldRows {
    /// One result for each position on the other axes. A tuple result comes apart, one array a field.
    ///
    /// # Errors
    /// [`Error::Arrays`] where the arrays differ in shape or lack the axis; otherwise those of [`Reduce::rows`].
    fn axis<D, A>(arguments: A, axis: Axis) -> Result<<Arrays<Self> as Shaped<D::Smaller>>::Out, Error>
    where
        D: RemoveAxis,
        A: NdArguments<D>,
        Arrays<Self>: Shaped<D::Smaller>,
    {
        const {
            assert!(
                !Self::INFO.has_apply,
                "a reduction with `apply` gives one result an element: use `along_axis`"
            );
        };
        let down = |shape: &D| shape.ndim() == 2 && axis.index() == 0;
        let layout = |shape: &D| inner(shape, axis).filter(|_| !down(shape));
        arguments.with(&Self::INFO, layout, |shape, arguments| {
            let rows = rows(&Self::INFO, shape, axis)?;
            check::types(&Self::INFO, arguments)?;
            let results = if down(shape) {
                call::columns_reduce::<Self, Host>(Rows::new(rows.cols(), rows.rows()), arguments)?
            } else {
                call::rows_reduce::<Self, Host>(rows, arguments)?
            };
            Ok(results.shaped(&shape.remove_axis(axis), None))
        })
    }
}
impl<S: Reduce> ReduceAxis for S {}

/// The axis that has to be made innermost, where it is there and is not.
fn inner<D: Dimension>(shape: &D, axis: Axis) -> Option<Axis> {
    (axis.index() + 1 < shape.ndim()).then_some(axis)
}

/// Results for every element, in the place that it has.
fn in_place_of_elements<D: Dimension, R: Shaped<D>>(results: R, shape: &D, axis: Axis) -> R::Out {
    let mut permuted = shape.clone();
    for (to, &from) in permuted
        .slice_mut()
        .iter_mut()
        .zip(innermost(axis, shape.clone()).slice())
    {
        *to = shape[from];
    }
    results.shaped(&permuted, Some(&back(axis, shape.clone())))
}

/// Any `#[warp_reduce]` with `apply`, along an axis.
pub trait ApplyAxis: FoldRows {
    /// One result an element, in an array of the same shape.
    ///
    /// # Errors
    /// As for [`ReduceAxis::axis`].
    fn along_axis<D, A>(arguments: A, axis: Axis) -> Result<<Arrays<Self> as Shaped<D>>::Out, Error>
    where
        D: Dimension,
        A: NdArguments<D>,
        Arrays<Self>: Shaped<D>,
    {
        const {
            assert!(
                Self::INFO.has_apply,
                "a reduction without `apply` gives one result a row: use `axis`"
            );
        };
        arguments.with(
            &Self::INFO,
            |shape| inner(shape, axis),
            |shape, arguments| {
                let rows = rows(&Self::INFO, shape, axis)?;
                check::types(&Self::INFO, arguments)?;
                let results = call::rows_reduce::<Self, Host>(rows, arguments)?;
                Ok(in_place_of_elements(results, shape, axis))
            },
        )
    }
}
impl<S: Reduce> ApplyAxis for S {}

/// Any `#[warp_scan]`, along an axis.
pub trait ScanAxis: ScanRows {
    /// One result an element, in an array of the same shape.
    ///
    /// # Errors
    /// As for [`ReduceAxis::axis`].
    fn along_axis<D, A>(arguments: A, axis: Axis) -> Result<<Arrays<Self> as Shaped<D>>::Out, Error>
    where
        D: Dimension,
        A: NdArguments<D>,
        Arrays<Self>: Shaped<D>,
    {
        arguments.with(
            &Self::INFO,
            |shape| inner(shape, axis),
            |shape, arguments| {
                let rows = rows(&Self::INFO, shape, axis)?;
                check::types(&Self::INFO, arguments)?;
                let results = call::rows_scan::<Self, Host>(rows, arguments)?;
                Ok(in_place_of_elements(results, shape, axis))
            },
        )
    }
}
impl<S: Scan> ScanAxis for S {}
