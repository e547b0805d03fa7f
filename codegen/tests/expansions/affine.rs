#[allow(
    dead_code,
    unused_variables,
    clippy::must_use_candidate,
    clippy::too_many_arguments
)]
pub fn affine(a: u32, b: u32) -> (u32, u32) {
    (a, b)
}
/// Launches [`affine`](fn@affine): an inclusive scan by `affine`.
///
/// Stores `u32`, `u32`. Data on the host runs on the CPU, data on a GPU runs there.
#[allow(non_camel_case_types, dead_code, clippy::all, clippy::pedantic)]
pub enum affine {}
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
    impl affine {
        /// Scans each row: rows × columns results.
        ///
        /// - `shape`: rows, columns and strides, in elements
        /// - `a`: one `u32` an element, (rows - 1) × stride + columns of them or more
        /// - `b`: one `u32` an element, (rows - 1) × stride + columns of them or more
        ///
        /// Gives new arrays where the inputs live, one for each field of the result.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn rows<P: ::warpfold::Place>(
            shape: ::warpfold::Rows,
            a: impl ::warpfold::Input<u32, Place = P>,
            b: impl ::warpfold::Input<u32, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<(P::Array<u32>, P::Array<u32>), ::warpfold::Error> {
            ::warpfold::__private::rows_scan::<
                Self,
                P,
            >(shape, &[::warpfold::Input::argument(a), ::warpfold::Input::argument(b)])
        }
        /// [`rows`](Self::rows) into arrays of the caller's.
        ///
        /// - `shape`: rows, columns and strides, in elements
        /// - `a`: one `u32` an element, (rows - 1) × stride + columns of them or more
        /// - `b`: one `u32` an element, (rows - 1) × stride + columns of them or more
        ///
        /// Writes one array for each field of the result, and allocates nothing.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn rows_into<P: ::warpfold::Place>(
            shape: ::warpfold::Rows,
            a: impl ::warpfold::Input<u32, Place = P>,
            b: impl ::warpfold::Input<u32, Place: ::warpfold::SamePlace<P>>,
            out_0: impl ::warpfold::Output<u32, Place: ::warpfold::SamePlace<P>>,
            out_1: impl ::warpfold::Output<u32, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<(), ::warpfold::Error> {
            ::warpfold::__private::rows_scan_into::<
                Self,
            >(
                shape,
                &[::warpfold::Input::argument(a), ::warpfold::Input::argument(b)],
                &mut [
                    ::warpfold::Output::target(out_0),
                    ::warpfold::Output::target(out_1),
                ],
            )
        }
        /// Scans each column: rows × columns results.
        ///
        /// - `shape`: rows, columns and strides, in elements
        /// - `a`: one `u32` an element, (rows - 1) × stride + columns of them or more
        /// - `b`: one `u32` an element, (rows - 1) × stride + columns of them or more
        ///
        /// Gives new arrays where the inputs live, one for each field of the result.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn columns<P: ::warpfold::Place>(
            shape: ::warpfold::Rows,
            a: impl ::warpfold::Input<u32, Place = P>,
            b: impl ::warpfold::Input<u32, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<(P::Array<u32>, P::Array<u32>), ::warpfold::Error> {
            ::warpfold::__private::columns_scan::<
                Self,
                P,
            >(shape, &[::warpfold::Input::argument(a), ::warpfold::Input::argument(b)])
        }
        /// [`columns`](Self::columns) into arrays of the caller's.
        ///
        /// - `shape`: rows, columns and strides, in elements
        /// - `a`: one `u32` an element, (rows - 1) × stride + columns of them or more
        /// - `b`: one `u32` an element, (rows - 1) × stride + columns of them or more
        ///
        /// Writes one array for each field of the result, and allocates nothing.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn columns_into<P: ::warpfold::Place>(
            shape: ::warpfold::Rows,
            a: impl ::warpfold::Input<u32, Place = P>,
            b: impl ::warpfold::Input<u32, Place: ::warpfold::SamePlace<P>>,
            out_0: impl ::warpfold::Output<u32, Place: ::warpfold::SamePlace<P>>,
            out_1: impl ::warpfold::Output<u32, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<(), ::warpfold::Error> {
            ::warpfold::__private::columns_scan_into::<
                Self,
            >(
                shape,
                &[::warpfold::Input::argument(a), ::warpfold::Input::argument(b)],
                &mut [
                    ::warpfold::Output::target(out_0),
                    ::warpfold::Output::target(out_1),
                ],
            )
        }
        /// Scans everything: one result an element.
        ///
        /// - `a`: one `u32` an element
        /// - `b`: one `u32` an element
        ///
        /// Gives new arrays where the inputs live, one for each field of the result.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn array<P: ::warpfold::Place>(
            a: impl ::warpfold::Input<u32, Place = P>,
            b: impl ::warpfold::Input<u32, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<(P::Array<u32>, P::Array<u32>), ::warpfold::Error> {
            ::warpfold::__private::array_scan::<
                Self,
                P,
            >(&[::warpfold::Input::argument(a), ::warpfold::Input::argument(b)])
        }
        /// [`array`](Self::array) into arrays of the caller's.
        ///
        /// - `a`: one `u32` an element
        /// - `b`: one `u32` an element
        ///
        /// Writes one array for each field of the result, and allocates nothing.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn array_into<P: ::warpfold::Place>(
            a: impl ::warpfold::Input<u32, Place = P>,
            b: impl ::warpfold::Input<u32, Place: ::warpfold::SamePlace<P>>,
            out_0: impl ::warpfold::Output<u32, Place: ::warpfold::SamePlace<P>>,
            out_1: impl ::warpfold::Output<u32, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<(), ::warpfold::Error> {
            ::warpfold::__private::array_scan_into::<
                Self,
            >(
                &[::warpfold::Input::argument(a), ::warpfold::Input::argument(b)],
                &mut [
                    ::warpfold::Output::target(out_0),
                    ::warpfold::Output::target(out_1),
                ],
            )
        }
        /// Scans each segment: one result an element.
        ///
        /// - `offsets`: where each segment starts, and where the last one ends
        /// - `a`: one `u32` an element
        /// - `b`: one `u32` an element
        ///
        /// Gives new arrays where the inputs live, one for each field of the result.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn segments<P: ::warpfold::Place>(
            offsets: impl ::warpfold::Offsets<Place = P>,
            a: impl ::warpfold::Input<u32, Place: ::warpfold::SamePlace<P>>,
            b: impl ::warpfold::Input<u32, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<(P::Array<u32>, P::Array<u32>), ::warpfold::Error> {
            ::warpfold::__private::segments_scan::<
                Self,
                P,
            >(
                &::warpfold::Offsets::argument(offsets),
                &[::warpfold::Input::argument(a), ::warpfold::Input::argument(b)],
            )
        }
        /// [`segments`](Self::segments) into arrays of the caller's.
        ///
        /// - `offsets`: where each segment starts, and where the last one ends
        /// - `a`: one `u32` an element
        /// - `b`: one `u32` an element
        ///
        /// Writes one array for each field of the result, and allocates nothing.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn segments_into<P: ::warpfold::Place>(
            offsets: impl ::warpfold::Offsets<Place = P>,
            a: impl ::warpfold::Input<u32, Place: ::warpfold::SamePlace<P>>,
            b: impl ::warpfold::Input<u32, Place: ::warpfold::SamePlace<P>>,
            out_0: impl ::warpfold::Output<u32, Place: ::warpfold::SamePlace<P>>,
            out_1: impl ::warpfold::Output<u32, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<(), ::warpfold::Error> {
            ::warpfold::__private::segments_scan_into::<
                Self,
            >(
                &::warpfold::Offsets::argument(offsets),
                &[::warpfold::Input::argument(a), ::warpfold::Input::argument(b)],
                &mut [
                    ::warpfold::Output::target(out_0),
                    ::warpfold::Output::target(out_1),
                ],
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
        pub fn trace(states: &[(u32, u32)]) -> ::warpfold::__private::Trace<(u32, u32)> {
            ::warpfold::__private::trace::<Self>(states)
        }
        /// The operator: the state of two runs of elements, the one met first on the left.
        #[inline]
        pub fn combine(left: (u32, u32), right: (u32, u32)) -> (u32, u32) {
            <Self as ::warpfold::__private::Fold>::combine(left, right)
        }
        /// The neutral state.
        #[inline]
        pub fn identity() -> (u32, u32) {
            <Self as ::warpfold::__private::Fold>::identity()
        }
        /// What the state becomes when it is stored.
        #[inline]
        pub fn finish(state: (u32, u32)) -> (u32, u32) {
            state
        }
    }
    impl ::warpfold::__private::Spec for affine {
        const INFO: ::warpfold::__private::Info = ::warpfold::__private::Info {
            name: "affine",
            form: ::warpfold::__private::Form::Scan {
                exclusive: false,
                reverse: false,
            },
            params: &[
                ::warpfold::__private::Param {
                    name: "a",
                    kind: ::warpfold::__private::ParamKind::Plain,
                    ty: ::warpfold::__private::TypeInfo::of::<u32>("u32"),
                },
                ::warpfold::__private::Param {
                    name: "b",
                    kind: ::warpfold::__private::ParamKind::Plain,
                    ty: ::warpfold::__private::TypeInfo::of::<u32>("u32"),
                },
            ],
            results: &[
                ::warpfold::__private::TypeInfo::of::<u32>("u32"),
                ::warpfold::__private::TypeInfo::of::<u32>("u32"),
            ],
            state: ::warpfold::__private::TypeInfo {
                size: 8usize,
                align: 4usize,
                ..::warpfold::__private::TypeInfo::of::<(u32, u32)>("(u32, u32)")
            },
            mapped: ::warpfold::__private::TypeInfo {
                size: 8usize,
                align: 4usize,
                ..::warpfold::__private::TypeInfo::of::<(u32, u32)>("(u32, u32)")
            },
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
    impl ::warpfold::__private::Bind for affine {
        type Bound<'a> = (&'a [u32], &'a [u32]);
        #[inline(always)]
        fn bind<'a>(
            __wf_arguments: &'a [::warpfold::__private::Argument<'a>],
        ) -> Self::Bound<'a> {
            (
                __wf_arguments[0usize].slice::<u32>(),
                __wf_arguments[1usize].slice::<u32>(),
            )
        }
    }
    #[inline(always)]
    fn __wf_map(a: u32, b: u32) -> (u32, u32) {
        (a, b)
    }
    impl ::warpfold::__private::Fold for affine {
        type Mapped = (u32, u32);
        type State = (u32, u32);
        type Result = (u32, u32);
        #[inline(always)]
        fn map(
            __wf_bound: &Self::Bound<'_>,
            __wf_at: ::warpfold::__private::At,
        ) -> (u32, u32) {
            __wf_map(__wf_bound.0[__wf_at.element], __wf_bound.1[__wf_at.element])
        }
        #[inline(always)]
        fn map_block<const __WF_N: usize>(
            __wf_bound: &Self::Bound<'_>,
            __wf_at: ::warpfold::__private::At,
            __wf_out: &mut [(u32, u32); __WF_N],
        ) {
            let __wf_p0 = ::warpfold::__private::arith::window::<
                _,
                __WF_N,
            >(__wf_bound.0, __wf_at.element);
            let __wf_p1 = ::warpfold::__private::arith::window::<
                _,
                __WF_N,
            >(__wf_bound.1, __wf_at.element);
            for __wf_i in 0..__WF_N {
                __wf_out[__wf_i] = __wf_map(__wf_p0[__wf_i], __wf_p1[__wf_i]);
            }
        }
        #[inline(always)]
        fn lift(__wf_mapped: (u32, u32), __wf_index: u64) -> (u32, u32) {
            <::warpfold::__private::ops::Affine as ::warpfold::__private::ops::Operator<
                (u32, u32),
            >>::lift(__wf_mapped, __wf_index)
        }
        #[inline(always)]
        fn identity() -> (u32, u32) {
            (1u32, 0u32)
        }
        #[inline(always)]
        fn combine(__wf_left: (u32, u32), __wf_right: (u32, u32)) -> (u32, u32) {
            <::warpfold::__private::ops::Affine as ::warpfold::__private::ops::Operator<
                (u32, u32),
            >>::combine(__wf_left, __wf_right)
        }
    }
    impl ::warpfold::__private::ScanRows for affine {
        #[inline(always)]
        fn finish(
            __wf_bound: &Self::Bound<'_>,
            __wf_state: Self::State,
            __wf_at: ::warpfold::__private::At,
        ) -> (u32, u32) {
            __wf_state
        }
    }
};
