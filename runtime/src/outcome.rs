//! How results are stored: a tuple comes apart, one array a field.

use crate::argument::Target;
use crate::element::Element;
use crate::error::Error;
use crate::place::{Place, Site};

/// What a spec stores at one position: an [`Element`], or a tuple of up to four, which goes to one array a field.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be stored",
    label = "expected an element, or a tuple of up to four",
    note = "elements are bool, i8 to i64, u8 to u64, f16, bf16, f32, f64, and structs of a `#[warp_module]`"
)]
pub trait Outcome: Copy + Send + Sync + 'static {
    /// The arrays of a call's results: `P::Array<T>`, or a tuple of them.
    type Arrays<P: Place>;
    /// The arrays on the host while the CPU writes them.
    #[doc(hidden)]
    type Slices<'a>: Send;

    /// New arrays of `len` elements.
    #[doc(hidden)]
    fn arrays<P: Place>(site: &Site, len: usize, zeroed: bool) -> Result<Self::Arrays<P>, Error>;
    /// Runs `write` with the arrays as its targets.
    #[doc(hidden)]
    fn with_targets<P: Place, R>(
        arrays: &mut Self::Arrays<P>,
        write: impl FnOnce(&mut [Target<'_>]) -> R,
    ) -> R;
    /// The value at position 0, once the work on it is done.
    #[doc(hidden)]
    fn first<P: Place>(arrays: &Self::Arrays<P>) -> Result<Self, Error>;
    /// The arrays cut to their first `len` elements.
    #[doc(hidden)]
    fn truncated<P: Place>(arrays: Self::Arrays<P>, len: usize) -> Result<Self::Arrays<P>, Error>;
    /// The targets as slices of the host.
    #[doc(hidden)]
    fn slices<'a>(targets: &'a mut [Target<'_>]) -> Self::Slices<'a>;
    /// Everything before `at`, and the rest.
    #[doc(hidden)]
    fn split(slices: Self::Slices<'_>, at: usize) -> (Self::Slices<'_>, Self::Slices<'_>);
    /// Everything but the first `count`, of which there may be fewer.
    #[doc(hidden)]
    fn skip(slices: Self::Slices<'_>, count: usize) -> Self::Slices<'_>;
    /// The same slices, for a while.
    #[doc(hidden)]
    fn again<'a>(slices: &'a mut Self::Slices<'_>) -> Self::Slices<'a>;
    /// Stores one value.
    #[doc(hidden)]
    fn put(self, slices: &mut Self::Slices<'_>, at: usize);
    /// Every field zero.
    #[doc(hidden)]
    fn zero() -> Self;
}

impl<T: Element> Outcome for T {
    type Arrays<P: Place> = P::Array<T>;
    type Slices<'a> = &'a mut [T];

    fn arrays<P: Place>(site: &Site, len: usize, zeroed: bool) -> Result<P::Array<T>, Error> {
        P::array(site, len, zeroed)
    }
    fn with_targets<P: Place, R>(arrays: &mut P::Array<T>, write: impl FnOnce(&mut [Target<'_>]) -> R) -> R {
        write(&mut [P::target(arrays)])
    }
    fn first<P: Place>(arrays: &P::Array<T>) -> Result<T, Error> {
        P::first(arrays)
    }
    fn truncated<P: Place>(arrays: P::Array<T>, len: usize) -> Result<P::Array<T>, Error> {
        P::truncated(arrays, len)
    }
    fn slices<'a>(targets: &'a mut [Target<'_>]) -> Self::Slices<'a> {
        targets[0].slice()
    }
    fn split(slices: Self::Slices<'_>, at: usize) -> (Self::Slices<'_>, Self::Slices<'_>) {
        slices.split_at_mut(at)
    }
    fn skip(slices: Self::Slices<'_>, count: usize) -> Self::Slices<'_> {
        let count = count.min(slices.len());
        &mut slices[count..]
    }
    #[allow(clippy::mut_mut, reason = "the slices of one field are a `&mut [T]`")]
    fn again<'a>(slices: &'a mut &mut [T]) -> &'a mut [T] {
        slices
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[allow(clippy::mut_mut, reason = "the slices of one field are a `&mut [T]`")]
    fn put(self, slices: &mut &mut [T], at: usize) {
        slices[at] = self;
    }
    fn zero() -> T {
        T::ZERO
    }
}

macro_rules! tuples {
    ($(($($field:ident $number:tt),+))*) => { $(
        impl<$($field: Element),+> Outcome for ($($field,)+) {
            type Arrays<P: Place> = ($(P::Array<$field>,)+);
            type Slices<'a> = ($(&'a mut [$field],)+);

            fn arrays<P: Place>(site: &Site, len: usize, zeroed: bool) -> Result<Self::Arrays<P>, Error> {
                Ok(($(P::array::<$field>(site, len, zeroed)?,)+))
            }
            fn with_targets<P: Place, R>(arrays: &mut Self::Arrays<P>, write: impl FnOnce(&mut [Target<'_>]) -> R) -> R {
                write(&mut [$(P::target(&mut arrays.$number)),+])
            }
            fn first<P: Place>(arrays: &Self::Arrays<P>) -> Result<Self, Error> {
                Ok(($(P::first(&arrays.$number)?,)+))
            }
            fn truncated<P: Place>(arrays: Self::Arrays<P>, len: usize) -> Result<Self::Arrays<P>, Error> {
                Ok(($(P::truncated(arrays.$number, len)?,)+))
            }
            fn slices<'a>(targets: &'a mut [Target<'_>]) -> Self::Slices<'a> {
                let mut targets = targets.iter_mut();
                ($(targets.next().expect("one target a field").slice::<$field>(),)+)
            }
            fn split(slices: Self::Slices<'_>, at: usize) -> (Self::Slices<'_>, Self::Slices<'_>) {
                let parts = ($(slices.$number.split_at_mut(at),)+);
                (($(parts.$number.0,)+), ($(parts.$number.1,)+))
            }
            fn skip(slices: Self::Slices<'_>, count: usize) -> Self::Slices<'_> {
                ($(<$field as Outcome>::skip(slices.$number, count),)+)
            }
            fn again<'a>(slices: &'a mut Self::Slices<'_>) -> Self::Slices<'a> {
                ($(&mut *slices.$number,)+)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn put(self, slices: &mut Self::Slices<'_>, at: usize) {
                $(slices.$number[at] = self.$number;)+
            }
            fn zero() -> Self {
                ($($field::ZERO,)+)
            }
        }
    )* };
}

tuples! { (A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3) }
