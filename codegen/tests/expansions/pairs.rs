#[allow(
    dead_code,
    unused_variables,
    clippy::must_use_candidate,
    clippy::too_many_arguments
)]
pub fn pairs(a: f32, b: f32, i: u64) -> bool {
    a < b && !(a.is_nan() || b == 0.0)
}
/// Launches [`pairs`](fn@pairs): a filter.
///
/// Stores `f32`, `u64`. Data on the host runs on the CPU, data on a GPU runs there.
#[allow(non_camel_case_types, dead_code, clippy::all, clippy::pedantic)]
pub enum pairs {}
#[allow(
    unused,
    nonstandard_style,
    missing_docs,
    unreachable_code,
    unused_qualifications,
    unused_parens,
    trivial_casts,
    trivial_numeric_casts,
    single_use_lifetimes,
    elided_lifetimes_in_paths,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
const _: () = {
    impl pairs {
        /// Each row's kept elements at its start, the rest zero, and how many each row keeps.
        ///
        /// - `shape`: rows, columns and strides, in elements
        /// - `a`: one `f32` an element, (rows - 1) × stride + columns of them or more
        /// - `b`: one `f32` an element, (rows - 1) × stride + columns of them or more
        ///
        /// Gives new arrays where the inputs live, one for each field of the result, and the counts.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn rows<P: ::warpfold::Place>(
            shape: ::warpfold::Rows,
            a: impl ::warpfold::Input<f32, Place = P>,
            b: impl ::warpfold::Input<f32, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<
            (P::Array<f32>, P::Array<u64>, P::Array<u64>),
            ::warpfold::Error,
        > {
            match ::warpfold::__private::rows_filter::<
                Self,
                P,
            >(shape, &[::warpfold::Input::argument(a), ::warpfold::Input::argument(b)]) {
                ::core::result::Result::Ok((__wf_arrays, __wf_counts)) => {
                    ::core::result::Result::Ok((
                        __wf_arrays.0,
                        __wf_arrays.1,
                        __wf_counts,
                    ))
                }
                ::core::result::Result::Err(__wf_error) => {
                    ::core::result::Result::Err(__wf_error)
                }
            }
        }
        /// [`rows`](Self::rows) into arrays of the caller's.
        ///
        /// - `shape`: rows, columns and strides, in elements
        /// - `a`: one `f32` an element, (rows - 1) × stride + columns of them or more
        /// - `b`: one `f32` an element, (rows - 1) × stride + columns of them or more
        ///
        /// Writes one array for each field of the result, then the counts, and allocates nothing.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn rows_into<P: ::warpfold::Place>(
            shape: ::warpfold::Rows,
            a: impl ::warpfold::Input<f32, Place = P>,
            b: impl ::warpfold::Input<f32, Place: ::warpfold::SamePlace<P>>,
            out_0: impl ::warpfold::Output<f32, Place: ::warpfold::SamePlace<P>>,
            out_1: impl ::warpfold::Output<u64, Place: ::warpfold::SamePlace<P>>,
            counts: impl ::warpfold::Output<u64, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<(), ::warpfold::Error> {
            ::warpfold::__private::rows_filter_into::<
                Self,
            >(
                shape,
                &[::warpfold::Input::argument(a), ::warpfold::Input::argument(b)],
                &mut [
                    ::warpfold::Output::target(out_0),
                    ::warpfold::Output::target(out_1),
                ],
                ::warpfold::Output::target(counts),
            )
        }
        /// The kept elements, in their order.
        ///
        /// - `a`: one `f32` an element
        /// - `b`: one `f32` an element
        ///
        /// Gives new arrays where the inputs live, one for each field of the result.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn array<P: ::warpfold::Place>(
            a: impl ::warpfold::Input<f32, Place = P>,
            b: impl ::warpfold::Input<f32, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<(P::Array<f32>, P::Array<u64>), ::warpfold::Error> {
            ::warpfold::__private::array_filter::<
                Self,
                P,
            >(&[::warpfold::Input::argument(a), ::warpfold::Input::argument(b)])
        }
        /// [`array`](Self::array) into arrays of the caller's, with room for every element; `counts` gets their number.
        ///
        /// - `a`: one `f32` an element
        /// - `b`: one `f32` an element
        ///
        /// Writes one array for each field of the result, then the counts, and allocates nothing.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn array_into<P: ::warpfold::Place>(
            a: impl ::warpfold::Input<f32, Place = P>,
            b: impl ::warpfold::Input<f32, Place: ::warpfold::SamePlace<P>>,
            out_0: impl ::warpfold::Output<f32, Place: ::warpfold::SamePlace<P>>,
            out_1: impl ::warpfold::Output<u64, Place: ::warpfold::SamePlace<P>>,
            counts: impl ::warpfold::Output<u64, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<(), ::warpfold::Error> {
            ::warpfold::__private::array_filter_into::<
                Self,
            >(
                &[::warpfold::Input::argument(a), ::warpfold::Input::argument(b)],
                &mut [
                    ::warpfold::Output::target(out_0),
                    ::warpfold::Output::target(out_1),
                ],
                ::warpfold::Output::target(counts),
            )
        }
        /// Where the kept elements stand, in their order.
        ///
        /// - `a`: one `f32` an element
        /// - `b`: one `f32` an element
        ///
        /// Gives a new array of positions where the inputs live.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn indices<P: ::warpfold::Place>(
            a: impl ::warpfold::Input<f32, Place = P>,
            b: impl ::warpfold::Input<f32, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<P::Array<u64>, ::warpfold::Error> {
            ::warpfold::__private::array_indices::<
                Self,
                P,
            >(&[::warpfold::Input::argument(a), ::warpfold::Input::argument(b)])
        }
        /// [`indices`](Self::indices) into an array of the caller's, with room for every element; `counts` gets their number.
        ///
        /// - `a`: one `f32` an element
        /// - `b`: one `f32` an element
        ///
        /// Writes the positions, then their number, and allocates nothing.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn indices_into<P: ::warpfold::Place>(
            a: impl ::warpfold::Input<f32, Place = P>,
            b: impl ::warpfold::Input<f32, Place: ::warpfold::SamePlace<P>>,
            out: impl ::warpfold::Output<u64, Place: ::warpfold::SamePlace<P>>,
            counts: impl ::warpfold::Output<u64, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<(), ::warpfold::Error> {
            ::warpfold::__private::array_indices_into::<
                Self,
            >(
                &[::warpfold::Input::argument(a), ::warpfold::Input::argument(b)],
                ::warpfold::Output::target(out),
                ::warpfold::Output::target(counts),
            )
        }
        /// What each segment keeps, one behind the other, and the offsets of what they keep.
        ///
        /// - `offsets`: where each segment starts, and where the last one ends
        /// - `a`: one `f32` an element
        /// - `b`: one `f32` an element
        ///
        /// Gives new arrays where the inputs live, one for each field of the result, and the new offsets.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn segments<P: ::warpfold::Place, O: ::warpfold::Offsets<Place = P>>(
            offsets: O,
            a: impl ::warpfold::Input<f32, Place: ::warpfold::SamePlace<P>>,
            b: impl ::warpfold::Input<f32, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<
            (P::Array<f32>, P::Array<u64>, P::Array<<O as ::warpfold::Offsets>::Offset>),
            ::warpfold::Error,
        > {
            match ::warpfold::__private::segments_filter::<
                Self,
                P,
                <O as ::warpfold::Offsets>::Offset,
            >(
                &::warpfold::Offsets::argument(offsets),
                &[::warpfold::Input::argument(a), ::warpfold::Input::argument(b)],
            ) {
                ::core::result::Result::Ok((__wf_arrays, __wf_counts)) => {
                    ::core::result::Result::Ok((
                        __wf_arrays.0,
                        __wf_arrays.1,
                        __wf_counts,
                    ))
                }
                ::core::result::Result::Err(__wf_error) => {
                    ::core::result::Result::Err(__wf_error)
                }
            }
        }
        /// [`segments`](Self::segments) into arrays of the caller's, with room for every element; `kept_offsets` gets as many offsets as were given.
        ///
        /// - `offsets`: where each segment starts, and where the last one ends
        /// - `a`: one `f32` an element
        /// - `b`: one `f32` an element
        ///
        /// Writes one array for each field of the result, then the new offsets.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn segments_into<P: ::warpfold::Place, O: ::warpfold::Offsets<Place = P>>(
            offsets: O,
            a: impl ::warpfold::Input<f32, Place: ::warpfold::SamePlace<P>>,
            b: impl ::warpfold::Input<f32, Place: ::warpfold::SamePlace<P>>,
            out_0: impl ::warpfold::Output<f32, Place: ::warpfold::SamePlace<P>>,
            out_1: impl ::warpfold::Output<u64, Place: ::warpfold::SamePlace<P>>,
            kept_offsets: impl ::warpfold::Output<
                <O as ::warpfold::Offsets>::Offset,
                Place: ::warpfold::SamePlace<P>,
            >,
        ) -> ::core::result::Result<(), ::warpfold::Error> {
            ::warpfold::__private::segments_filter_into::<
                Self,
                <O as ::warpfold::Offsets>::Offset,
            >(
                &::warpfold::Offsets::argument(offsets),
                &[::warpfold::Input::argument(a), ::warpfold::Input::argument(b)],
                &mut [
                    ::warpfold::Output::target(out_0),
                    ::warpfold::Output::target(out_1),
                ],
                ::warpfold::Output::target(kept_offsets),
            )
        }
        /// The CUDA C++ of the spec: complete, without any `#include`. It compiles by itself in front of a kernel
        /// of one's own.
        #[inline]
        pub fn cuda() -> ::std::string::String {
            ::warpfold::__private::cuda::<Self>()
        }
        /// The proved plan of the spec's warp: its steps, and who reads whom at each.
        #[inline]
        pub fn plan() -> ::warpfold::__private::Proved {
            ::warpfold::__private::plan::<Self>()
        }
        /// Compiles the kernels that calls with this shape run on a GPU, so that the first call finds them and a CUDA
        /// graph can capture it. Of calls over whole arrays the shape is one row.
        ///
        /// # Errors
        ///
        /// A shape that overflows, what NVRTC says of a kernel, what the driver says.
        #[inline]
        pub fn prepare(
            context: &::std::sync::Arc<::warpfold::__private::CudaContext>,
            shape: ::warpfold::Rows,
        ) -> ::core::result::Result<(), ::warpfold::Error> {
            ::warpfold::__private::prepare::<Self>(context, shape)
        }
        /// The driver's word on the kernel for this shape: registers, shared and local memory, blocks a
        /// multiprocessor.
        ///
        /// # Errors
        ///
        /// A shape that overflows, what NVRTC says of the kernel, what the driver says.
        #[inline]
        pub fn cost(
            context: &::std::sync::Arc<::warpfold::__private::CudaContext>,
            shape: ::warpfold::Rows,
        ) -> ::core::result::Result<::warpfold::Cost, ::warpfold::Error> {
            ::warpfold::__private::cost::<Self>(context, shape)
        }
    }
    #[allow(unexpected_cfgs)]
    impl pairs {
        #[cfg(not(rust_analyzer))]
        #[doc(hidden)]
        pub fn columns<__Wf>(
            _: impl ::warpfold::__private::ColumnsOfFilter<Self>,
            _: impl ::core::marker::Sized,
            _: impl ::core::marker::Sized,
        ) -> ::core::result::Result<__Wf, ::warpfold::Error> {
            loop {}
        }
    }
    impl ::warpfold::__private::Spec for pairs {
        const INFO: ::warpfold::__private::Info = ::warpfold::__private::Info {
            name: "pairs",
            form: ::warpfold::__private::Form::Filter,
            params: &[
                ::warpfold::__private::Param {
                    name: "a",
                    kind: ::warpfold::__private::ParamKind::Plain,
                    ty: ::warpfold::__private::TypeInfo::of::<f32>("f32"),
                },
                ::warpfold::__private::Param {
                    name: "b",
                    kind: ::warpfold::__private::ParamKind::Plain,
                    ty: ::warpfold::__private::TypeInfo::of::<f32>("f32"),
                },
                ::warpfold::__private::Param {
                    name: "i",
                    kind: ::warpfold::__private::ParamKind::Index,
                    ty: ::warpfold::__private::TypeInfo::of::<u64>("u64"),
                },
            ],
            results: &[
                ::warpfold::__private::TypeInfo::of::<f32>("f32"),
                ::warpfold::__private::TypeInfo::of::<u64>("u64"),
            ],
            state: ::warpfold::__private::TypeInfo::of::<bool>("bool"),
            mapped: ::warpfold::__private::TypeInfo::of::<bool>("bool"),
            fold: ::warpfold::__private::TileFold::Blocked,
            order: ::warpfold::__private::Order::InOrder,
            width: ::core::option::Option::None,
            land: ::warpfold::__private::Land::Lane(0),
            mask: 4294967295u32,
            has_init: false,
            has_apply: false,
            max_columns: ::core::option::Option::None,
        };
        const CUDA: &'static str = "the CUDA C++ of the spec";
    }
    impl ::warpfold::__private::Bind for pairs {
        type Bound<'a> = (&'a [f32], &'a [f32]);
        #[inline(always)]
        fn bind<'a>(
            __wf_arguments: &'a [::warpfold::__private::Argument<'a>],
        ) -> Self::Bound<'a> {
            (
                __wf_arguments[0usize].slice::<f32>(),
                __wf_arguments[1usize].slice::<f32>(),
            )
        }
    }
    #[inline(always)]
    fn __wf_map(a: f32, b: f32, i: u64) -> bool {
        (a < b) && (!(a.is_nan() || (b == 0.0f32)))
    }
    #[inline(always)]
    fn __wf_keep(a: f32, i: u64) -> (f32, u64) {
        (a * 2.0f32, i)
    }
    impl ::warpfold::__private::FilterRows for pairs {
        type Result = (f32, u64);
        #[inline(always)]
        fn keeps(
            __wf_bound: &Self::Bound<'_>,
            __wf_at: ::warpfold::__private::At,
        ) -> bool {
            __wf_map(
                __wf_bound.0[__wf_at.element],
                __wf_bound.1[__wf_at.element],
                __wf_at.index as u64,
            )
        }
        #[inline(always)]
        fn kept(
            __wf_bound: &Self::Bound<'_>,
            __wf_at: ::warpfold::__private::At,
        ) -> (f32, u64) {
            __wf_keep(__wf_bound.0[__wf_at.element], __wf_at.index as u64)
        }
    }
};
