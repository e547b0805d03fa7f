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
    /** Launches [`variance`](fn@variance): a reduction by an operator of its own.

 Stores `f32`, `f32`. Data on the host runs on the CPU, data on a GPU runs there.*/
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
        use ::warpfold::__private as __wf;
        impl variance {
            /** Reduces each row to one result.

 - `shape`: rows, columns and strides, in elements
 - `x`: one `bf16` an element, (rows - 1) × stride + columns of them or more

 Gives new arrays where the inputs live, one for each field of the result.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
            pub fn rows<P: __wf::Place>(
                shape: __wf::Rows,
                x: impl __wf::Input<__wf::bf16, Place = P>,
            ) -> __wf::Result<(P::Array<f32>, P::Array<f32>), __wf::Error> {
                __wf::rows_reduce::<Self, P>(shape, &[__wf::Input::argument(x)])
            }
            /** [`rows`](Self::rows) into arrays of the caller's.

 - `shape`: rows, columns and strides, in elements
 - `x`: one `bf16` an element, (rows - 1) × stride + columns of them or more

 Writes one array for each field of the result, and allocates nothing.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
            pub fn rows_into<P: __wf::Place>(
                shape: __wf::Rows,
                x: impl __wf::Input<__wf::bf16, Place = P>,
                out_0: impl __wf::Output<f32, Place: __wf::SamePlace<P>>,
                out_1: impl __wf::Output<f32, Place: __wf::SamePlace<P>>,
            ) -> __wf::Result<(), __wf::Error> {
                __wf::rows_reduce_into::<
                    Self,
                >(
                    shape,
                    &[__wf::Input::argument(x)],
                    &mut [__wf::Output::target(out_0), __wf::Output::target(out_1)],
                )
            }
            /** Reduces each column to one result.

 - `shape`: rows, columns and strides, in elements
 - `x`: one `bf16` an element, (rows - 1) × stride + columns of them or more

 Gives new arrays where the inputs live, one for each field of the result.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
            pub fn columns<P: __wf::Place>(
                shape: __wf::Rows,
                x: impl __wf::Input<__wf::bf16, Place = P>,
            ) -> __wf::Result<(P::Array<f32>, P::Array<f32>), __wf::Error> {
                __wf::columns_reduce::<Self, P>(shape, &[__wf::Input::argument(x)])
            }
            /** [`columns`](Self::columns) into arrays of the caller's.

 - `shape`: rows, columns and strides, in elements
 - `x`: one `bf16` an element, (rows - 1) × stride + columns of them or more

 Writes one array for each field of the result, and allocates nothing.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
            pub fn columns_into<P: __wf::Place>(
                shape: __wf::Rows,
                x: impl __wf::Input<__wf::bf16, Place = P>,
                out_0: impl __wf::Output<f32, Place: __wf::SamePlace<P>>,
                out_1: impl __wf::Output<f32, Place: __wf::SamePlace<P>>,
            ) -> __wf::Result<(), __wf::Error> {
                __wf::columns_reduce_into::<
                    Self,
                >(
                    shape,
                    &[__wf::Input::argument(x)],
                    &mut [__wf::Output::target(out_0), __wf::Output::target(out_1)],
                )
            }
            /** Reduces everything to one result.

 - `x`: one `bf16` an element

 Gives the value, on the host, once it is there.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
            pub fn array<P: __wf::Place>(
                x: impl __wf::Input<__wf::bf16, Place = P>,
            ) -> __wf::Result<(f32, f32), __wf::Error> {
                __wf::array_reduce::<Self, P>(&[__wf::Input::argument(x)])
            }
            /** [`array`](Self::array) into arrays of the caller's, of one element each.

 - `x`: one `bf16` an element

 Writes one array for each field of the result, and allocates nothing.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
            pub fn array_into<P: __wf::Place>(
                x: impl __wf::Input<__wf::bf16, Place = P>,
                out_0: impl __wf::Output<f32, Place: __wf::SamePlace<P>>,
                out_1: impl __wf::Output<f32, Place: __wf::SamePlace<P>>,
            ) -> __wf::Result<(), __wf::Error> {
                __wf::array_reduce_into::<
                    Self,
                >(
                    &[__wf::Input::argument(x)],
                    &mut [__wf::Output::target(out_0), __wf::Output::target(out_1)],
                )
            }
            /** Reduces each segment to one result.

 - `offsets`: where each segment starts, and where the last one ends
 - `x`: one `bf16` an element

 Gives new arrays where the inputs live, one for each field of the result.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
            pub fn segments<P: __wf::Place>(
                offsets: impl __wf::Offsets<Place = P>,
                x: impl __wf::Input<__wf::bf16, Place: __wf::SamePlace<P>>,
            ) -> __wf::Result<(P::Array<f32>, P::Array<f32>), __wf::Error> {
                __wf::segments_reduce::<
                    Self,
                    P,
                >(&__wf::Offsets::argument(offsets), &[__wf::Input::argument(x)])
            }
            /** [`segments`](Self::segments) into arrays of the caller's.

 - `offsets`: where each segment starts, and where the last one ends
 - `x`: one `bf16` an element

 Writes one array for each field of the result, and allocates nothing.

 # Errors

 Before anything runs: where an array is too short or inputs live in different places; on a GPU also what the driver or the compiler refuses.*/
            pub fn segments_into<P: __wf::Place>(
                offsets: impl __wf::Offsets<Place = P>,
                x: impl __wf::Input<__wf::bf16, Place: __wf::SamePlace<P>>,
                out_0: impl __wf::Output<f32, Place: __wf::SamePlace<P>>,
                out_1: impl __wf::Output<f32, Place: __wf::SamePlace<P>>,
            ) -> __wf::Result<(), __wf::Error> {
                __wf::segments_reduce_into::<
                    Self,
                >(
                    &__wf::Offsets::argument(offsets),
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
            /** What each lane of one group holds after each step, from up to `width` states; lanes without one hold the
 identity, a value that nobody may use is `None`, and states past the width are left out, as they stand
 in other groups.*/
            #[inline]
            pub fn trace(states: &[Moments]) -> __wf::Trace<Moments> {
                __wf::trace::<Self>(states)
            }
            /// The operator: the state of two runs of elements, the one met first on the left.
            #[inline]
            pub fn combine(left: Moments, right: Moments) -> Moments {
                <Self as __wf::Fold>::combine(left, right)
            }
            /// The neutral state.
            #[inline]
            pub fn identity() -> Moments {
                <Self as __wf::Fold>::identity()
            }
            /// What the state becomes when it is stored.
            #[inline]
            pub fn finish(state: Moments) -> (f32, f32) {
                __wf_finish(state)
            }
        }
        impl __wf::Spec for variance {
            const INFO: __wf::Info = __wf::Info {
                name: "variance",
                form: __wf::Form::Reduce,
                params: &[
                    __wf::Param {
                        name: "x",
                        kind: __wf::ParamKind::Plain,
                        ty: __wf::TypeInfo::of::<__wf::bf16>("bf16"),
                    },
                ],
                results: &[
                    __wf::TypeInfo::of::<f32>("f32"),
                    __wf::TypeInfo::of::<f32>("f32"),
                ],
                state: __wf::TypeInfo::of::<Moments>("Moments"),
                mapped: __wf::TypeInfo::of::<Moments>("Moments"),
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
        impl __wf::Bind for variance {
            type Bound<'a> = (&'a [__wf::bf16],);
            #[inline(always)]
            fn bind<'a>(__wf_arguments: &'a [__wf::Argument<'a>]) -> Self::Bound<'a> {
                (__wf_arguments[0usize].slice::<__wf::bf16>(),)
            }
        }
        #[inline(always)]
        fn __wf_map(x: __wf::bf16) -> Moments {
            Moments {
                n: ONE,
                mean: x.to_f32(),
                m2: NONE,
                double: false,
            }
        }
        impl __wf::Fold for variance {
            type Mapped = Moments;
            type State = Moments;
            type Result = (f32, f32);
            #[inline(always)]
            fn map(__wf_bound: &Self::Bound<'_>, __wf_at: __wf::At) -> Moments {
                __wf_map(__wf_bound.0[__wf_at.element])
            }
            #[inline(always)]
            fn map_block<const __WF_N: usize>(
                __wf_bound: &Self::Bound<'_>,
                __wf_at: __wf::At,
                __wf_out: &mut [Moments; __WF_N],
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
            fn combine(a: Moments, b: Moments) -> Moments {
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
        }
        #[inline(always)]
        fn __wf_finish(s: Moments) -> (f32, f32) {
            (s.mean, s.m2 / s.n)
        }
        impl __wf::FoldRows for variance {
            #[inline(always)]
            fn finish(
                __wf_bound: &Self::Bound<'_>,
                __wf_state: Self::State,
                __wf_at: __wf::At,
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
