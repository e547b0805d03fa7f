//! What a call takes: arrays, views, slices of values and uniforms, laid out so that the axis is innermost.

use std::borrow::Cow;
use std::cmp::Ordering;

use ::ndarray::{Array, ArrayRef, ArrayView, Axis, Dimension};

use crate::argument::Argument;
use crate::element::Element;
use crate::error::Error;
use crate::generic::{Passed, Uniform};
use crate::place::Host;
use crate::spec::Info;

/// One argument: an array, a view, a slice of values or a [`Uniform`].
pub trait NdArgument<D>: Sized {
    /// The argument, laid out for a call.
    #[doc(hidden)]
    type Held: Passed<Host>;
    /// The shape, where it is an array.
    #[doc(hidden)]
    fn shape(&self) -> Option<D>;
    /// The elements with `axis` innermost; with `None` as they are in standard layout.
    #[doc(hidden)]
    fn held(self, axis: Option<Axis>) -> Self::Held;
}

/// The elements of an array, in the order of a call.
#[derive(Debug)]
pub struct Held<'a, T: Clone>(Cow<'a, [T]>);

impl<T: Element> Passed<Host> for Held<'_, T> {
    fn erased(&self) -> Argument<'_> {
        Argument::host(&self.0)
    }
}

/// The elements of a view, with `axis` innermost.
fn laid_out<T: Element, D: Dimension>(view: ArrayView<'_, T, D>, axis: Option<Axis>) -> Held<'_, T> {
    let view = match axis {
        Some(axis) => {
            let order = innermost(axis, view.raw_dim());
            view.permuted_axes(order)
        }
        None => view,
    };
    Held(match view.to_slice() {
        Some(slice) => Cow::Borrowed(slice),
        None => Cow::Owned(view.iter().copied().collect()),
    })
}

/// The axes in their order, `axis` last.
pub(super) fn innermost<D: Dimension>(axis: Axis, mut order: D) -> D {
    let last = order.ndim() - 1;
    for (place, from) in order.slice_mut().iter_mut().enumerate() {
        *from = if place == last {
            axis.index()
        } else {
            place + usize::from(place >= axis.index())
        };
    }
    order
}

/// Undoes [`innermost`].
pub(super) fn back<D: Dimension>(axis: Axis, mut order: D) -> D {
    let last = order.ndim() - 1;
    for (place, from) in order.slice_mut().iter_mut().enumerate() {
        *from = match place.cmp(&axis.index()) {
            Ordering::Less => place,
            Ordering::Equal => last,
            Ordering::Greater => place - 1,
        };
    }
    order
}

impl<'a, T: Element, D: Dimension> NdArgument<D> for ArrayView<'a, T, D> {
    type Held = Held<'a, T>;
    fn shape(&self) -> Option<D> {
        Some(self.raw_dim())
    }
    fn held(self, axis: Option<Axis>) -> Held<'a, T> {
        laid_out(self, axis)
    }
}

impl<'a, T: Element, D: Dimension> NdArgument<D> for &'a ArrayView<'_, T, D> {
    type Held = Held<'a, T>;
    fn shape(&self) -> Option<D> {
        Some(self.raw_dim())
    }
    fn held(self, axis: Option<Axis>) -> Held<'a, T> {
        laid_out(self.view(), axis)
    }
}

impl<'a, T: Element, D: Dimension> NdArgument<D> for &'a Array<T, D> {
    type Held = Held<'a, T>;
    fn shape(&self) -> Option<D> {
        Some(self.raw_dim())
    }
    fn held(self, axis: Option<Axis>) -> Held<'a, T> {
        laid_out(self.view(), axis)
    }
}

impl<'a, T: Element, D: Dimension> NdArgument<D> for &'a ArrayRef<T, D> {
    type Held = Held<'a, T>;
    fn shape(&self) -> Option<D> {
        Some(self.raw_dim())
    }
    fn held(self, axis: Option<Axis>) -> Held<'a, T> {
        laid_out(self.view(), axis)
    }
}

macro_rules! as_they_are {
    ($([$($generic:tt)*] $ty:ty;)*) => { $(
        impl<$($generic)*, D> NdArgument<D> for $ty {
            type Held = Self;
            fn shape(&self) -> Option<D> {
                None
            }
            fn held(self, _: Option<Axis>) -> Self {
                self
            }
        }
    )* };
}

as_they_are! {
    [T: Element] Uniform<T>;
    [T: Element] &[T];
    [T: Element] &Vec<T>;
}

/// The arguments of a call: one array or view, or a tuple.
pub trait NdArguments<D> {
    /// Their shape, and the arguments as a call takes them.
    #[doc(hidden)]
    fn with<R>(
        self,
        info: &Info,
        layout: impl Fn(&D) -> Option<Axis>,
        run: impl FnOnce(&D, &[Argument<'_>]) -> Result<R, Error>,
    ) -> Result<R, Error>;
}

macro_rules! alone {
    ($([$($generic:tt)*] $ty:ty;)*) => { $(
        impl<$($generic)*, D: Dimension> NdArguments<D> for $ty {
            fn with<R>(
                self,
                info: &Info,
                layout: impl Fn(&D) -> Option<Axis>,
                run: impl FnOnce(&D, &[Argument<'_>]) -> Result<R, Error>,
            ) -> Result<R, Error> {
                (self,).with(info, layout, run)
            }
        }
    )* };
}

alone! {
    ['a, T: Element] ArrayView<'a, T, D>;
    ['a, 'b, T: Element] &'a ArrayView<'b, T, D>;
    ['a, T: Element] &'a Array<T, D>;
    ['a, T: Element] &'a ArrayRef<T, D>;
}

macro_rules! tuples {
    ($(($($name:ident $number:tt),+))*) => { $(
        impl<D: Dimension, $($name: NdArgument<D>),+> NdArguments<D> for ($($name,)+) {
            fn with<R>(
                self,
                info: &Info,
                layout: impl Fn(&D) -> Option<Axis>,
                run: impl FnOnce(&D, &[Argument<'_>]) -> Result<R, Error>,
            ) -> Result<R, Error> {
                let shape = common(info, &[$(self.$number.shape()),+])?;
                let axis = layout(&shape);
                let held = ($(self.$number.held(axis),)+);
                run(&shape, &[$(held.$number.erased()),+])
            }
        }
    )* };
}

tuples! {
    (A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, E 3) (A 0, B 1, C 2, E 3, F 4) (A 0, B 1, C 2, E 3, F 4, G 5)
}

/// The shape that all arrays have.
fn common<D: Dimension>(info: &Info, shapes: &[Option<D>]) -> Result<D, Error> {
    let refused = |what: String| Error::Arrays {
        spec: info.name,
        what,
    };
    let mut arrays = shapes.iter().flatten();
    let first = arrays
        .next()
        .ok_or_else(|| refused("no argument is an array".into()))?;
    match arrays.find(|&shape| shape != first) {
        None => Ok(first.clone()),
        Some(other) => Err(refused(format!(
            "one array has the shape {:?} and another {:?}",
            first.slice(),
            other.slice()
        ))),
    }
}
