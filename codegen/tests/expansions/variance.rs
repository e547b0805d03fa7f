mod stats {
    #[allow(dead_code, unused_imports)]
    use half::bf16;
    #[allow(dead_code, unused_imports)]
    const NONE: f32 = 0.0;
    #[allow(dead_code, unused_imports)]
    const ONE: f32 = NONE + 1.0;
    #[repr(C)]
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Moments {
        pub n: f32,
        pub mean: f32,
        pub m2: f32,
        pub double: bool,
    }
    /// SAFETY: the struct is `repr(C)`, and every field is an `Element`, as its `ZERO` shows: plain bytes that
    /// mean the same on the host and on the device.
    #[automatically_derived]
    unsafe impl ::warpfold::__private::DeviceRepr for Moments {}
    #[automatically_derived]
    impl ::warpfold::Element for Moments {
        const ZERO: Self = Self {
            n: <f32 as ::warpfold::Element>::ZERO,
            mean: <f32 as ::warpfold::Element>::ZERO,
            m2: <f32 as ::warpfold::Element>::ZERO,
            double: <bool as ::warpfold::Element>::ZERO,
        };
        const PADDED: bool = <f32 as ::warpfold::Element>::PADDED
            || <f32 as ::warpfold::Element>::PADDED
            || <f32 as ::warpfold::Element>::PADDED
            || <bool as ::warpfold::Element>::PADDED
            || ::core::mem::size_of::<Self>()
                != 0 + ::core::mem::size_of::<f32>() + ::core::mem::size_of::<f32>()
                    + ::core::mem::size_of::<f32>() + ::core::mem::size_of::<bool>();
    }
    #[allow(dead_code, unused_imports)]
    fn square(x: f32) -> f32 {
        x * x
    }
    #[allow(dead_code, unused_imports)]
    fn unused(x: f32) -> f32 {
        x
    }
    #[allow(dead_code, unused_imports)]
    fn merge(a: Moments, b: Moments) -> Moments {
        if a.n == NONE {
            b
        } else if b.n == NONE {
            a
        } else {
            let n = a.n + b.n;
            let delta = b.mean - a.mean;
            let mut merged = a;
            merged.n = n;
            merged.mean += delta * (b.n / n);
            merged.m2 = a.m2 + b.m2 + square(delta) * (a.n * b.n / n);
            merged
        }
    }
    #[allow(
        dead_code,
        unused_variables,
        clippy::must_use_candidate,
        clippy::too_many_arguments
    )]
    pub fn variance(x: bf16) -> Moments {
        Moments {
            n: ONE,
            mean: x.to_f32(),
            m2: NONE,
            double: false,
        }
    }
    /// Launches [`variance`](fn@variance): a reduction by an operator of its own.
    ///
    /// Stores `f32`, `f32`. Data on the host runs on the CPU, data on a GPU runs there.
    #[allow(non_camel_case_types, dead_code, clippy::all, clippy::pedantic)]
    pub enum variance {}
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
        impl variance {
            /// Reduces each row to one result.
            ///
            /// - `shape`: rows, columns and strides, in elements
            /// - `x`: one `bf16` an element, (rows - 1) × stride + columns of them or more
            ///
            /// Gives new arrays where the inputs live, one for each field of the result.
            ///
            /// # Errors
            ///
            /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
            pub fn rows<P: ::warpfold::Place>(
                shape: ::warpfold::Rows,
                x: impl ::warpfold::Input<::warpfold::__private::bf16, Place = P>,
            ) -> ::core::result::Result<
                (P::Array<f32>, P::Array<f32>),
                ::warpfold::Error,
            > {
                ::warpfold::__private::rows_reduce::<
                    Self,
                    P,
                >(shape, &[::warpfold::Input::argument(x)])
            }
            /// [`rows`](Self::rows) into arrays of the caller's.
            ///
            /// - `shape`: rows, columns and strides, in elements
            /// - `x`: one `bf16` an element, (rows - 1) × stride + columns of them or more
            ///
            /// Writes one array for each field of the result, and allocates nothing.
            ///
            /// # Errors
            ///
            /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
            pub fn rows_into<P: ::warpfold::Place>(
                shape: ::warpfold::Rows,
                x: impl ::warpfold::Input<::warpfold::__private::bf16, Place = P>,
                out_0: impl ::warpfold::Output<f32, Place: ::warpfold::SamePlace<P>>,
                out_1: impl ::warpfold::Output<f32, Place: ::warpfold::SamePlace<P>>,
            ) -> ::core::result::Result<(), ::warpfold::Error> {
                ::warpfold::__private::rows_reduce_into::<
                    Self,
                >(
                    shape,
                    &[::warpfold::Input::argument(x)],
                    &mut [
                        ::warpfold::Output::target(out_0),
                        ::warpfold::Output::target(out_1),
                    ],
                )
            }
            /// Reduces each column to one result.
            ///
            /// - `shape`: rows, columns and strides, in elements
            /// - `x`: one `bf16` an element, (rows - 1) × stride + columns of them or more
            ///
            /// Gives new arrays where the inputs live, one for each field of the result.
            ///
            /// # Errors
            ///
            /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
            pub fn columns<P: ::warpfold::Place>(
                shape: ::warpfold::Rows,
                x: impl ::warpfold::Input<::warpfold::__private::bf16, Place = P>,
            ) -> ::core::result::Result<
                (P::Array<f32>, P::Array<f32>),
                ::warpfold::Error,
            > {
                ::warpfold::__private::columns_reduce::<
                    Self,
                    P,
                >(shape, &[::warpfold::Input::argument(x)])
            }
            /// [`columns`](Self::columns) into arrays of the caller's.
            ///
            /// - `shape`: rows, columns and strides, in elements
            /// - `x`: one `bf16` an element, (rows - 1) × stride + columns of them or more
            ///
            /// Writes one array for each field of the result, and allocates nothing.
            ///
            /// # Errors
            ///
            /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
            pub fn columns_into<P: ::warpfold::Place>(
                shape: ::warpfold::Rows,
                x: impl ::warpfold::Input<::warpfold::__private::bf16, Place = P>,
                out_0: impl ::warpfold::Output<f32, Place: ::warpfold::SamePlace<P>>,
                out_1: impl ::warpfold::Output<f32, Place: ::warpfold::SamePlace<P>>,
            ) -> ::core::result::Result<(), ::warpfold::Error> {
                ::warpfold::__private::columns_reduce_into::<
                    Self,
                >(
                    shape,
                    &[::warpfold::Input::argument(x)],
                    &mut [
                        ::warpfold::Output::target(out_0),
                        ::warpfold::Output::target(out_1),
                    ],
                )
            }
            /// Reduces everything to one result.
            ///
            /// - `x`: one `bf16` an element
            ///
            /// Gives the value, on the host, once it is there.
            ///
            /// # Errors
            ///
            /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
            pub fn array<P: ::warpfold::Place>(
                x: impl ::warpfold::Input<::warpfold::__private::bf16, Place = P>,
            ) -> ::core::result::Result<(f32, f32), ::warpfold::Error> {
                ::warpfold::__private::array_reduce::<
                    Self,
                    P,
                >(&[::warpfold::Input::argument(x)])
            }
            /// [`array`](Self::array) into arrays of the caller's, of one element each.
            ///
            /// - `x`: one `bf16` an element
            ///
            /// Writes one array for each field of the result, and allocates nothing.
            ///
            /// # Errors
            ///
            /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
            pub fn array_into<P: ::warpfold::Place>(
                x: impl ::warpfold::Input<::warpfold::__private::bf16, Place = P>,
                out_0: impl ::warpfold::Output<f32, Place: ::warpfold::SamePlace<P>>,
                out_1: impl ::warpfold::Output<f32, Place: ::warpfold::SamePlace<P>>,
            ) -> ::core::result::Result<(), ::warpfold::Error> {
                ::warpfold::__private::array_reduce_into::<
                    Self,
                >(
                    &[::warpfold::Input::argument(x)],
                    &mut [
                        ::warpfold::Output::target(out_0),
                        ::warpfold::Output::target(out_1),
                    ],
                )
            }
            /// Reduces each segment to one result.
            ///
            /// - `offsets`: where each segment starts, and where the last one ends
            /// - `x`: one `bf16` an element
            ///
            /// Gives new arrays where the inputs live, one for each field of the result.
            ///
            /// # Errors
            ///
            /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
            pub fn segments<P: ::warpfold::Place>(
                offsets: impl ::warpfold::Offsets<Place = P>,
                x: impl ::warpfold::Input<
                    ::warpfold::__private::bf16,
                    Place: ::warpfold::SamePlace<P>,
                >,
            ) -> ::core::result::Result<
                (P::Array<f32>, P::Array<f32>),
                ::warpfold::Error,
            > {
                ::warpfold::__private::segments_reduce::<
                    Self,
                    P,
                >(
                    &::warpfold::Offsets::argument(offsets),
                    &[::warpfold::Input::argument(x)],
                )
            }
            /// [`segments`](Self::segments) into arrays of the caller's.
            ///
            /// - `offsets`: where each segment starts, and where the last one ends
            /// - `x`: one `bf16` an element
            ///
            /// Writes one array for each field of the result, and allocates nothing.
            ///
            /// # Errors
            ///
            /// Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.
            pub fn segments_into<P: ::warpfold::Place>(
                offsets: impl ::warpfold::Offsets<Place = P>,
                x: impl ::warpfold::Input<
                    ::warpfold::__private::bf16,
                    Place: ::warpfold::SamePlace<P>,
                >,
                out_0: impl ::warpfold::Output<f32, Place: ::warpfold::SamePlace<P>>,
                out_1: impl ::warpfold::Output<f32, Place: ::warpfold::SamePlace<P>>,
            ) -> ::core::result::Result<(), ::warpfold::Error> {
                ::warpfold::__private::segments_reduce_into::<
                    Self,
                >(
                    &::warpfold::Offsets::argument(offsets),
                    &[::warpfold::Input::argument(x)],
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
            pub fn trace(states: &[Moments]) -> ::warpfold::__private::Trace<Moments> {
                ::warpfold::__private::trace::<Self>(states)
            }
            /// The operator: the state of two runs of elements, the one met first on the left.
            #[inline]
            pub fn combine(left: Moments, right: Moments) -> Moments {
                <Self as ::warpfold::__private::Fold>::combine(left, right)
            }
            /// The neutral state.
            #[inline]
            pub fn identity() -> Moments {
                <Self as ::warpfold::__private::Fold>::identity()
            }
            /// What the state becomes when it is stored.
            #[inline]
            pub fn finish(state: Moments) -> (f32, f32) {
                __wf_finish(state)
            }
        }
        impl ::warpfold::__private::Spec for variance {
            const INFO: ::warpfold::__private::Info = ::warpfold::__private::Info {
                name: "variance",
                form: ::warpfold::__private::Form::Reduce,
                params: &[
                    ::warpfold::__private::Param {
                        name: "x",
                        kind: ::warpfold::__private::ParamKind::Plain,
                        ty: ::warpfold::__private::TypeInfo::of::<
                            ::warpfold::__private::bf16,
                        >("bf16"),
                    },
                ],
                results: &[
                    ::warpfold::__private::TypeInfo::of::<f32>("f32"),
                    ::warpfold::__private::TypeInfo::of::<f32>("f32"),
                ],
                state: ::warpfold::__private::TypeInfo::of::<Moments>("Moments"),
                mapped: ::warpfold::__private::TypeInfo::of::<Moments>("Moments"),
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
        impl ::warpfold::__private::Bind for variance {
            type Bound<'a> = (&'a [::warpfold::__private::bf16],);
            #[inline(always)]
            fn bind<'a>(
                __wf_arguments: &'a [::warpfold::__private::Argument<'a>],
            ) -> Self::Bound<'a> {
                (__wf_arguments[0usize].slice::<::warpfold::__private::bf16>(),)
            }
        }
        #[inline(always)]
        fn __wf_map(x: ::warpfold::__private::bf16) -> Moments {
            Moments {
                n: ONE,
                mean: x.to_f32(),
                m2: NONE,
                double: false,
            }
        }
        #[inline(always)]
        fn __wf_combine(a: Moments, b: Moments) -> Moments {
            if a.n == NONE {
                b
            } else if b.n == NONE {
                a
            } else {
                let n: f32 = a.n + b.n;
                let delta: f32 = b.mean - a.mean;
                let mut merged: Moments = a;
                merged.n = n;
                merged.mean = merged.mean + (delta * (b.n / n));
                merged.m2 = (a.m2 + b.m2) + (square(delta) * ((a.n * b.n) / n));
                merged
            }
        }
        impl ::warpfold::__private::Fold for variance {
            type Mapped = Moments;
            type State = Moments;
            type Result = (f32, f32);
            #[inline(always)]
            fn map(
                __wf_bound: &Self::Bound<'_>,
                __wf_at: ::warpfold::__private::At,
            ) -> Moments {
                __wf_map(__wf_bound.0[__wf_at.element])
            }
            #[inline(always)]
            fn map_block<const __WF_N: usize>(
                __wf_bound: &Self::Bound<'_>,
                __wf_at: ::warpfold::__private::At,
                __wf_out: &mut [Moments; __WF_N],
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
            fn lift(__wf_mapped: Moments, __wf_index: u64) -> Moments {
                __wf_mapped
            }
            #[inline(always)]
            fn identity() -> Moments {
                Moments {
                    n: 0.0f32,
                    mean: 0.0f32,
                    m2: 0.0f32,
                    double: false,
                }
            }
            #[inline(always)]
            fn combine(__wf_left: Moments, __wf_right: Moments) -> Moments {
                __wf_combine(__wf_left, __wf_right)
            }
        }
        #[inline(always)]
        fn __wf_finish(s: Moments) -> (f32, f32) {
            (s.mean, s.m2 / s.n)
        }
        impl ::warpfold::__private::FoldRows for variance {
            #[inline(always)]
            fn finish(
                __wf_bound: &Self::Bound<'_>,
                __wf_state: Self::State,
                __wf_at: ::warpfold::__private::At,
            ) -> (f32, f32) {
                __wf_finish(__wf_state)
            }
        }
        #[inline(always)]
        fn square(x: f32) -> f32 {
            x * x
        }
    };
}
