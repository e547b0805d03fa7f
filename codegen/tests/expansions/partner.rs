#[allow(
    dead_code,
    unused_variables,
    clippy::must_use_candidate,
    clippy::too_many_arguments
)]
pub fn partner(x: i32) -> i32 {
    x
}
/** Launches [`partner`](fn@partner): a shuffle.

 Stores `i32`. Data on the host runs on the CPU, data on a GPU runs there.*/
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
    use ::warpfold::__private as __wf;
    impl partner {
        /** Moves each row's values between the lanes of its groups.

 - `shape`: rows, columns and strides, in elements
 - `x`: one `i32` an element, (rows - 1) × stride + columns of them or more

 Gives new arrays where the inputs live, one for each field of the result.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn rows<P: __wf::Place>(
            shape: __wf::Rows,
            x: impl __wf::Input<i32, Place = P>,
        ) -> __wf::Result<P::Array<i32>, __wf::Error> {
            __wf::rows_shuffle::<Self, P>(shape, &[__wf::Input::argument(x)])
        }
        /** [`rows`](Self::rows) into arrays of the caller's.

 - `shape`: rows, columns and strides, in elements
 - `x`: one `i32` an element, (rows - 1) × stride + columns of them or more

 Writes one array for each field of the result, and allocates nothing.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn rows_into<P: __wf::Place>(
            shape: __wf::Rows,
            x: impl __wf::Input<i32, Place = P>,
            out: impl __wf::Output<i32, Place: __wf::SamePlace<P>>,
        ) -> __wf::Result<(), __wf::Error> {
            __wf::rows_shuffle_into::<
                Self,
            >(shape, &[__wf::Input::argument(x)], &mut [__wf::Output::target(out)])
        }
        /** The CUDA C++ of the spec: complete, without any `#include`. It compiles by itself in front of a kernel
 of one's own.*/
        #[inline]
        pub fn cuda() -> __wf::String {
            __wf::cuda::<Self>()
        }
        /// The proved plan of the spec's warp: its steps, and who reads whom at each.
        #[inline]
        pub fn plan() -> __wf::Proved {
            __wf::plan::<Self>()
        }
        /** Compiles the kernels that calls with this shape run on a GPU, so that the first call finds them and a CUDA
 graph can capture it. Of calls over whole arrays the shape is one row.

 # Errors

 A shape that overflows, what NVRTC says of a kernel, what the driver says.*/
        #[inline]
        pub fn prepare(
            context: &__wf::Arc<__wf::CudaContext>,
            shape: __wf::Rows,
        ) -> __wf::Result<(), __wf::Error> {
            __wf::prepare::<Self>(context, shape)
        }
        /** The driver's word on the kernel for this shape: registers, shared and local memory, blocks a
 multiprocessor.

 # Errors

 A shape that overflows, what NVRTC says of the kernel, what the driver says.*/
        #[inline]
        pub fn cost(
            context: &__wf::Arc<__wf::CudaContext>,
            shape: __wf::Rows,
        ) -> __wf::Result<__wf::Cost, __wf::Error> {
            __wf::cost::<Self>(context, shape)
        }
    }
    #[allow(unexpected_cfgs)]
    impl partner {
        #[cfg(not(rust_analyzer))]
        #[doc(hidden)]
        pub fn columns<__Wf>(
            _: impl __wf::ColumnsOfShuffle<Self>,
            _: impl __wf::Sized,
        ) -> __wf::Result<__Wf, __wf::Error> {
            loop {}
        }
        #[cfg(not(rust_analyzer))]
        #[doc(hidden)]
        pub fn segments<__Wf>(
            _: impl __wf::SegmentsOfShuffle<Self>,
            _: impl __wf::Sized,
        ) -> __wf::Result<__Wf, __wf::Error> {
            loop {}
        }
        #[cfg(not(rust_analyzer))]
        #[doc(hidden)]
        pub fn array<__Wf>(
            _: impl __wf::ArrayOfShuffle<Self>,
        ) -> __wf::Result<__Wf, __wf::Error> {
            loop {}
        }
    }
    impl __wf::Spec for partner {
        const INFO: __wf::Info = __wf::Info {
            name: "partner",
            form: __wf::Form::Shuffle(__wf::Exchange::Down(3u32)),
            params: &[
                __wf::Param {
                    name: "x",
                    kind: __wf::ParamKind::Plain,
                    ty: __wf::TypeInfo::of::<i32>("i32"),
                },
            ],
            results: &[__wf::TypeInfo::of::<i32>("i32")],
            state: __wf::TypeInfo::of::<i32>("i32"),
            mapped: __wf::TypeInfo::of::<i32>("i32"),
            fold: __wf::TileFold::Blocked,
            order: __wf::Order::InOrder,
            width: __wf::Some(16u32),
            land: __wf::Land::Lane(0),
            mask: 4294967295u32,
            has_init: false,
            has_apply: false,
            max_columns: __wf::None,
        };
        const CUDA: &'static str = r"the CUDA C++ of the spec";
    }
    impl __wf::Bind for partner {
        type Bound<'a> = (&'a [i32],);
        #[inline(always)]
        fn bind<'a>(__wf_arguments: &'a [__wf::Argument<'a>]) -> Self::Bound<'a> {
            (__wf_arguments[0usize].slice::<i32>(),)
        }
    }
    #[inline(always)]
    fn __wf_map(x: i32) -> i32 {
        x
    }
    impl __wf::ShuffleRows for partner {
        type Result = i32;
        #[inline(always)]
        fn map(__wf_bound: &Self::Bound<'_>, __wf_at: __wf::At) -> i32 {
            __wf_map(__wf_bound.0[__wf_at.element])
        }
    }
};
