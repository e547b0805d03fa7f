#[allow(
    dead_code,
    unused_variables,
    clippy::must_use_candidate,
    clippy::too_many_arguments
)]
pub fn rotated(x: f64) -> (f64, bool) {
    (x, x > 1.0)
}
/** Launches [`rotated`](fn@rotated): a shuffle.

 Stores `f64`, `bool`. Data on the host runs on the CPU, data on a GPU runs there.*/
#[allow(non_camel_case_types, dead_code, clippy::all, clippy::pedantic)]
pub enum rotated {}
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
    impl rotated {
        /** Moves each row's values between the lanes of its groups.

 - `shape`: rows, columns and strides, in elements
 - `x`: one `f64` an element, (rows - 1) × stride + columns of them or more

 Gives new arrays where the inputs live, one for each field of the result.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn rows<P: __wf::Place>(
            shape: __wf::Rows,
            x: impl __wf::Input<f64, Place = P>,
        ) -> __wf::Result<(P::Array<f64>, P::Array<bool>), __wf::Error> {
            __wf::rows_shuffle::<Self, P>(shape, &[__wf::Input::argument(x)])
        }
        /** [`rows`](Self::rows) into arrays of the caller's.

 - `shape`: rows, columns and strides, in elements
 - `x`: one `f64` an element, (rows - 1) × stride + columns of them or more

 Writes one array for each field of the result, and allocates nothing.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn rows_into<P: __wf::Place>(
            shape: __wf::Rows,
            x: impl __wf::Input<f64, Place = P>,
            out_0: impl __wf::Output<f64, Place: __wf::SamePlace<P>>,
            out_1: impl __wf::Output<bool, Place: __wf::SamePlace<P>>,
        ) -> __wf::Result<(), __wf::Error> {
            __wf::rows_shuffle_into::<
                Self,
            >(
                shape,
                &[__wf::Input::argument(x)],
                &mut [__wf::Output::target(out_0), __wf::Output::target(out_1)],
            )
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
    impl rotated {
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
    impl __wf::Spec for rotated {
        const INFO: __wf::Info = __wf::Info {
            name: "rotated",
            form: __wf::Form::Shuffle(__wf::Exchange::Rotate(5u32)),
            params: &[
                __wf::Param {
                    name: "x",
                    kind: __wf::ParamKind::Plain,
                    ty: __wf::TypeInfo::of::<f64>("f64"),
                },
            ],
            results: &[
                __wf::TypeInfo::of::<f64>("f64"),
                __wf::TypeInfo::of::<bool>("bool"),
            ],
            state: __wf::TypeInfo {
                size: 16usize,
                align: 8usize,
                ..__wf::TypeInfo::of::<(f64, bool)>("(f64, bool)")
            },
            mapped: __wf::TypeInfo {
                size: 16usize,
                align: 8usize,
                ..__wf::TypeInfo::of::<(f64, bool)>("(f64, bool)")
            },
            fold: __wf::TileFold::Blocked,
            order: __wf::Order::InOrder,
            width: __wf::Some(8u32),
            land: __wf::Land::Lane(0),
            mask: 4294967295u32,
            has_init: false,
            has_apply: false,
            max_columns: __wf::None,
        };
        const CUDA: &'static str = r"the CUDA C++ of the spec";
    }
    impl __wf::Bind for rotated {
        type Bound<'a> = (&'a [f64],);
        #[inline(always)]
        fn bind<'a>(__wf_arguments: &'a [__wf::Argument<'a>]) -> Self::Bound<'a> {
            (__wf_arguments[0usize].slice::<f64>(),)
        }
    }
    #[inline(always)]
    fn __wf_map(x: f64) -> (f64, bool) {
        (x, x > 1.0f64)
    }
    impl __wf::ShuffleRows for rotated {
        type Result = (f64, bool);
        #[inline(always)]
        fn map(__wf_bound: &Self::Bound<'_>, __wf_at: __wf::At) -> (f64, bool) {
            __wf_map(__wf_bound.0[__wf_at.element])
        }
    }
};
