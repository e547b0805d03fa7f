#[allow(
    dead_code,
    unused_variables,
    clippy::must_use_candidate,
    clippy::too_many_arguments
)]
pub fn positive(x: f32) -> bool {
    x > 0.0
}
/** Launches [`positive`](fn@positive): a filter.

 Stores `f32`. Data on the host runs on the CPU, data on a GPU runs there.*/
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
    use ::warpfold::__private as __wf;
    impl positive {
        /** Each row's kept elements at its start, the rest zero, and how many each row keeps.

 - `shape`: rows, columns and strides, in elements
 - `x`: one `f32` an element, (rows - 1) × stride + columns of them or more

 Gives new arrays where the inputs live, one for each field of the result, and the counts.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn rows<P: __wf::Place>(
            shape: __wf::Rows,
            x: impl __wf::Input<f32, Place = P>,
        ) -> __wf::Result<(P::Array<f32>, P::Array<u64>), __wf::Error> {
            __wf::rows_filter::<Self, P>(shape, &[__wf::Input::argument(x)])
        }
        /** [`rows`](Self::rows) into arrays of the caller's.

 - `shape`: rows, columns and strides, in elements
 - `x`: one `f32` an element, (rows - 1) × stride + columns of them or more

 Writes one array for each field of the result, then the counts, and allocates nothing.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn rows_into<P: __wf::Place>(
            shape: __wf::Rows,
            x: impl __wf::Input<f32, Place = P>,
            out: impl __wf::Output<f32, Place: __wf::SamePlace<P>>,
            counts: impl __wf::Output<u64, Place: __wf::SamePlace<P>>,
        ) -> __wf::Result<(), __wf::Error> {
            __wf::rows_filter_into::<
                Self,
            >(
                shape,
                &[__wf::Input::argument(x)],
                &mut [__wf::Output::target(out)],
                __wf::Output::target(counts),
            )
        }
        /** The kept elements, in their order.

 - `x`: one `f32` an element

 Gives new arrays where the inputs live, one for each field of the result.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn array<P: __wf::Place>(
            x: impl __wf::Input<f32, Place = P>,
        ) -> __wf::Result<P::Array<f32>, __wf::Error> {
            __wf::array_filter::<Self, P>(&[__wf::Input::argument(x)])
        }
        /** [`array`](Self::array) into arrays of the caller's, with room for every element; `counts` gets their number.

 - `x`: one `f32` an element

 Writes one array for each field of the result, then the counts, and allocates nothing.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn array_into<P: __wf::Place>(
            x: impl __wf::Input<f32, Place = P>,
            out: impl __wf::Output<f32, Place: __wf::SamePlace<P>>,
            counts: impl __wf::Output<u64, Place: __wf::SamePlace<P>>,
        ) -> __wf::Result<(), __wf::Error> {
            __wf::array_filter_into::<
                Self,
            >(
                &[__wf::Input::argument(x)],
                &mut [__wf::Output::target(out)],
                __wf::Output::target(counts),
            )
        }
        /** Where the kept elements stand, in their order.

 - `x`: one `f32` an element

 Gives a new array of positions where the inputs live.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn indices<P: __wf::Place>(
            x: impl __wf::Input<f32, Place = P>,
        ) -> __wf::Result<P::Array<u64>, __wf::Error> {
            __wf::array_indices::<Self, P>(&[__wf::Input::argument(x)])
        }
        /** [`indices`](Self::indices) into an array of the caller's, with room for every element; `counts` gets their number.

 - `x`: one `f32` an element

 Writes the positions, then their number, and allocates nothing.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn indices_into<P: __wf::Place>(
            x: impl __wf::Input<f32, Place = P>,
            out: impl __wf::Output<u64, Place: __wf::SamePlace<P>>,
            counts: impl __wf::Output<u64, Place: __wf::SamePlace<P>>,
        ) -> __wf::Result<(), __wf::Error> {
            __wf::array_indices_into::<
                Self,
            >(
                &[__wf::Input::argument(x)],
                __wf::Output::target(out),
                __wf::Output::target(counts),
            )
        }
        /** What each segment keeps, one behind the other, and the offsets of what they keep.

 - `offsets`: where each segment starts, and where the last one ends
 - `x`: one `f32` an element

 Gives new arrays where the inputs live, one for each field of the result, and the new offsets.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn segments<P: __wf::Place, O: __wf::Offsets<Place = P>>(
            offsets: O,
            x: impl __wf::Input<f32, Place: __wf::SamePlace<P>>,
        ) -> __wf::Result<
            (P::Array<f32>, P::Array<<O as __wf::Offsets>::Offset>),
            __wf::Error,
        > {
            __wf::segments_filter::<
                Self,
                P,
                <O as __wf::Offsets>::Offset,
            >(&__wf::Offsets::argument(offsets), &[__wf::Input::argument(x)])
        }
        /** [`segments`](Self::segments) into arrays of the caller's, with room for every element; `kept_offsets` gets as many offsets as were given.

 - `offsets`: where each segment starts, and where the last one ends
 - `x`: one `f32` an element

 Writes one array for each field of the result, then the new offsets.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn segments_into<P: __wf::Place, O: __wf::Offsets<Place = P>>(
            offsets: O,
            x: impl __wf::Input<f32, Place: __wf::SamePlace<P>>,
            out: impl __wf::Output<f32, Place: __wf::SamePlace<P>>,
            kept_offsets: impl __wf::Output<
                <O as __wf::Offsets>::Offset,
                Place: __wf::SamePlace<P>,
            >,
        ) -> __wf::Result<(), __wf::Error> {
            __wf::segments_filter_into::<
                Self,
                <O as __wf::Offsets>::Offset,
            >(
                &__wf::Offsets::argument(offsets),
                &[__wf::Input::argument(x)],
                &mut [__wf::Output::target(out)],
                __wf::Output::target(kept_offsets),
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
    impl positive {
        #[cfg(not(rust_analyzer))]
        #[doc(hidden)]
        pub fn columns<__Wf>(
            _: impl __wf::ColumnsOfFilter<Self>,
            _: impl __wf::Sized,
        ) -> __wf::Result<__Wf, __wf::Error> {
            loop {}
        }
    }
    impl __wf::Spec for positive {
        const INFO: __wf::Info = __wf::Info {
            name: "positive",
            form: __wf::Form::Filter,
            params: &[
                __wf::Param {
                    name: "x",
                    kind: __wf::ParamKind::Plain,
                    ty: __wf::TypeInfo::of::<f32>("f32"),
                },
            ],
            results: &[__wf::TypeInfo::of::<f32>("f32")],
            state: __wf::TypeInfo::of::<bool>("bool"),
            mapped: __wf::TypeInfo::of::<bool>("bool"),
            fold: __wf::TileFold::Blocked,
            order: __wf::Order::InOrder,
            width: __wf::None,
            land: __wf::Land::Lane(0),
            mask: 4294967295u32,
            has_init: false,
            has_apply: false,
            max_columns: __wf::None,
        };
        const CUDA: &'static str = r"the CUDA C++ of the spec";
    }
    impl __wf::Bind for positive {
        type Bound<'a> = (&'a [f32],);
        #[inline(always)]
        fn bind<'a>(__wf_arguments: &'a [__wf::Argument<'a>]) -> Self::Bound<'a> {
            (__wf_arguments[0usize].slice::<f32>(),)
        }
    }
    #[inline(always)]
    fn __wf_map(x: f32) -> bool {
        x > 0.0f32
    }
    impl __wf::FilterRows for positive {
        type Result = f32;
        #[inline(always)]
        fn keeps(__wf_bound: &Self::Bound<'_>, __wf_at: __wf::At) -> bool {
            __wf_map(__wf_bound.0[__wf_at.element])
        }
        #[inline(always)]
        fn kept(__wf_bound: &Self::Bound<'_>, __wf_at: __wf::At) -> f32 {
            __wf_bound.0[__wf_at.element]
        }
    }
};
