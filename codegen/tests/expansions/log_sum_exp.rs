#[allow(
    dead_code,
    unused_variables,
    clippy::must_use_candidate,
    clippy::too_many_arguments
)]
pub fn log_sum_exp(x: f32) -> (f32, f32) {
    (x, 1.0)
}
/** Launches [`log_sum_exp`](fn@log_sum_exp): a reduction by an operator of its own.

 Stores `f32`. Data on the host runs on the CPU, data on a GPU runs there.*/
#[allow(non_camel_case_types, dead_code, clippy::all, clippy::pedantic)]
pub enum log_sum_exp {}
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
    impl log_sum_exp {
        /** Reduces each row to one result.

 - `shape`: rows, columns and strides, in elements
 - `x`: one `f32` an element, (rows - 1) × stride + columns of them or more

 Gives new arrays where the inputs live, one for each field of the result.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn rows<P: __wf::Place>(
            shape: __wf::Rows,
            x: impl __wf::Input<f32, Place = P>,
        ) -> __wf::Result<P::Array<f32>, __wf::Error> {
            __wf::rows_reduce::<Self, P>(shape, &[__wf::Input::argument(x)])
        }
        /** [`rows`](Self::rows) into arrays of the caller's.

 - `shape`: rows, columns and strides, in elements
 - `x`: one `f32` an element, (rows - 1) × stride + columns of them or more

 Writes one array for each field of the result, and allocates nothing.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn rows_into<P: __wf::Place>(
            shape: __wf::Rows,
            x: impl __wf::Input<f32, Place = P>,
            out: impl __wf::Output<f32, Place: __wf::SamePlace<P>>,
        ) -> __wf::Result<(), __wf::Error> {
            __wf::rows_reduce_into::<
                Self,
            >(shape, &[__wf::Input::argument(x)], &mut [__wf::Output::target(out)])
        }
        /** Reduces each column to one result.

 - `shape`: rows, columns and strides, in elements
 - `x`: one `f32` an element, (rows - 1) × stride + columns of them or more

 Gives new arrays where the inputs live, one for each field of the result.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn columns<P: __wf::Place>(
            shape: __wf::Rows,
            x: impl __wf::Input<f32, Place = P>,
        ) -> __wf::Result<P::Array<f32>, __wf::Error> {
            __wf::columns_reduce::<Self, P>(shape, &[__wf::Input::argument(x)])
        }
        /** [`columns`](Self::columns) into arrays of the caller's.

 - `shape`: rows, columns and strides, in elements
 - `x`: one `f32` an element, (rows - 1) × stride + columns of them or more

 Writes one array for each field of the result, and allocates nothing.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn columns_into<P: __wf::Place>(
            shape: __wf::Rows,
            x: impl __wf::Input<f32, Place = P>,
            out: impl __wf::Output<f32, Place: __wf::SamePlace<P>>,
        ) -> __wf::Result<(), __wf::Error> {
            __wf::columns_reduce_into::<
                Self,
            >(shape, &[__wf::Input::argument(x)], &mut [__wf::Output::target(out)])
        }
        /** Reduces everything to one result.

 - `x`: one `f32` an element

 Gives the value, on the host, once it is there.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn array<P: __wf::Place>(
            x: impl __wf::Input<f32, Place = P>,
        ) -> __wf::Result<f32, __wf::Error> {
            __wf::array_reduce::<Self, P>(&[__wf::Input::argument(x)])
        }
        /** [`array`](Self::array) into arrays of the caller's, of one element each.

 - `x`: one `f32` an element

 Writes one array for each field of the result, and allocates nothing.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn array_into<P: __wf::Place>(
            x: impl __wf::Input<f32, Place = P>,
            out: impl __wf::Output<f32, Place: __wf::SamePlace<P>>,
        ) -> __wf::Result<(), __wf::Error> {
            __wf::array_reduce_into::<
                Self,
            >(&[__wf::Input::argument(x)], &mut [__wf::Output::target(out)])
        }
        /** Reduces each segment to one result.

 - `offsets`: where each segment starts, and where the last one ends
 - `x`: one `f32` an element

 Gives new arrays where the inputs live, one for each field of the result.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn segments<P: __wf::Place>(
            offsets: impl __wf::Offsets<Place = P>,
            x: impl __wf::Input<f32, Place: __wf::SamePlace<P>>,
        ) -> __wf::Result<P::Array<f32>, __wf::Error> {
            __wf::segments_reduce::<
                Self,
                P,
            >(&__wf::Offsets::argument(offsets), &[__wf::Input::argument(x)])
        }
        /** [`segments`](Self::segments) into arrays of the caller's.

 - `offsets`: where each segment starts, and where the last one ends
 - `x`: one `f32` an element

 Writes one array for each field of the result, and allocates nothing.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn segments_into<P: __wf::Place>(
            offsets: impl __wf::Offsets<Place = P>,
            x: impl __wf::Input<f32, Place: __wf::SamePlace<P>>,
            out: impl __wf::Output<f32, Place: __wf::SamePlace<P>>,
        ) -> __wf::Result<(), __wf::Error> {
            __wf::segments_reduce_into::<
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
        pub fn trace(states: &[(f32, f32)]) -> __wf::Trace<(f32, f32)> {
            __wf::trace::<Self>(states)
        }
        /// The operator: the state of two runs of elements, the one met first on the left.
        #[inline]
        pub fn combine(left: (f32, f32), right: (f32, f32)) -> (f32, f32) {
            <Self as __wf::Fold>::combine(left, right)
        }
        /// The neutral state.
        #[inline]
        pub fn identity() -> (f32, f32) {
            <Self as __wf::Fold>::identity()
        }
        /// What the state becomes when it is stored.
        #[inline]
        pub fn finish(state: (f32, f32)) -> f32 {
            __wf_finish(state)
        }
    }
    impl __wf::Spec for log_sum_exp {
        const INFO: __wf::Info = __wf::Info {
            name: "log_sum_exp",
            form: __wf::Form::Reduce,
            params: &[
                __wf::Param {
                    name: "x",
                    kind: __wf::ParamKind::Plain,
                    ty: __wf::TypeInfo::of::<f32>("f32"),
                },
            ],
            results: &[__wf::TypeInfo::of::<f32>("f32")],
            state: __wf::TypeInfo {
                size: 8usize,
                align: 4usize,
                ..__wf::TypeInfo::of::<(f32, f32)>("(f32, f32)")
            },
            mapped: __wf::TypeInfo {
                size: 8usize,
                align: 4usize,
                ..__wf::TypeInfo::of::<(f32, f32)>("(f32, f32)")
            },
            fold: __wf::TileFold::Blocked,
            order: __wf::Order::InOrder,
            width: __wf::None,
            land: __wf::Land::Lane(0u32),
            mask: 4294967295u32,
            has_init: false,
            has_apply: false,
            max_columns: __wf::None,
        };
        const CUDA: &'static str = r"the CUDA C++ of the spec";
    }
    impl __wf::Bind for log_sum_exp {
        type Bound<'a> = (&'a [f32],);
        #[inline(always)]
        fn bind<'a>(__wf_arguments: &'a [__wf::Argument<'a>]) -> Self::Bound<'a> {
            (__wf_arguments[0usize].slice::<f32>(),)
        }
    }
    #[inline(always)]
    fn __wf_map(x: f32) -> (f32, f32) {
        (x, 1.0f32)
    }
    impl __wf::Fold for log_sum_exp {
        type Mapped = (f32, f32);
        type State = (f32, f32);
        type Result = f32;
        #[inline(always)]
        fn map(__wf_bound: &Self::Bound<'_>, __wf_at: __wf::At) -> (f32, f32) {
            __wf_map(__wf_bound.0[__wf_at.element])
        }
        #[inline(always)]
        fn map_block<const __WF_N: usize>(
            __wf_bound: &Self::Bound<'_>,
            __wf_at: __wf::At,
            __wf_out: &mut [(f32, f32); __WF_N],
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
        fn lift(__wf_mapped: (f32, f32), __wf_index: u64) -> (f32, f32) {
            __wf_mapped
        }
        #[inline(always)]
        fn identity() -> (f32, f32) {
            (<f32>::from_bits(0xff800000), 0.0f32)
        }
        #[inline(always)]
        fn combine(p: (f32, f32), q: (f32, f32)) -> (f32, f32) {
            let m: f32 = __wf::arith::max(p.0, q.0);
            let left: f32 = if p.0 == m { p.1 } else { p.1 * __wf::arith::exp(p.0 - m) };
            let right: f32 = if q.0 == m {
                q.1
            } else {
                q.1 * __wf::arith::exp(q.0 - m)
            };
            (m, left + right)
        }
    }
    #[inline(always)]
    fn __wf_finish(s: (f32, f32)) -> f32 {
        s.0 + s.1.ln()
    }
    impl __wf::FoldRows for log_sum_exp {
        #[inline(always)]
        fn finish(
            __wf_bound: &Self::Bound<'_>,
            __wf_state: Self::State,
            __wf_at: __wf::At,
        ) -> f32 {
            __wf_finish(__wf_state)
        }
    }
};
