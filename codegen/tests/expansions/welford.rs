#[allow(
    dead_code,
    unused_variables,
    clippy::must_use_candidate,
    clippy::too_many_arguments
)]
pub fn layer_norm(x: f32) -> f32 {
    x
}
/// Launches [`layer_norm`](fn@layer_norm): a reduction by `welford` whose total every element is given.
///
/// Stores `f32`. Data on the host runs on the CPU, data on a GPU runs there.
#[allow(non_camel_case_types, dead_code, clippy::all, clippy::pedantic)]
pub enum layer_norm {}
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
    impl layer_norm {
        /// Applies each row's state to its elements: rows × columns results.
        ///
        /// - `shape`: rows, columns and strides, in elements
        /// - `x`: one `f32` an element, (rows - 1) × stride + columns of them or more
        ///
        /// Gives new arrays where the inputs live, one for each field of the result.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn rows<P: ::warpfold::Place>(
            shape: ::warpfold::Rows,
            x: impl ::warpfold::Input<f32, Place = P>,
        ) -> ::core::result::Result<P::Array<f32>, ::warpfold::Error> {
            ::warpfold::__private::rows_reduce::<
                Self,
                P,
            >(shape, &[::warpfold::Input::argument(x)])
        }
        /// [`rows`](Self::rows) into arrays of the caller's.
        ///
        /// - `shape`: rows, columns and strides, in elements
        /// - `x`: one `f32` an element, (rows - 1) × stride + columns of them or more
        ///
        /// Writes one array for each field of the result, and allocates nothing.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn rows_into<P: ::warpfold::Place>(
            shape: ::warpfold::Rows,
            x: impl ::warpfold::Input<f32, Place = P>,
            out: impl ::warpfold::Output<f32, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<(), ::warpfold::Error> {
            ::warpfold::__private::rows_reduce_into::<
                Self,
            >(
                shape,
                &[::warpfold::Input::argument(x)],
                &mut [::warpfold::Output::target(out)],
            )
        }
        /// [`rows`](Self::rows) in place.
        ///
        /// - `shape`: rows, columns and strides, in elements
        /// - `x`: one `f32` an element, (rows - 1) × stride + columns of them or more
        ///
        /// The results take the place of the elements, at their stride.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn rows_in_place<P: ::warpfold::Place>(
            shape: ::warpfold::Rows,
            x: impl ::warpfold::Output<f32, Place = P>,
        ) -> ::core::result::Result<(), ::warpfold::Error> {
            ::warpfold::__private::rows_reduce_in_place::<
                Self,
            >(
                shape,
                &[::warpfold::__private::Argument::InPlace],
                ::warpfold::Output::target(x),
            )
        }
        /// Applies each segment's state to its elements: one result an element.
        ///
        /// - `offsets`: where each segment starts, and where the last one ends
        /// - `x`: one `f32` an element
        ///
        /// Gives new arrays where the inputs live, one for each field of the result.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn segments<P: ::warpfold::Place>(
            offsets: impl ::warpfold::Offsets<Place = P>,
            x: impl ::warpfold::Input<f32, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<P::Array<f32>, ::warpfold::Error> {
            ::warpfold::__private::segments_reduce::<
                Self,
                P,
            >(&::warpfold::Offsets::argument(offsets), &[::warpfold::Input::argument(x)])
        }
        /// [`segments`](Self::segments) into arrays of the caller's.
        ///
        /// - `offsets`: where each segment starts, and where the last one ends
        /// - `x`: one `f32` an element
        ///
        /// Writes one array for each field of the result, and allocates nothing.
        ///
        /// # Errors
        ///
        /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
        pub fn segments_into<P: ::warpfold::Place>(
            offsets: impl ::warpfold::Offsets<Place = P>,
            x: impl ::warpfold::Input<f32, Place: ::warpfold::SamePlace<P>>,
            out: impl ::warpfold::Output<f32, Place: ::warpfold::SamePlace<P>>,
        ) -> ::core::result::Result<(), ::warpfold::Error> {
            ::warpfold::__private::segments_reduce_into::<
                Self,
            >(
                &::warpfold::Offsets::argument(offsets),
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
        /// What each lane of one group holds after each step, from up to `width` states; lanes without one hold the
        /// identity, a value that nobody may use is `None`, and states past the width are left out, as they stand
        /// in other groups.
        #[inline]
        pub fn trace(
            states: &[(f32, f32, f32)],
        ) -> ::warpfold::__private::Trace<(f32, f32, f32)> {
            ::warpfold::__private::trace::<Self>(states)
        }
        /// The operator: the state of two runs of elements, the one met first on the left.
        #[inline]
        pub fn combine(
            left: (f32, f32, f32),
            right: (f32, f32, f32),
        ) -> (f32, f32, f32) {
            <Self as ::warpfold::__private::Fold>::combine(left, right)
        }
        /// The neutral state.
        #[inline]
        pub fn identity() -> (f32, f32, f32) {
            <Self as ::warpfold::__private::Fold>::identity()
        }
    }
    #[allow(unexpected_cfgs)]
    impl layer_norm {
        #[cfg(not(rust_analyzer))]
        #[doc(hidden)]
        pub fn columns<__Wf>(
            _: impl ::warpfold::__private::ColumnsOfApply<Self>,
            _: impl ::core::marker::Sized,
        ) -> ::core::result::Result<__Wf, ::warpfold::Error> {
            loop {}
        }
        #[cfg(not(rust_analyzer))]
        #[doc(hidden)]
        pub fn array<__Wf>(
            _: impl ::warpfold::__private::ArrayOfApply<Self>,
        ) -> ::core::result::Result<__Wf, ::warpfold::Error> {
            loop {}
        }
    }
    impl ::warpfold::__private::Spec for layer_norm {
        const INFO: ::warpfold::__private::Info = ::warpfold::__private::Info {
            name: "layer_norm",
            form: ::warpfold::__private::Form::Reduce,
            params: &[
                ::warpfold::__private::Param {
                    name: "x",
                    kind: ::warpfold::__private::ParamKind::Plain,
                    ty: ::warpfold::__private::TypeInfo::of::<f32>("f32"),
                },
            ],
            results: &[::warpfold::__private::TypeInfo::of::<f32>("f32")],
            state: ::warpfold::__private::TypeInfo {
                size: 12usize,
                align: 4usize,
                ..::warpfold::__private::TypeInfo::of::<
                    (f32, f32, f32),
                >("(f32, f32, f32)")
            },
            mapped: ::warpfold::__private::TypeInfo::of::<f32>("f32"),
            fold: ::warpfold::__private::TileFold::Tile,
            order: ::warpfold::__private::Order::AnyOrder,
            width: ::core::option::Option::None,
            land: ::warpfold::__private::Land::All,
            mask: 4294967295u32,
            has_init: false,
            has_apply: true,
            max_columns: ::core::option::Option::None,
        };
        const CUDA: &'static str = "the CUDA C++ of the spec";
    }
    impl ::warpfold::__private::Bind for layer_norm {
        type Bound<'a> = (&'a [f32],);
        #[inline(always)]
        fn bind<'a>(
            __wf_arguments: &'a [::warpfold::__private::Argument<'a>],
        ) -> Self::Bound<'a> {
            (__wf_arguments[0usize].slice::<f32>(),)
        }
    }
    #[inline(always)]
    fn __wf_map(x: f32) -> f32 {
        x
    }
    impl ::warpfold::__private::Fold for layer_norm {
        type Mapped = f32;
        type State = (f32, f32, f32);
        type Result = f32;
        #[inline(always)]
        fn map(__wf_bound: &Self::Bound<'_>, __wf_at: ::warpfold::__private::At) -> f32 {
            __wf_map(__wf_bound.0[__wf_at.element])
        }
        #[inline(always)]
        fn map_block<const __WF_N: usize>(
            __wf_bound: &Self::Bound<'_>,
            __wf_at: ::warpfold::__private::At,
            __wf_out: &mut [f32; __WF_N],
        ) {
            let __wf_p0 = ::warpfold::__private::arith::window::<
                _,
                __WF_N,
            >(__wf_bound.0, __wf_at.element);
            for __wf_i in 0..__WF_N {
                __wf_out[__wf_i] = __wf_map(__wf_p0[__wf_i]);
            }
        }
        #[inline(always)]
        fn lift(__wf_mapped: f32, __wf_index: u64) -> (f32, f32, f32) {
            <::warpfold::__private::ops::Welford as ::warpfold::__private::ops::Operator<
                f32,
            >>::lift(__wf_mapped, __wf_index)
        }
        #[inline(always)]
        fn identity() -> (f32, f32, f32) {
            (0.0f32, 0.0f32, 0.0f32)
        }
        #[inline(always)]
        fn combine(
            __wf_left: (f32, f32, f32),
            __wf_right: (f32, f32, f32),
        ) -> (f32, f32, f32) {
            <::warpfold::__private::ops::Welford as ::warpfold::__private::ops::Operator<
                f32,
            >>::combine(__wf_left, __wf_right)
        }
        #[inline(always)]
        fn fold_tile(
            __wf_mapped: &[f32],
            __wf_shape: ::warpfold::__private::Tile,
        ) -> (f32, f32, f32) {
            <::warpfold::__private::ops::Welford as ::warpfold::__private::ops::TileFold<
                f32,
            >>::fold_tile(__wf_mapped, __wf_shape)
        }
    }
    #[inline(always)]
    fn __wf_apply(t: (f32, f32, f32), x: f32) -> f32 {
        (x - t.1) * ((t.2 / t.0) + 1e-5f32).sqrt().recip()
    }
    impl ::warpfold::__private::FoldRows for layer_norm {
        #[inline]
        fn finish(
            _: &Self::Bound<'_>,
            _: Self::State,
            _: ::warpfold::__private::At,
        ) -> f32 {
            ::core::unreachable!("with `apply` nothing is stored for the row itself")
        }
        #[inline(always)]
        fn apply(
            __wf_bound: &Self::Bound<'_>,
            __wf_state: Self::State,
            __wf_at: ::warpfold::__private::At,
        ) -> f32 {
            __wf_apply(__wf_state, __wf_bound.0[__wf_at.element])
        }
    }
};
