#[allow(
    dead_code,
    unused_variables,
    clippy::must_use_candidate,
    clippy::too_many_arguments
)]
pub fn tally(x: i16) -> i16 {
    x
}
/** Launches [`tally`](fn@tally): an inclusive scan by `sum`.

 Stores `i16`. Data on the host runs on the CPU, data on a GPU runs there.*/
#[allow(non_camel_case_types, dead_code, clippy::all, clippy::pedantic)]
pub enum tally {}
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
    impl tally {
        /** Scans each row: rows × columns results.

 - `shape`: rows, columns and strides, in elements
 - `x`: one `i16` an element, (rows - 1) × stride + columns of them or more

 Gives new arrays where the inputs live, one for each field of the result.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn rows<P: __wf::Place>(
            shape: __wf::Rows,
            x: impl __wf::Input<i16, Place = P>,
        ) -> __wf::Result<P::Array<i16>, __wf::Error> {
            __wf::rows_scan::<Self, P>(shape, &[__wf::Input::argument(x)])
        }
        /** [`rows`](Self::rows) into arrays of the caller's.

 - `shape`: rows, columns and strides, in elements
 - `x`: one `i16` an element, (rows - 1) × stride + columns of them or more

 Writes one array for each field of the result, and allocates nothing.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn rows_into<P: __wf::Place>(
            shape: __wf::Rows,
            x: impl __wf::Input<i16, Place = P>,
            out: impl __wf::Output<i16, Place: __wf::SamePlace<P>>,
        ) -> __wf::Result<(), __wf::Error> {
            __wf::rows_scan_into::<
                Self,
            >(shape, &[__wf::Input::argument(x)], &mut [__wf::Output::target(out)])
        }
        /** [`rows`](Self::rows) in place.

 - `shape`: rows, columns and strides, in elements
 - `x`: one `i16` an element, (rows - 1) × stride + columns of them or more

 The results take the place of the elements, at their stride.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn rows_in_place<P: __wf::Place>(
            shape: __wf::Rows,
            x: impl __wf::Output<i16, Place = P>,
        ) -> __wf::Result<(), __wf::Error> {
            __wf::rows_scan_in_place::<
                Self,
            >(shape, &[__wf::Argument::InPlace], __wf::Output::target(x))
        }
        /** Scans each column: rows × columns results.

 - `shape`: rows, columns and strides, in elements
 - `x`: one `i16` an element, (rows - 1) × stride + columns of them or more

 Gives new arrays where the inputs live, one for each field of the result.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn columns<P: __wf::Place>(
            shape: __wf::Rows,
            x: impl __wf::Input<i16, Place = P>,
        ) -> __wf::Result<P::Array<i16>, __wf::Error> {
            __wf::columns_scan::<Self, P>(shape, &[__wf::Input::argument(x)])
        }
        /** [`columns`](Self::columns) into arrays of the caller's.

 - `shape`: rows, columns and strides, in elements
 - `x`: one `i16` an element, (rows - 1) × stride + columns of them or more

 Writes one array for each field of the result, and allocates nothing.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn columns_into<P: __wf::Place>(
            shape: __wf::Rows,
            x: impl __wf::Input<i16, Place = P>,
            out: impl __wf::Output<i16, Place: __wf::SamePlace<P>>,
        ) -> __wf::Result<(), __wf::Error> {
            __wf::columns_scan_into::<
                Self,
            >(shape, &[__wf::Input::argument(x)], &mut [__wf::Output::target(out)])
        }
        /** Scans everything: one result an element.

 - `x`: one `i16` an element

 Gives new arrays where the inputs live, one for each field of the result.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn array<P: __wf::Place>(
            x: impl __wf::Input<i16, Place = P>,
        ) -> __wf::Result<P::Array<i16>, __wf::Error> {
            __wf::array_scan::<Self, P>(&[__wf::Input::argument(x)])
        }
        /** [`array`](Self::array) into arrays of the caller's.

 - `x`: one `i16` an element

 Writes one array for each field of the result, and allocates nothing.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn array_into<P: __wf::Place>(
            x: impl __wf::Input<i16, Place = P>,
            out: impl __wf::Output<i16, Place: __wf::SamePlace<P>>,
        ) -> __wf::Result<(), __wf::Error> {
            __wf::array_scan_into::<
                Self,
            >(&[__wf::Input::argument(x)], &mut [__wf::Output::target(out)])
        }
        /** [`array`](Self::array) in place.

 - `x`: one `i16` an element

 The results take the place of the elements.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn array_in_place<P: __wf::Place>(
            x: impl __wf::Output<i16, Place = P>,
        ) -> __wf::Result<(), __wf::Error> {
            __wf::array_scan_in_place::<
                Self,
            >(&[__wf::Argument::InPlace], __wf::Output::target(x))
        }
        /** Scans each segment: one result an element.

 - `offsets`: where each segment starts, and where the last one ends
 - `x`: one `i16` an element

 Gives new arrays where the inputs live, one for each field of the result.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn segments<P: __wf::Place>(
            offsets: impl __wf::Offsets<Place = P>,
            x: impl __wf::Input<i16, Place: __wf::SamePlace<P>>,
        ) -> __wf::Result<P::Array<i16>, __wf::Error> {
            __wf::segments_scan::<
                Self,
                P,
            >(&__wf::Offsets::argument(offsets), &[__wf::Input::argument(x)])
        }
        /** [`segments`](Self::segments) into arrays of the caller's.

 - `offsets`: where each segment starts, and where the last one ends
 - `x`: one `i16` an element

 Writes one array for each field of the result, and allocates nothing.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn segments_into<P: __wf::Place>(
            offsets: impl __wf::Offsets<Place = P>,
            x: impl __wf::Input<i16, Place: __wf::SamePlace<P>>,
            out: impl __wf::Output<i16, Place: __wf::SamePlace<P>>,
        ) -> __wf::Result<(), __wf::Error> {
            __wf::segments_scan_into::<
                Self,
            >(
                &__wf::Offsets::argument(offsets),
                &[__wf::Input::argument(x)],
                &mut [__wf::Output::target(out)],
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
        /** What each lane of one group holds after each step, from up to `width` states; lanes without one hold the
 identity, a value that nobody may use is `None`, and states past the width are left out, as they stand
 in other groups.*/
        #[inline]
        pub fn trace(states: &[i16]) -> __wf::Trace<i16> {
            __wf::trace::<Self>(states)
        }
        /// The operator: the state of two runs of elements, the one met first on the left.
        #[inline]
        pub fn combine(left: i16, right: i16) -> i16 {
            <Self as __wf::Fold>::combine(left, right)
        }
        /// The neutral state.
        #[inline]
        pub fn identity() -> i16 {
            <Self as __wf::Fold>::identity()
        }
        /// What the state becomes when it is stored.
        #[inline]
        pub fn finish(state: i16) -> i16 {
            state
        }
    }
    impl __wf::Spec for tally {
        const INFO: __wf::Info = __wf::Info {
            name: "tally",
            form: __wf::Form::Scan {
                exclusive: false,
                reverse: false,
            },
            params: &[
                __wf::Param {
                    name: "x",
                    kind: __wf::ParamKind::Plain,
                    ty: __wf::TypeInfo::of::<i16>("i16"),
                },
            ],
            results: &[__wf::TypeInfo::of::<i16>("i16")],
            state: __wf::TypeInfo::of::<i16>("i16"),
            mapped: __wf::TypeInfo::of::<i16>("i16"),
            fold: __wf::TileFold::Striped,
            order: __wf::Order::Symmetric,
            width: __wf::None,
            land: __wf::Land::Lane(0),
            mask: 4294967295u32,
            has_init: false,
            has_apply: false,
            max_columns: __wf::None,
        };
        const CUDA: &'static str = r"the CUDA C++ of the spec";
    }
    impl __wf::Bind for tally {
        type Bound<'a> = (&'a [i16],);
        #[inline(always)]
        fn bind<'a>(__wf_arguments: &'a [__wf::Argument<'a>]) -> Self::Bound<'a> {
            (__wf_arguments[0usize].slice::<i16>(),)
        }
    }
    #[inline(always)]
    fn __wf_map(x: i16) -> i16 {
        x
    }
    impl __wf::Fold for tally {
        type Mapped = i16;
        type State = i16;
        type Result = i16;
        #[inline(always)]
        fn map(__wf_bound: &Self::Bound<'_>, __wf_at: __wf::At) -> i16 {
            __wf_map(__wf_bound.0[__wf_at.element])
        }
        #[inline(always)]
        fn map_block<const __WF_N: usize>(
            __wf_bound: &Self::Bound<'_>,
            __wf_at: __wf::At,
            __wf_out: &mut [i16; __WF_N],
        ) {
            let __wf_p0 = __wf::arith::window::<
                _,
                __WF_N,
            >(__wf_bound.0, __wf_at.element);
            let mut __wf_i = 0_usize;
            while __wf_i < __WF_N {
                __wf_out[__wf_i] = __wf_map(__wf_p0[__wf_i]);
                __wf_i += 1;
            }
        }
        #[inline(always)]
        fn lift(__wf_mapped: i16, __wf_index: u64) -> i16 {
            <__wf::ops::Sum as __wf::ops::Operator<i16>>::lift(__wf_mapped, __wf_index)
        }
        #[inline(always)]
        fn identity() -> i16 {
            0i16
        }
        #[inline(always)]
        fn combine(__wf_left: i16, __wf_right: i16) -> i16 {
            <__wf::ops::Sum as __wf::ops::Operator<i16>>::combine(__wf_left, __wf_right)
        }
    }
    impl __wf::ScanRows for tally {
        #[inline(always)]
        fn finish(
            __wf_bound: &Self::Bound<'_>,
            __wf_state: Self::State,
            __wf_at: __wf::At,
        ) -> i16 {
            __wf_state
        }
    }
};
