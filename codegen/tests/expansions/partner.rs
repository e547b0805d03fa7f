#[allow(
    dead_code,
    unused_variables,
    clippy::must_use_candidate,
    clippy::too_many_arguments
)]
pub fn partner(x: i32) -> i32 {
    x
}
/// Launches [`partner`](fn@partner): a shuffle.
///
/// Stores `i32`. Data on the host runs on the CPU, data on a GPU runs there.
#[allow(non_camel_case_types, dead_code, clippy::all, clippy::pedantic)]
pub enum partner {}
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
    impl partner {
        /// Moves each row's values between the lanes of its groups.
        ///
        /// - `shape`: rows, columns and strides, in elements
        /// - `x`: one `i32` an element, (rows - 1) × stride + columns of them or more
        ///
        /// Gives new arrays where the inputs live, one for each field of the result.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn rows<P: ::warpfold::Place>(
            shape: ::warpfold::Rows,
            x: impl ::warpfold::Input<i32, Place = P>,
        ) -> ::core::result::Result<P::Array<i32>, ::warpfold::Error> {
            ::warpfold::__private::rows_shuffle::<
                Self,
                P,
            >(shape, &[::warpfold::Input::argument(x)])
        }
        /// [`rows`](Self::rows) into arrays of the caller's.
        ///
        /// - `shape`: rows, columns and strides, in elements
        /// - `x`: one `i32` an element, (rows - 1) × stride + columns of them or more
        ///
        /// Writes one array for each field of the result, and allocates nothing.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn rows_into<P: ::warpfold::Place>(
            shape: ::warpfold::Rows,
            x: impl ::warpfold::Input<i32, Place = P>,
            out: impl ::warpfold::Output<i32, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<(), ::warpfold::Error> {
            ::warpfold::__private::rows_shuffle_into::<
                Self,
            >(
                shape,
                &[::warpfold::Input::argument(x)],
                &mut [::warpfold::Output::target(out)],
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
    impl partner {
        #[cfg(not(rust_analyzer))]
        #[doc(hidden)]
        pub fn columns<__Wf>(
            _: impl ::warpfold::__private::ColumnsOfShuffle<Self>,
            _: impl ::core::marker::Sized,
        ) -> ::core::result::Result<__Wf, ::warpfold::Error> {
            loop {}
        }
        #[cfg(not(rust_analyzer))]
        #[doc(hidden)]
        pub fn segments<__Wf>(
            _: impl ::warpfold::__private::SegmentsOfShuffle<Self>,
            _: impl ::core::marker::Sized,
        ) -> ::core::result::Result<__Wf, ::warpfold::Error> {
            loop {}
        }
        #[cfg(not(rust_analyzer))]
        #[doc(hidden)]
        pub fn array<__Wf>(
            _: impl ::warpfold::__private::ArrayOfShuffle<Self>,
        ) -> ::core::result::Result<__Wf, ::warpfold::Error> {
            loop {}
        }
    }
    impl ::warpfold::__private::Spec for partner {
        const INFO: ::warpfold::__private::Info = ::warpfold::__private::Info {
            name: "partner",
            form: ::warpfold::__private::Form::Shuffle(
                ::warpfold::__private::Exchange::Down(3u32),
            ),
            params: &[
                ::warpfold::__private::Param {
                    name: "x",
                    kind: ::warpfold::__private::ParamKind::Plain,
                    ty: ::warpfold::__private::TypeInfo::of::<i32>("i32"),
                },
            ],
            results: &[::warpfold::__private::TypeInfo::of::<i32>("i32")],
            state: ::warpfold::__private::TypeInfo::of::<i32>("i32"),
            mapped: ::warpfold::__private::TypeInfo::of::<i32>("i32"),
            fold: ::warpfold::__private::TileFold::Blocked,
            order: ::warpfold::__private::Order::InOrder,
            width: ::core::option::Option::Some(16u32),
            land: ::warpfold::__private::Land::Lane(0),
            mask: 4294967295u32,
            has_init: false,
            has_apply: false,
            max_columns: ::core::option::Option::None,
        };
        const CUDA: &'static str = "the CUDA C++ of the spec";
    }
    impl ::warpfold::__private::Bind for partner {
        type Bound<'a> = (&'a [i32],);
        #[inline(always)]
        fn bind<'a>(
            __wf_arguments: &'a [::warpfold::__private::Argument<'a>],
        ) -> Self::Bound<'a> {
            (__wf_arguments[0usize].slice::<i32>(),)
        }
    }
    #[inline(always)]
    fn __wf_map(x: i32) -> i32 {
        x
    }
    impl ::warpfold::__private::ShuffleRows for partner {
        type Result = i32;
        #[inline(always)]
        fn map(__wf_bound: &Self::Bound<'_>, __wf_at: ::warpfold::__private::At) -> i32 {
            __wf_map(__wf_bound.0[__wf_at.element])
        }
    }
};
