#[allow(
    dead_code,
    unused_variables,
    clippy::must_use_candidate,
    clippy::too_many_arguments
)]
pub fn positive(x: f32) -> bool {
    x > 0.0
}
/// Launches [`positive`](fn@positive): a filter.
///
/// Stores `f32`. Data on the host runs on the CPU, data on a GPU runs there.
#[allow(non_camel_case_types, dead_code, clippy::all, clippy::pedantic)]
pub enum positive {}
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
    impl positive {
        /// Each row's kept elements at its start, the rest zero, and how many each row keeps.
        ///
        /// - `shape`: rows, columns and strides, in elements
        /// - `x`: one `f32` an element, (rows - 1) × stride + columns of them or more
        ///
        /// Gives new arrays where the inputs live, one for each field of the result, and the counts.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn rows<P: ::warpfold::Place>(
            shape: ::warpfold::Rows,
            x: impl ::warpfold::Input<f32, Place = P>,
        ) -> ::core::result::Result<(P::Array<f32>, P::Array<u64>), ::warpfold::Error> {
            ::warpfold::__private::rows_filter::<
                Self,
                P,
            >(shape, &[::warpfold::Input::argument(x)])
        }
        /// [`rows`](Self::rows) into arrays of the caller's.
        ///
        /// - `shape`: rows, columns and strides, in elements
        /// - `x`: one `f32` an element, (rows - 1) × stride + columns of them or more
        ///
        /// Writes one array for each field of the result, then the counts, and allocates nothing.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn rows_into<P: ::warpfold::Place>(
            shape: ::warpfold::Rows,
            x: impl ::warpfold::Input<f32, Place = P>,
            out: impl ::warpfold::Output<f32, Place: ::warpfold::SamePlace<P>>,
            counts: impl ::warpfold::Output<u64, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<(), ::warpfold::Error> {
            ::warpfold::__private::rows_filter_into::<
                Self,
            >(
                shape,
                &[::warpfold::Input::argument(x)],
                &mut [::warpfold::Output::target(out)],
                ::warpfold::Output::target(counts),
            )
        }
        /// The kept elements, in their order.
        ///
        /// - `x`: one `f32` an element
        ///
        /// Gives new arrays where the inputs live, one for each field of the result.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn array<P: ::warpfold::Place>(
            x: impl ::warpfold::Input<f32, Place = P>,
        ) -> ::core::result::Result<P::Array<f32>, ::warpfold::Error> {
            ::warpfold::__private::array_filter::<
                Self,
                P,
            >(&[::warpfold::Input::argument(x)])
        }
        /// [`array`](Self::array) into arrays of the caller's, with room for every element; `counts` gets their number.
        ///
        /// - `x`: one `f32` an element
        ///
        /// Writes one array for each field of the result, then the counts, and allocates nothing.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn array_into<P: ::warpfold::Place>(
            x: impl ::warpfold::Input<f32, Place = P>,
            out: impl ::warpfold::Output<f32, Place: ::warpfold::SamePlace<P>>,
            counts: impl ::warpfold::Output<u64, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<(), ::warpfold::Error> {
            ::warpfold::__private::array_filter_into::<
                Self,
            >(
                &[::warpfold::Input::argument(x)],
                &mut [::warpfold::Output::target(out)],
                ::warpfold::Output::target(counts),
            )
        }
        /// Where the kept elements stand, in their order.
        ///
        /// - `x`: one `f32` an element
        ///
        /// Gives a new array of positions where the inputs live.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn indices<P: ::warpfold::Place>(
            x: impl ::warpfold::Input<f32, Place = P>,
        ) -> ::core::result::Result<P::Array<u64>, ::warpfold::Error> {
            ::warpfold::__private::array_indices::<
                Self,
                P,
            >(&[::warpfold::Input::argument(x)])
        }
        /// [`indices`](Self::indices) into an array of the caller's, with room for every element; `counts` gets their number.
        ///
        /// - `x`: one `f32` an element
        ///
        /// Writes the positions, then their number, and allocates nothing.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn indices_into<P: ::warpfold::Place>(
            x: impl ::warpfold::Input<f32, Place = P>,
            out: impl ::warpfold::Output<u64, Place: ::warpfold::SamePlace<P>>,
            counts: impl ::warpfold::Output<u64, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<(), ::warpfold::Error> {
            ::warpfold::__private::array_indices_into::<
                Self,
            >(
                &[::warpfold::Input::argument(x)],
                ::warpfold::Output::target(out),
                ::warpfold::Output::target(counts),
            )
        }
        /// What each segment keeps, one behind the other, and the offsets of what they keep.
        ///
        /// - `offsets`: where each segment starts, and where the last one ends
        /// - `x`: one `f32` an element
        ///
        /// Gives new arrays where the inputs live, one for each field of the result, and the new offsets.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn segments<P: ::warpfold::Place, O: ::warpfold::Offsets<Place = P>>(
            offsets: O,
            x: impl ::warpfold::Input<f32, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<
            (P::Array<f32>, P::Array<<O as ::warpfold::Offsets>::Offset>),
            ::warpfold::Error,
        > {
            ::warpfold::__private::segments_filter::<
                Self,
                P,
                <O as ::warpfold::Offsets>::Offset,
            >(&::warpfold::Offsets::argument(offsets), &[::warpfold::Input::argument(x)])
        }
        /// [`segments`](Self::segments) into arrays of the caller's, with room for every element; `kept_offsets` gets as many offsets as were given.
        ///
        /// - `offsets`: where each segment starts, and where the last one ends
        /// - `x`: one `f32` an element
        ///
        /// Writes one array for each field of the result, then the new offsets.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn segments_into<P: ::warpfold::Place, O: ::warpfold::Offsets<Place = P>>(
            offsets: O,
            x: impl ::warpfold::Input<f32, Place: ::warpfold::SamePlace<P>>,
            out: impl ::warpfold::Output<f32, Place: ::warpfold::SamePlace<P>>,
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
                &[::warpfold::Input::argument(x)],
                &mut [::warpfold::Output::target(out)],
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
    impl positive {
        #[cfg(not(rust_analyzer))]
        #[doc(hidden)]
        pub fn columns<__Wf>(
            _: impl ::warpfold::__private::ColumnsOfFilter<Self>,
            _: impl ::core::marker::Sized,
        ) -> ::core::result::Result<__Wf, ::warpfold::Error> {
            loop {}
        }
    }
    impl ::warpfold::__private::Spec for positive {
        const INFO: ::warpfold::__private::Info = ::warpfold::__private::Info {
            name: "positive",
            form: ::warpfold::__private::Form::Filter,
            params: &[
                ::warpfold::__private::Param {
                    name: "x",
                    kind: ::warpfold::__private::ParamKind::Plain,
                    ty: ::warpfold::__private::TypeInfo::of::<f32>("f32"),
                },
            ],
            results: &[::warpfold::__private::TypeInfo::of::<f32>("f32")],
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
    impl ::warpfold::__private::Bind for positive {
        type Bound<'a> = (&'a [f32],);
        #[inline(always)]
        fn bind<'a>(
            __wf_arguments: &'a [::warpfold::__private::Argument<'a>],
        ) -> Self::Bound<'a> {
            (__wf_arguments[0usize].slice::<f32>(),)
        }
    }
    #[inline(always)]
    fn __wf_map(x: f32) -> bool {
        x > 0.0f32
    }
    impl ::warpfold::__private::FilterRows for positive {
        type Result = f32;
        #[inline(always)]
        fn keeps(
            __wf_bound: &Self::Bound<'_>,
            __wf_at: ::warpfold::__private::At,
        ) -> bool {
            __wf_map(__wf_bound.0[__wf_at.element])
        }
        #[inline(always)]
        fn kept(
            __wf_bound: &Self::Bound<'_>,
            __wf_at: ::warpfold::__private::At,
        ) -> f32 {
            __wf_bound.0[__wf_at.element]
        }
    }
};
