#[allow(
    dead_code,
    unused_variables,
    clippy::must_use_candidate,
    clippy::too_many_arguments
)]
pub fn language(float: i32, threadIdx: u8, int: i64) -> i32 {
    let mut total = float;
    let (a, b) = (threadIdx as i32, int as i32);
    for i in 0..4 {
        total += a << i;
        if total > 100 {
            total -= b;
        } else if total < -100
            || {
                let t = total * 2;
                t == 6
            }
        {
            total = total % 7;
        }
    }
    let unused = !total;
    (total ^ a) | b
}
/** Launches [`language`](fn@language): a reduction by an operator of its own.

 Stores `i32`. Data on the host runs on the CPU, data on a GPU runs there.*/
#[allow(non_camel_case_types, dead_code, clippy::all, clippy::pedantic)]
pub enum language {}
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
    impl language {
        /** Reduces each row to one result.

 - `shape`: rows, columns and strides, in elements
 - `float`: one `i32` an element, (rows - 1) × stride + columns of them or more
 - `threadIdx`: one `u8` an element, (rows - 1) × stride + columns of them or more
 - `int`: one `i64` for the launch

 Gives new arrays where the inputs live, one for each field of the result.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn rows<P: __wf::Place>(
            shape: __wf::Rows,
            float: impl __wf::Input<i32, Place = P>,
            threadIdx: impl __wf::Input<u8, Place: __wf::SamePlace<P>>,
            int: i64,
        ) -> __wf::Result<P::Array<i32>, __wf::Error> {
            __wf::rows_reduce::<
                Self,
                P,
            >(
                shape,
                &[
                    __wf::Input::argument(float),
                    __wf::Input::argument(threadIdx),
                    __wf::Argument::uniform(&int),
                ],
            )
        }
        /** [`rows`](Self::rows) into arrays of the caller's.

 - `shape`: rows, columns and strides, in elements
 - `float`: one `i32` an element, (rows - 1) × stride + columns of them or more
 - `threadIdx`: one `u8` an element, (rows - 1) × stride + columns of them or more
 - `int`: one `i64` for the launch

 Writes one array for each field of the result, and allocates nothing.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn rows_into<P: __wf::Place>(
            shape: __wf::Rows,
            float: impl __wf::Input<i32, Place = P>,
            threadIdx: impl __wf::Input<u8, Place: __wf::SamePlace<P>>,
            int: i64,
            out: impl __wf::Output<i32, Place: __wf::SamePlace<P>>,
        ) -> __wf::Result<(), __wf::Error> {
            __wf::rows_reduce_into::<
                Self,
            >(
                shape,
                &[
                    __wf::Input::argument(float),
                    __wf::Input::argument(threadIdx),
                    __wf::Argument::uniform(&int),
                ],
                &mut [__wf::Output::target(out)],
            )
        }
        /** Reduces each column to one result.

 - `shape`: rows, columns and strides, in elements
 - `float`: one `i32` an element, (rows - 1) × stride + columns of them or more
 - `threadIdx`: one `u8` an element, (rows - 1) × stride + columns of them or more
 - `int`: one `i64` for the launch

 Gives new arrays where the inputs live, one for each field of the result.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn columns<P: __wf::Place>(
            shape: __wf::Rows,
            float: impl __wf::Input<i32, Place = P>,
            threadIdx: impl __wf::Input<u8, Place: __wf::SamePlace<P>>,
            int: i64,
        ) -> __wf::Result<P::Array<i32>, __wf::Error> {
            __wf::columns_reduce::<
                Self,
                P,
            >(
                shape,
                &[
                    __wf::Input::argument(float),
                    __wf::Input::argument(threadIdx),
                    __wf::Argument::uniform(&int),
                ],
            )
        }
        /** [`columns`](Self::columns) into arrays of the caller's.

 - `shape`: rows, columns and strides, in elements
 - `float`: one `i32` an element, (rows - 1) × stride + columns of them or more
 - `threadIdx`: one `u8` an element, (rows - 1) × stride + columns of them or more
 - `int`: one `i64` for the launch

 Writes one array for each field of the result, and allocates nothing.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn columns_into<P: __wf::Place>(
            shape: __wf::Rows,
            float: impl __wf::Input<i32, Place = P>,
            threadIdx: impl __wf::Input<u8, Place: __wf::SamePlace<P>>,
            int: i64,
            out: impl __wf::Output<i32, Place: __wf::SamePlace<P>>,
        ) -> __wf::Result<(), __wf::Error> {
            __wf::columns_reduce_into::<
                Self,
            >(
                shape,
                &[
                    __wf::Input::argument(float),
                    __wf::Input::argument(threadIdx),
                    __wf::Argument::uniform(&int),
                ],
                &mut [__wf::Output::target(out)],
            )
        }
        /** Reduces everything to one result.

 - `float`: one `i32` an element
 - `threadIdx`: one `u8` an element
 - `int`: one `i64` for the launch

 Gives the value, on the host, once it is there.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn array<P: __wf::Place>(
            float: impl __wf::Input<i32, Place = P>,
            threadIdx: impl __wf::Input<u8, Place: __wf::SamePlace<P>>,
            int: i64,
        ) -> __wf::Result<i32, __wf::Error> {
            __wf::array_reduce::<
                Self,
                P,
            >(
                &[
                    __wf::Input::argument(float),
                    __wf::Input::argument(threadIdx),
                    __wf::Argument::uniform(&int),
                ],
            )
        }
        /** [`array`](Self::array) into arrays of the caller's, of one element each.

 - `float`: one `i32` an element
 - `threadIdx`: one `u8` an element
 - `int`: one `i64` for the launch

 Writes one array for each field of the result, and allocates nothing.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn array_into<P: __wf::Place>(
            float: impl __wf::Input<i32, Place = P>,
            threadIdx: impl __wf::Input<u8, Place: __wf::SamePlace<P>>,
            int: i64,
            out: impl __wf::Output<i32, Place: __wf::SamePlace<P>>,
        ) -> __wf::Result<(), __wf::Error> {
            __wf::array_reduce_into::<
                Self,
            >(
                &[
                    __wf::Input::argument(float),
                    __wf::Input::argument(threadIdx),
                    __wf::Argument::uniform(&int),
                ],
                &mut [__wf::Output::target(out)],
            )
        }
        /** Reduces each segment to one result.

 - `offsets`: where each segment starts, and where the last one ends
 - `float`: one `i32` an element
 - `threadIdx`: one `u8` an element
 - `int`: one `i64` for the launch

 Gives new arrays where the inputs live, one for each field of the result.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn segments<P: __wf::Place>(
            offsets: impl __wf::Offsets<Place = P>,
            float: impl __wf::Input<i32, Place: __wf::SamePlace<P>>,
            threadIdx: impl __wf::Input<u8, Place: __wf::SamePlace<P>>,
            int: i64,
        ) -> __wf::Result<P::Array<i32>, __wf::Error> {
            __wf::segments_reduce::<
                Self,
                P,
            >(
                &__wf::Offsets::argument(offsets),
                &[
                    __wf::Input::argument(float),
                    __wf::Input::argument(threadIdx),
                    __wf::Argument::uniform(&int),
                ],
            )
        }
        /** [`segments`](Self::segments) into arrays of the caller's.

 - `offsets`: where each segment starts, and where the last one ends
 - `float`: one `i32` an element
 - `threadIdx`: one `u8` an element
 - `int`: one `i64` for the launch

 Writes one array for each field of the result, and allocates nothing.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn segments_into<P: __wf::Place>(
            offsets: impl __wf::Offsets<Place = P>,
            float: impl __wf::Input<i32, Place: __wf::SamePlace<P>>,
            threadIdx: impl __wf::Input<u8, Place: __wf::SamePlace<P>>,
            int: i64,
            out: impl __wf::Output<i32, Place: __wf::SamePlace<P>>,
        ) -> __wf::Result<(), __wf::Error> {
            __wf::segments_reduce_into::<
                Self,
            >(
                &__wf::Offsets::argument(offsets),
                &[
                    __wf::Input::argument(float),
                    __wf::Input::argument(threadIdx),
                    __wf::Argument::uniform(&int),
                ],
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
        pub fn trace(states: &[i32]) -> __wf::Trace<i32> {
            __wf::trace::<Self>(states)
        }
        /// The operator: the state of two runs of elements, the one met first on the left.
        #[inline]
        pub fn combine(left: i32, right: i32) -> i32 {
            <Self as __wf::Fold>::combine(left, right)
        }
        /// The neutral state.
        #[inline]
        pub fn identity() -> i32 {
            <Self as __wf::Fold>::identity()
        }
        /// What the state becomes when it is stored.
        #[inline]
        pub fn finish(state: i32) -> i32 {
            state
        }
    }
    impl __wf::Spec for language {
        const INFO: __wf::Info = __wf::Info {
            name: "language",
            form: __wf::Form::Reduce,
            params: &[
                __wf::Param {
                    name: "float",
                    kind: __wf::ParamKind::Plain,
                    ty: __wf::TypeInfo::of::<i32>("i32"),
                },
                __wf::Param {
                    name: "threadIdx",
                    kind: __wf::ParamKind::Plain,
                    ty: __wf::TypeInfo::of::<u8>("u8"),
                },
                __wf::Param {
                    name: "int",
                    kind: __wf::ParamKind::Uniform,
                    ty: __wf::TypeInfo::of::<i64>("i64"),
                },
            ],
            results: &[__wf::TypeInfo::of::<i32>("i32")],
            state: __wf::TypeInfo::of::<i32>("i32"),
            mapped: __wf::TypeInfo::of::<i32>("i32"),
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
    impl __wf::Bind for language {
        type Bound<'a> = (&'a [i32], &'a [u8], i64);
        #[inline(always)]
        fn bind<'a>(__wf_arguments: &'a [__wf::Argument<'a>]) -> Self::Bound<'a> {
            (
                __wf_arguments[0usize].slice::<i32>(),
                __wf_arguments[1usize].slice::<u8>(),
                __wf_arguments[2usize].value::<i64>(),
            )
        }
    }
    #[inline(always)]
    fn __wf_map(float: i32, threadIdx: u8, int: i64) -> i32 {
        let mut total: i32 = float;
        let (a, b): (i32, i32) = (threadIdx as i32, int as i32);
        for i in 0i32..4i32 {
            total = total.wrapping_add(a.wrapping_shl(i as u32));
            if total > 100i32 {
                total = total.wrapping_sub(b);
            } else if (total < (-100i32))
                || ({
                    let t: i32 = total.wrapping_mul(2i32);
                    t == 6i32
                })
            {
                total = __wf::arith::rem(total, 7i32);
            }
        }
        let unused: i32 = !total;
        (total ^ a) | b
    }
    impl __wf::Fold for language {
        type Mapped = i32;
        type State = i32;
        type Result = i32;
        #[inline(always)]
        fn map(__wf_bound: &Self::Bound<'_>, __wf_at: __wf::At) -> i32 {
            __wf_map(
                __wf_bound.0[__wf_at.element],
                __wf_bound.1[__wf_at.element],
                __wf_bound.2,
            )
        }
        #[inline(always)]
        fn map_block<const __WF_N: usize>(
            __wf_bound: &Self::Bound<'_>,
            __wf_at: __wf::At,
            __wf_out: &mut [i32; __WF_N],
        ) {
            let __wf_p0 = __wf::arith::window::<
                _,
                __WF_N,
            >(__wf_bound.0, __wf_at.element);
            let __wf_p1 = __wf::arith::window::<
                _,
                __WF_N,
            >(__wf_bound.1, __wf_at.element);
            let __wf_p2 = __wf_bound.2;
            let mut __wf_i = 0_usize;
            while __wf_i < __WF_N {
                __wf_out[__wf_i] = __wf_map(__wf_p0[__wf_i], __wf_p1[__wf_i], __wf_p2);
                __wf_i += 1;
            }
        }
        #[inline(always)]
        fn lift(__wf_mapped: i32, __wf_index: u64) -> i32 {
            __wf_mapped
        }
        #[inline(always)]
        fn identity() -> i32 {
            0i32
        }
        #[inline(always)]
        fn combine(p: i32, q: i32) -> i32 {
            p.wrapping_mul(3i32).wrapping_add(q.wrapping_mul(0i32)).wrapping_add(p)
        }
    }
    impl __wf::FoldRows for language {
        #[inline(always)]
        fn finish(
            __wf_bound: &Self::Bound<'_>,
            __wf_state: Self::State,
            __wf_at: __wf::At,
        ) -> i32 {
            __wf_state
        }
    }
};
