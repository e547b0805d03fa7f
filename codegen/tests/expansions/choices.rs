#[allow(
    dead_code,
    unused_variables,
    clippy::must_use_candidate,
    clippy::too_many_arguments
)]
pub fn choices(x: i32, kind: u8, level: i64) -> i32 {
    match (kind & 3, level > 0) {
        (0, true) => x,
        (1 | 2, _) => {
            let half = x / 2;
            half - 1
        }
        (n, false) if n > 2 => n as i32,
        (_, _) => {
            match level {
                0..=5 => 1,
                300 => 2,
                other => other as i32,
            }
        }
    }
}
/** Launches [`choices`](fn@choices): a reduction by `sum`.

 Stores `i32`. Data on the host runs on the CPU, data on a GPU runs there.*/
#[allow(non_camel_case_types, dead_code, clippy::all, clippy::pedantic)]
pub enum choices {}
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
    impl choices {
        /** Reduces each row to one result.

 - `shape`: rows, columns and strides, in elements
 - `x`: one `i32` an element, (rows - 1) × stride + columns of them or more
 - `kind`: one `u8` an element, (rows - 1) × stride + columns of them or more
 - `level`: one `i64` for the launch

 Gives new arrays where the inputs live, one for each field of the result.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn rows<P: __wf::Place>(
            shape: __wf::Rows,
            x: impl __wf::Input<i32, Place = P>,
            kind: impl __wf::Input<u8, Place: __wf::SamePlace<P>>,
            level: i64,
        ) -> __wf::Result<P::Array<i32>, __wf::Error> {
            __wf::rows_reduce::<
                Self,
                P,
            >(
                shape,
                &[
                    __wf::Input::argument(x),
                    __wf::Input::argument(kind),
                    __wf::Argument::uniform(&level),
                ],
            )
        }
        /** [`rows`](Self::rows) into arrays of the caller's.

 - `shape`: rows, columns and strides, in elements
 - `x`: one `i32` an element, (rows - 1) × stride + columns of them or more
 - `kind`: one `u8` an element, (rows - 1) × stride + columns of them or more
 - `level`: one `i64` for the launch

 Writes one array for each field of the result, and allocates nothing.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn rows_into<P: __wf::Place>(
            shape: __wf::Rows,
            x: impl __wf::Input<i32, Place = P>,
            kind: impl __wf::Input<u8, Place: __wf::SamePlace<P>>,
            level: i64,
            out: impl __wf::Output<i32, Place: __wf::SamePlace<P>>,
        ) -> __wf::Result<(), __wf::Error> {
            __wf::rows_reduce_into::<
                Self,
            >(
                shape,
                &[
                    __wf::Input::argument(x),
                    __wf::Input::argument(kind),
                    __wf::Argument::uniform(&level),
                ],
                &mut [__wf::Output::target(out)],
            )
        }
        /** Reduces each column to one result.

 - `shape`: rows, columns and strides, in elements
 - `x`: one `i32` an element, (rows - 1) × stride + columns of them or more
 - `kind`: one `u8` an element, (rows - 1) × stride + columns of them or more
 - `level`: one `i64` for the launch

 Gives new arrays where the inputs live, one for each field of the result.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn columns<P: __wf::Place>(
            shape: __wf::Rows,
            x: impl __wf::Input<i32, Place = P>,
            kind: impl __wf::Input<u8, Place: __wf::SamePlace<P>>,
            level: i64,
        ) -> __wf::Result<P::Array<i32>, __wf::Error> {
            __wf::columns_reduce::<
                Self,
                P,
            >(
                shape,
                &[
                    __wf::Input::argument(x),
                    __wf::Input::argument(kind),
                    __wf::Argument::uniform(&level),
                ],
            )
        }
        /** [`columns`](Self::columns) into arrays of the caller's.

 - `shape`: rows, columns and strides, in elements
 - `x`: one `i32` an element, (rows - 1) × stride + columns of them or more
 - `kind`: one `u8` an element, (rows - 1) × stride + columns of them or more
 - `level`: one `i64` for the launch

 Writes one array for each field of the result, and allocates nothing.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn columns_into<P: __wf::Place>(
            shape: __wf::Rows,
            x: impl __wf::Input<i32, Place = P>,
            kind: impl __wf::Input<u8, Place: __wf::SamePlace<P>>,
            level: i64,
            out: impl __wf::Output<i32, Place: __wf::SamePlace<P>>,
        ) -> __wf::Result<(), __wf::Error> {
            __wf::columns_reduce_into::<
                Self,
            >(
                shape,
                &[
                    __wf::Input::argument(x),
                    __wf::Input::argument(kind),
                    __wf::Argument::uniform(&level),
                ],
                &mut [__wf::Output::target(out)],
            )
        }
        /** Reduces everything to one result.

 - `x`: one `i32` an element
 - `kind`: one `u8` an element
 - `level`: one `i64` for the launch

 Gives the value, on the host, once it is there.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn array<P: __wf::Place>(
            x: impl __wf::Input<i32, Place = P>,
            kind: impl __wf::Input<u8, Place: __wf::SamePlace<P>>,
            level: i64,
        ) -> __wf::Result<i32, __wf::Error> {
            __wf::array_reduce::<
                Self,
                P,
            >(
                &[
                    __wf::Input::argument(x),
                    __wf::Input::argument(kind),
                    __wf::Argument::uniform(&level),
                ],
            )
        }
        /** [`array`](Self::array) into arrays of the caller's, of one element each.

 - `x`: one `i32` an element
 - `kind`: one `u8` an element
 - `level`: one `i64` for the launch

 Writes one array for each field of the result, and allocates nothing.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn array_into<P: __wf::Place>(
            x: impl __wf::Input<i32, Place = P>,
            kind: impl __wf::Input<u8, Place: __wf::SamePlace<P>>,
            level: i64,
            out: impl __wf::Output<i32, Place: __wf::SamePlace<P>>,
        ) -> __wf::Result<(), __wf::Error> {
            __wf::array_reduce_into::<
                Self,
            >(
                &[
                    __wf::Input::argument(x),
                    __wf::Input::argument(kind),
                    __wf::Argument::uniform(&level),
                ],
                &mut [__wf::Output::target(out)],
            )
        }
        /** Reduces each segment to one result.

 - `offsets`: where each segment starts, and where the last one ends
 - `x`: one `i32` an element
 - `kind`: one `u8` an element
 - `level`: one `i64` for the launch

 Gives new arrays where the inputs live, one for each field of the result.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn segments<P: __wf::Place>(
            offsets: impl __wf::Offsets<Place = P>,
            x: impl __wf::Input<i32, Place: __wf::SamePlace<P>>,
            kind: impl __wf::Input<u8, Place: __wf::SamePlace<P>>,
            level: i64,
        ) -> __wf::Result<P::Array<i32>, __wf::Error> {
            __wf::segments_reduce::<
                Self,
                P,
            >(
                &__wf::Offsets::argument(offsets),
                &[
                    __wf::Input::argument(x),
                    __wf::Input::argument(kind),
                    __wf::Argument::uniform(&level),
                ],
            )
        }
        /** [`segments`](Self::segments) into arrays of the caller's.

 - `offsets`: where each segment starts, and where the last one ends
 - `x`: one `i32` an element
 - `kind`: one `u8` an element
 - `level`: one `i64` for the launch

 Writes one array for each field of the result, and allocates nothing.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
        pub fn segments_into<P: __wf::Place>(
            offsets: impl __wf::Offsets<Place = P>,
            x: impl __wf::Input<i32, Place: __wf::SamePlace<P>>,
            kind: impl __wf::Input<u8, Place: __wf::SamePlace<P>>,
            level: i64,
            out: impl __wf::Output<i32, Place: __wf::SamePlace<P>>,
        ) -> __wf::Result<(), __wf::Error> {
            __wf::segments_reduce_into::<
                Self,
            >(
                &__wf::Offsets::argument(offsets),
                &[
                    __wf::Input::argument(x),
                    __wf::Input::argument(kind),
                    __wf::Argument::uniform(&level),
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
    impl __wf::Spec for choices {
        const INFO: __wf::Info = __wf::Info {
            name: "choices",
            form: __wf::Form::Reduce,
            params: &[
                __wf::Param {
                    name: "x",
                    kind: __wf::ParamKind::Plain,
                    ty: __wf::TypeInfo::of::<i32>("i32"),
                },
                __wf::Param {
                    name: "kind",
                    kind: __wf::ParamKind::Plain,
                    ty: __wf::TypeInfo::of::<u8>("u8"),
                },
                __wf::Param {
                    name: "level",
                    kind: __wf::ParamKind::Uniform,
                    ty: __wf::TypeInfo::of::<i64>("i64"),
                },
            ],
            results: &[__wf::TypeInfo::of::<i32>("i32")],
            state: __wf::TypeInfo::of::<i32>("i32"),
            mapped: __wf::TypeInfo::of::<i32>("i32"),
            fold: __wf::TileFold::Striped,
            order: __wf::Order::Symmetric,
            width: __wf::None,
            land: __wf::Land::Lane(0u32),
            mask: 4294967295u32,
            has_init: false,
            has_apply: false,
            max_columns: __wf::None,
        };
        const CUDA: &'static str = r"the CUDA C++ of the spec";
    }
    impl __wf::Bind for choices {
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
    fn __wf_map(x: i32, kind: u8, level: i64) -> i32 {
        match (kind & 3u8, level > 0i64) {
            (0u8, true) => x,
            ((1u8 | 2u8), _) => {
                let half: i32 = __wf::arith::div(x, 2i32);
                half.wrapping_sub(1i32)
            }
            (n, false) if n > 2u8 => n as i32,
            (_, _) => {
                match level {
                    0i64..=5i64 => 1i32,
                    300i64 => 2i32,
                    other => other as i32,
                }
            }
        }
    }
    impl __wf::Fold for choices {
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
            <__wf::ops::Sum as __wf::ops::Operator<i32>>::lift(__wf_mapped, __wf_index)
        }
        #[inline(always)]
        fn identity() -> i32 {
            0i32
        }
        #[inline(always)]
        fn combine(__wf_left: i32, __wf_right: i32) -> i32 {
            <__wf::ops::Sum as __wf::ops::Operator<i32>>::combine(__wf_left, __wf_right)
        }
    }
    impl __wf::FoldRows for choices {
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
