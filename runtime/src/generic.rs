//! Specs as types: what generic code asks of them.

use crate::argument::Argument;
use crate::call;
use crate::check;
use crate::element::Element;
use crate::error::Error;
use crate::input::Input;
use crate::outcome::Outcome;
use crate::place::Place;
use crate::rows::Rows;
use crate::spec::{FilterRows, Fold, FoldRows, ScanRows, ShuffleRows};

/// A value for a `#[uniform]` parameter, among the arguments of a generic call.
#[derive(Clone, Copy, Debug)]
pub struct Uniform<T>(pub T);

/// One argument of a generic call: an [`Input`] that lives in `P`, or a [`Uniform`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no argument of a call whose data is in `{P}`",
    label = "expected an array in `{P}`, or `Uniform(value)`",
    note = "`Host` is `&[T]`, `&[T; N]` and `&Vec<T>`, `Cuda` is `&CudaSlice<T>` and `&CudaView<T>`, `Either` is `&Buffer<T>`"
)]
pub trait Passed<P> {
    #[doc(hidden)]
    fn erased(&self) -> Argument<'_>;
}

impl<T: Element, P> Passed<P> for Uniform<T> {
    fn erased(&self) -> Argument<'_> {
        Argument::uniform(&self.0)
    }
}

macro_rules! passed {
    ($([$($generic:tt)*] $ty:ty;)*) => { $(
        impl<$($generic)*> Passed<<&'_ $ty as Input<T>>::Place> for &$ty {
            fn erased(&self) -> Argument<'_> {
                Input::<T>::argument(*self)
            }
        }
    )* };
}

passed! {
    [T: Element] [T];
    [T: Element] Vec<T>;
    [T: Element, const N: usize] [T; N];
    [T: Element] cudarc::driver::CudaSlice<T>;
    [T: Element] cudarc::driver::CudaView<'_, T>;
    [T: Element] crate::raw::RawSlice<'_, T>;
    [T: Element] crate::buffer::Buffer<T>;
}

/// The arguments of a generic call: a tuple, in the annotated function's order.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no tuple of arguments",
    label = "expected a tuple of up to eight arrays and uniforms",
    note = "write `(&x,)` for one argument, `(&x, Uniform(1e-6))` for two"
)]
pub trait Arguments<P> {
    #[doc(hidden)]
    fn with<R>(&self, run: impl FnOnce(&[Argument<'_>]) -> R) -> R;
}

macro_rules! tuples {
    ($(($($name:ident $number:tt),+))*) => { $(
        impl<P, $($name: Passed<P>),+> Arguments<P> for ($($name,)+) {
            fn with<R>(&self, run: impl FnOnce(&[Argument<'_>]) -> R) -> R {
                run(&[$(self.$number.erased()),+])
            }
        }
    )* };
}

tuples! {
    (A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3) (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5) (A 0, B 1, C 2, D 3, E 4, F 5, G 6) (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
}

/// The arrays of a spec's results.
type Arrays<S, P> = <<S as Fold>::Result as Outcome>::Arrays<P>;

/// Any `#[warp_reduce]`.
///
/// ```
/// use warpfold::Error;
/// use warpfold::prelude::*;
///
/// fn by_rows<S: Reduce<Result = f32>>(x: &[f32], cols: usize) -> Result<Vec<f32>, Error> {
///     S::rows(Rows::new(x.len() / cols, cols), (x,))
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no `#[warp_reduce]`",
    label = "expected the type beside a function under `#[warp_reduce]`"
)]
pub trait Reduce: FoldRows {
    /// One result a row; with `apply` one an element.
    ///
    /// # Errors
    /// [`Error::ArgumentCount`] and [`Error::Argument`] where the arguments are not the spec's; otherwise those of the
    /// spec's own `rows`.
    fn rows<P: Place>(shape: Rows, arguments: impl Arguments<P>) -> Result<Arrays<Self, P>, Error> {
        arguments.with(|arguments| {
            check::types(&Self::INFO, arguments)?;
            call::rows_reduce::<Self, P>(shape, arguments)
        })
    }

    /// One value for everything.
    ///
    /// A spec with `apply` gives one result an element, and so none here: the program does not compile. For such an
    /// array call `rows(Rows::new(1, n), …)`.
    ///
    /// ```compile_fail,E0080
    /// use warpfold::prelude::*;
    ///
    /// #[warp_reduce(op = sum, land = all, apply = |total| -> f32 { x / total })]
    /// pub fn share(x: f32) -> f32 { x }
    ///
    /// let value = <share as Reduce>::array((&[1.0_f32, 3.0],));
    /// ```
    ///
    /// # Errors
    /// As for [`rows`](Self::rows).
    fn array<P: Place>(arguments: impl Arguments<P>) -> Result<Self::Result, Error> {
        const {
            assert!(
                !Self::INFO.has_apply,
                "a reduction with `apply` gives one result an element: call `rows(Rows::new(1, n), ...)` for an array"
            );
        };
        arguments.with(|arguments| {
            check::types(&Self::INFO, arguments)?;
            call::array_reduce::<Self, P>(arguments)
        })
    }
}
impl<S: FoldRows> Reduce for S {}

/// Any `#[warp_scan]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no `#[warp_scan]`",
    label = "expected the type beside a function under `#[warp_scan]`"
)]
pub trait Scan: ScanRows {
    /// One result an element, each row by itself.
    ///
    /// # Errors
    /// As for [`Reduce::rows`].
    fn rows<P: Place>(shape: Rows, arguments: impl Arguments<P>) -> Result<Arrays<Self, P>, Error> {
        arguments.with(|arguments| {
            check::types(&Self::INFO, arguments)?;
            call::rows_scan::<Self, P>(shape, arguments)
        })
    }

    /// One result an element.
    ///
    /// # Errors
    /// As for [`Reduce::rows`].
    fn array<P: Place>(arguments: impl Arguments<P>) -> Result<Arrays<Self, P>, Error> {
        arguments.with(|arguments| {
            check::types(&Self::INFO, arguments)?;
            call::array_scan::<Self, P>(arguments)
        })
    }
}
impl<S: ScanRows> Scan for S {}

/// Any `#[warp_filter]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no `#[warp_filter]`",
    label = "expected the type beside a function under `#[warp_filter]`"
)]
pub trait Filter: FilterRows {
    /// What is kept of an array, in order.
    ///
    /// # Errors
    /// As for [`Reduce::rows`].
    fn array<P: Place>(arguments: impl Arguments<P>) -> Result<<Self::Result as Outcome>::Arrays<P>, Error> {
        arguments.with(|arguments| {
            check::types(&Self::INFO, arguments)?;
            call::array_filter::<Self, P>(arguments)
        })
    }
}
impl<S: FilterRows> Filter for S {}

/// Any `#[warp_shuffle]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no `#[warp_shuffle]`",
    label = "expected the type beside a function under `#[warp_shuffle]`"
)]
pub trait Shuffle: ShuffleRows {
    /// One result an element.
    ///
    /// # Errors
    /// As for [`Reduce::rows`].
    fn rows<P: Place>(
        shape: Rows,
        arguments: impl Arguments<P>,
    ) -> Result<<Self::Result as Outcome>::Arrays<P>, Error> {
        arguments.with(|arguments| {
            check::types(&Self::INFO, arguments)?;
            call::rows_shuffle::<Self, P>(shape, arguments)
        })
    }
}
impl<S: ShuffleRows> Shuffle for S {}
