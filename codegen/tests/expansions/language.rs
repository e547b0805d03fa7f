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
/// Launches [`language`](fn@language): a reduction by an operator of its own.
///
/// Stores `i32`. Data on the host runs on the CPU, data on a GPU runs there.
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
    impl language {
        /// Reduces each row to one result.
        ///
        /// - `shape`: rows, columns and strides, in elements
        /// - `float`: one `i32` an element, (rows - 1) × stride + columns of them or more
        /// - `threadIdx`: one `u8` an element, (rows - 1) × stride + columns of them or more
        /// - `int`: one `i64` for the launch
        ///
        /// Gives new arrays where the inputs live, one for each field of the result.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn rows<P: ::warpfold::Place>(
            shape: ::warpfold::Rows,
            float: impl ::warpfold::Input<i32, Place = P>,
            threadIdx: impl ::warpfold::Input<u8, Place: ::warpfold::SamePlace<P>>,
            int: i64,
        ) -> ::core::result::Result<P::Array<i32>, ::warpfold::Error> {
            ::warpfold::__private::rows_reduce::<
                Self,
                P,
            >(
                shape,
                &[
                    ::warpfold::Input::argument(float),
                    ::warpfold::Input::argument(threadIdx),
                    ::warpfold::__private::Argument::uniform(&int),
                ],
            )
        }
        /// [`rows`](Self::rows) into arrays of the caller's.
        ///
        /// - `shape`: rows, columns and strides, in elements
        /// - `float`: one `i32` an element, (rows - 1) × stride + columns of them or more
        /// - `threadIdx`: one `u8` an element, (rows - 1) × stride + columns of them or more
        /// - `int`: one `i64` for the launch
        ///
        /// Writes one array for each field of the result, and allocates nothing.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn rows_into<P: ::warpfold::Place>(
            shape: ::warpfold::Rows,
            float: impl ::warpfold::Input<i32, Place = P>,
            threadIdx: impl ::warpfold::Input<u8, Place: ::warpfold::SamePlace<P>>,
            int: i64,
            out: impl ::warpfold::Output<i32, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<(), ::warpfold::Error> {
            ::warpfold::__private::rows_reduce_into::<
                Self,
            >(
                shape,
                &[
                    ::warpfold::Input::argument(float),
                    ::warpfold::Input::argument(threadIdx),
                    ::warpfold::__private::Argument::uniform(&int),
                ],
                &mut [::warpfold::Output::target(out)],
            )
        }
        /// Reduces each column to one result.
        ///
        /// - `shape`: rows, columns and strides, in elements
        /// - `float`: one `i32` an element, (rows - 1) × stride + columns of them or more
        /// - `threadIdx`: one `u8` an element, (rows - 1) × stride + columns of them or more
        /// - `int`: one `i64` for the launch
        ///
        /// Gives new arrays where the inputs live, one for each field of the result.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn columns<P: ::warpfold::Place>(
            shape: ::warpfold::Rows,
            float: impl ::warpfold::Input<i32, Place = P>,
            threadIdx: impl ::warpfold::Input<u8, Place: ::warpfold::SamePlace<P>>,
            int: i64,
        ) -> ::core::result::Result<P::Array<i32>, ::warpfold::Error> {
            ::warpfold::__private::columns_reduce::<
                Self,
                P,
            >(
                shape,
                &[
                    ::warpfold::Input::argument(float),
                    ::warpfold::Input::argument(threadIdx),
                    ::warpfold::__private::Argument::uniform(&int),
                ],
            )
        }
        /// [`columns`](Self::columns) into arrays of the caller's.
        ///
        /// - `shape`: rows, columns and strides, in elements
        /// - `float`: one `i32` an element, (rows - 1) × stride + columns of them or more
        /// - `threadIdx`: one `u8` an element, (rows - 1) × stride + columns of them or more
        /// - `int`: one `i64` for the launch
        ///
        /// Writes one array for each field of the result, and allocates nothing.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn columns_into<P: ::warpfold::Place>(
            shape: ::warpfold::Rows,
            float: impl ::warpfold::Input<i32, Place = P>,
            threadIdx: impl ::warpfold::Input<u8, Place: ::warpfold::SamePlace<P>>,
            int: i64,
            out: impl ::warpfold::Output<i32, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<(), ::warpfold::Error> {
            ::warpfold::__private::columns_reduce_into::<
                Self,
            >(
                shape,
                &[
                    ::warpfold::Input::argument(float),
                    ::warpfold::Input::argument(threadIdx),
                    ::warpfold::__private::Argument::uniform(&int),
                ],
                &mut [::warpfold::Output::target(out)],
            )
        }
        /// Reduces everything to one result.
        ///
        /// - `float`: one `i32` an element
        /// - `threadIdx`: one `u8` an element
        /// - `int`: one `i64` for the launch
        ///
        /// Gives the value, on the host, once it is there.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn array<P: ::warpfold::Place>(
            float: impl ::warpfold::Input<i32, Place = P>,
            threadIdx: impl ::warpfold::Input<u8, Place: ::warpfold::SamePlace<P>>,
            int: i64,
        ) -> ::core::result::Result<i32, ::warpfold::Error> {
            ::warpfold::__private::array_reduce::<
                Self,
                P,
            >(
                &[
                    ::warpfold::Input::argument(float),
                    ::warpfold::Input::argument(threadIdx),
                    ::warpfold::__private::Argument::uniform(&int),
                ],
            )
        }
        /// [`array`](Self::array) into arrays of the caller's, of one element each.
        ///
        /// - `float`: one `i32` an element
        /// - `threadIdx`: one `u8` an element
        /// - `int`: one `i64` for the launch
        ///
        /// Writes one array for each field of the result, and allocates nothing.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn array_into<P: ::warpfold::Place>(
            float: impl ::warpfold::Input<i32, Place = P>,
            threadIdx: impl ::warpfold::Input<u8, Place: ::warpfold::SamePlace<P>>,
            int: i64,
            out: impl ::warpfold::Output<i32, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<(), ::warpfold::Error> {
            ::warpfold::__private::array_reduce_into::<
                Self,
            >(
                &[
                    ::warpfold::Input::argument(float),
                    ::warpfold::Input::argument(threadIdx),
                    ::warpfold::__private::Argument::uniform(&int),
                ],
                &mut [::warpfold::Output::target(out)],
            )
        }
        /// Reduces each segment to one result.
        ///
        /// - `offsets`: where each segment starts, and where the last one ends
        /// - `float`: one `i32` an element
        /// - `threadIdx`: one `u8` an element
        /// - `int`: one `i64` for the launch
        ///
        /// Gives new arrays where the inputs live, one for each field of the result.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn segments<P: ::warpfold::Place>(
            offsets: impl ::warpfold::Offsets<Place = P>,
            float: impl ::warpfold::Input<i32, Place: ::warpfold::SamePlace<P>>,
            threadIdx: impl ::warpfold::Input<u8, Place: ::warpfold::SamePlace<P>>,
            int: i64,
        ) -> ::core::result::Result<P::Array<i32>, ::warpfold::Error> {
            ::warpfold::__private::segments_reduce::<
                Self,
                P,
            >(
                &::warpfold::Offsets::argument(offsets),
                &[
                    ::warpfold::Input::argument(float),
                    ::warpfold::Input::argument(threadIdx),
                    ::warpfold::__private::Argument::uniform(&int),
                ],
            )
        }
        /// [`segments`](Self::segments) into arrays of the caller's.
        ///
        /// - `offsets`: where each segment starts, and where the last one ends
        /// - `float`: one `i32` an element
        /// - `threadIdx`: one `u8` an element
        /// - `int`: one `i64` for the launch
        ///
        /// Writes one array for each field of the result, and allocates nothing.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn segments_into<P: ::warpfold::Place>(
            offsets: impl ::warpfold::Offsets<Place = P>,
            float: impl ::warpfold::Input<i32, Place: ::warpfold::SamePlace<P>>,
            threadIdx: impl ::warpfold::Input<u8, Place: ::warpfold::SamePlace<P>>,
            int: i64,
            out: impl ::warpfold::Output<i32, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<(), ::warpfold::Error> {
            ::warpfold::__private::segments_reduce_into::<
                Self,
            >(
                &::warpfold::Offsets::argument(offsets),
                &[
                    ::warpfold::Input::argument(float),
                    ::warpfold::Input::argument(threadIdx),
                    ::warpfold::__private::Argument::uniform(&int),
                ],
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
        /// What each lane of one group holds after each step, from up to `width` states; lanes without one hold the
        /// identity, a value that nobody may use is `None`, and states past the width are left out, as they stand
        /// in other groups.
        #[inline]
        pub fn trace(states: &[i32]) -> ::warpfold::__private::Trace<i32> {
            ::warpfold::__private::trace::<Self>(states)
        }
        /// The operator: the state of two runs of elements, the one met first on the left.
        #[inline]
        pub fn combine(left: i32, right: i32) -> i32 {
            <Self as ::warpfold::__private::Fold>::combine(left, right)
        }
        /// The neutral state.
        #[inline]
        pub fn identity() -> i32 {
            <Self as ::warpfold::__private::Fold>::identity()
        }
        /// What the state becomes when it is stored.
        #[inline]
        pub fn finish(state: i32) -> i32 {
            state
        }
    }
    impl ::warpfold::__private::Spec for language {
        const INFO: ::warpfold::__private::Info = ::warpfold::__private::Info {
            name: "language",
            form: ::warpfold::__private::Form::Reduce,
            params: &[
                ::warpfold::__private::Param {
                    name: "float",
                    kind: ::warpfold::__private::ParamKind::Plain,
                    ty: ::warpfold::__private::TypeInfo::of::<i32>("i32"),
                },
                ::warpfold::__private::Param {
                    name: "threadIdx",
                    kind: ::warpfold::__private::ParamKind::Plain,
                    ty: ::warpfold::__private::TypeInfo::of::<u8>("u8"),
                },
                ::warpfold::__private::Param {
                    name: "int",
                    kind: ::warpfold::__private::ParamKind::Uniform,
                    ty: ::warpfold::__private::TypeInfo::of::<i64>("i64"),
                },
            ],
            results: &[::warpfold::__private::TypeInfo::of::<i32>("i32")],
            state: ::warpfold::__private::TypeInfo::of::<i32>("i32"),
            mapped: ::warpfold::__private::TypeInfo::of::<i32>("i32"),
            fold: ::warpfold::__private::TileFold::Blocked,
            order: ::warpfold::__private::Order::InOrder,
            width: ::core::option::Option::None,
            land: ::warpfold::__private::Land::Lane(0u32),
            mask: 4294967295u32,
            has_init: false,
            has_apply: false,
            max_columns: ::core::option::Option::None,
        };
        const CUDA: &'static str = "the CUDA C++ of the spec";
    }
    impl ::warpfold::__private::Bind for language {
        type Bound<'a> = (&'a [i32], &'a [u8], i64);
        #[inline(always)]
        fn bind<'a>(
            __wf_arguments: &'a [::warpfold::__private::Argument<'a>],
        ) -> Self::Bound<'a> {
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
                total = ::warpfold::__private::arith::rem(total, 7i32);
            }
        }
        let unused: i32 = !total;
        (total ^ a) | b
    }
    #[inline(always)]
    fn __wf_combine(p: i32, q: i32) -> i32 {
        p.wrapping_mul(3i32).wrapping_add(q.wrapping_mul(0i32)).wrapping_add(p)
    }
    impl ::warpfold::__private::Fold for language {
        type Mapped = i32;
        type State = i32;
        type Result = i32;
        #[inline(always)]
        fn map(__wf_bound: &Self::Bound<'_>, __wf_at: ::warpfold::__private::At) -> i32 {
            __wf_map(
                __wf_bound.0[__wf_at.element],
                __wf_bound.1[__wf_at.element],
                __wf_bound.2,
            )
        }
        #[inline(always)]
        fn map_block<const __WF_N: usize>(
            __wf_bound: &Self::Bound<'_>,
            __wf_at: ::warpfold::__private::At,
            __wf_out: &mut [i32; __WF_N],
        ) {
            let __wf_p0 = ::warpfold::__private::arith::window::<
                _,
                __WF_N,
            >(__wf_bound.0, __wf_at.element);
            let __wf_p1 = ::warpfold::__private::arith::window::<
                _,
                __WF_N,
            >(__wf_bound.1, __wf_at.element);
            let __wf_p2 = __wf_bound.2;
            for __wf_i in 0..__WF_N {
                __wf_out[__wf_i] = __wf_map(__wf_p0[__wf_i], __wf_p1[__wf_i], __wf_p2);
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
        fn combine(__wf_left: i32, __wf_right: i32) -> i32 {
            __wf_combine(__wf_left, __wf_right)
        }
    }
    impl ::warpfold::__private::FoldRows for language {
        #[inline(always)]
        fn finish(
            __wf_bound: &Self::Bound<'_>,
            __wf_state: Self::State,
            __wf_at: ::warpfold::__private::At,
        ) -> i32 {
            __wf_state
        }
    }
};
