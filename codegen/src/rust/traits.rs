//! The traits by which the runtime and the CPU back end know a spec.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};

use super::Writer;
use super::functions::own;
use super::info::option;
use super::value::Type;
use crate::cuda::{FoldKind, fold};
use crate::ir::{Closure, Form, Named, Operator, ParamKind, Ty};

impl Writer<'_> {
    /// Every trait of the spec's form, and the functions they call.
    pub(super) fn traits(&self) -> TokenStream {
        let (bind, map) = (self.bind(), self.lowered(&own("map"), &self.spec.map));
        let form = match &self.spec.form {
            Form::Reduce { finish, apply, .. } => {
                let (fold, rows) = (self.fold(), self.fold_rows(finish.as_ref(), apply.as_ref()));
                quote!(#fold #rows)
            }
            Form::Scan { finish, .. } => {
                let (fold, rows) = (self.fold(), self.scan_rows(finish.as_ref()));
                quote!(#fold #rows)
            }
            Form::Filter { keep } => self.filter_rows(keep.as_ref()),
            Form::Shuffle { .. } => self.shuffle_rows(),
        };
        quote!(#bind #map #form)
    }

    /// What reductions and scans have in common.
    fn fold(&self) -> TokenStream {
        let (spec, name) = (self.spec, self.name());
        let op = spec.op.as_ref().expect("reductions and scans have an operator");
        let (mapped, state, result) = (
            self.ty(&spec.map.ret),
            self.ty(&spec.state),
            self.ty(&spec.result),
        );
        let (lift, combine) = match op {
            Operator::Custom(function) => (
                quote!(__wf_mapped),
                self.lowered(&format_ident!("combine"), function),
            ),
            Operator::Named(named) => {
                let op = self.table(*named);
                (
                    quote!(#op::lift(__wf_mapped, __wf_index)),
                    quote! {
                        #[inline(always)]
                        fn combine(__wf_left: #state, __wf_right: #state) -> #state { #op::combine(__wf_left, __wf_right) }
                    },
                )
            }
        };
        let span = name.span();
        let identity = self.value(
            spec.identity.as_ref().expect("every operator has an identity"),
            span,
        );
        let init = spec.init.as_ref().map(|init| {
            let init = option(Some(self.value(init, span)));
            quote!(#[inline(always)] fn init() -> __wf::Option<#state> { #init })
        });
        let fold_lane = self.fold_lane(op, &mapped, &state);
        let (values, (before, block)) = (self.read_all(), self.read_block(0..self.spec.params.len()));
        quote! {
            impl __wf::Fold for #name {
                type Mapped = #mapped;
                type State = #state;
                type Result = #result;
                #[inline(always)]
                fn map(__wf_bound: &Self::Bound<'_>, __wf_at: __wf::At) -> #mapped {
                    __wf_map(#(#values),*)
                }
                #[inline(always)]
                fn map_block<const __WF_N: usize>(
                    __wf_bound: &Self::Bound<'_>, __wf_at: __wf::At, __wf_out: &mut [#mapped; __WF_N],
                ) {
                    #before
                    let mut __wf_i = 0_usize;
                    while __wf_i < __WF_N {
                        __wf_out[__wf_i] = __wf_map(#(#block),*);
                        __wf_i += 1;
                    }
                }
                #[inline(always)]
                fn lift(__wf_mapped: #mapped, __wf_index: u64) -> #state { #lift }
                #[inline(always)]
                fn identity() -> #state { #identity }
                #init
                #combine
                #fold_lane
            }
        }
    }

    /// The operator's own fold of a lane or a tile, where it has one.
    fn fold_lane(&self, op: &Operator, mapped: &Type, state: &Type) -> TokenStream {
        match op {
            Operator::Named(named) if fold(self.spec) == FoldKind::Lane => {
                let op = format_ident!("{}", table_name(*named));
                quote! {
                    #[inline(always)]
                    fn fold_lane(
                        __wf_mapped: &[#mapped], __wf_v: usize, __wf_first: u64, __wf_stride: u64, __wf_limit: u64,
                    ) -> #state {
                        <__wf::ops::#op as __wf::ops::LaneFold<#mapped>>::fold_lane(
                            __wf_mapped, __wf_v, __wf_first, __wf_stride, __wf_limit,
                        )
                    }
                }
            }
            Operator::Named(named) if fold(self.spec) == FoldKind::Tile => {
                let op = format_ident!("{}", table_name(*named));
                quote! {
                    #[inline(always)]
                    fn fold_tile(__wf_mapped: &[#mapped], __wf_shape: __wf::Tile) -> #state {
                        <__wf::ops::#op as __wf::ops::TileFold<#mapped>>::fold_tile(__wf_mapped, __wf_shape)
                    }
                }
            }
            _ => TokenStream::new(),
        }
    }

    /// `<ops::Max as ops::Operator<f32>>`.
    fn table(&self, named: Named) -> TokenStream {
        let mapped = self.ty(&self.spec.map.ret);
        let op = format_ident!("{}", table_name(named));
        quote!(<__wf::ops::#op as __wf::ops::Operator<#mapped>>)
    }

    fn fold_rows(&self, finish: Option<&Closure>, apply: Option<&Closure>) -> TokenStream {
        let (name, result) = (self.name(), self.ty(&self.spec.result));
        if let Some(apply) = apply {
            let (function, call) = self.closure("apply", apply);
            let applied = own("apply");
            let state = self.closure_state(apply, quote!(__wf_state));
            let (before, values) = self.read_block(apply.captures.iter().copied());
            return quote! {
                #function
                impl __wf::FoldRows for #name {
                    #[inline(always)]
                    fn apply(__wf_bound: &Self::Bound<'_>, __wf_state: Self::State, __wf_at: __wf::At) -> #result {
                        #call
                    }
                    #[inline(always)]
                    fn apply_block<const __WF_N: usize>(
                        __wf_bound: &Self::Bound<'_>, __wf_state: Self::State, __wf_at: __wf::At,
                        __wf_out: &mut [#result; __WF_N],
                    ) {
                        #before
                        let mut __wf_i = 0_usize;
                        while __wf_i < __WF_N {
                            __wf_out[__wf_i] = #applied(#state #(, #values)*);
                            __wf_i += 1;
                        }
                    }
                }
            };
        }
        let (function, finish) = self.finish(finish);
        quote! {
            #function
            impl __wf::FoldRows for #name { #finish }
        }
    }

    fn scan_rows(&self, finish: Option<&Closure>) -> TokenStream {
        let name = self.name();
        let (function, finish) = self.finish(finish);
        quote! {
            #function
            impl __wf::ScanRows for #name { #finish }
        }
    }

    /// The user's `finish` and the trait's, which without one stores the state.
    fn finish(&self, finish: Option<&Closure>) -> (TokenStream, TokenStream) {
        let result = self.ty(&self.spec.result);
        let (function, call) = match finish {
            Some(finish) => self.closure("finish", finish),
            None => (TokenStream::new(), self.stored(quote!(__wf_state))),
        };
        let finish = quote! {
            #[inline(always)]
            fn finish(__wf_bound: &Self::Bound<'_>, __wf_state: Self::State, __wf_at: __wf::At) -> #result {
                #call
            }
        };
        (function, finish)
    }

    /// What is stored of a state without `finish`: `first` and `last` hide whether there was an element.
    pub(super) fn stored(&self, state: TokenStream) -> TokenStream {
        match &self.spec.op {
            Some(Operator::Named(Named::First | Named::Last)) => quote!(#state.1),
            _ => state,
        }
    }

    /// A closure of a state as a function, and a call of it with what it captures read at `__wf_at`.
    fn closure(&self, name: &str, closure: &Closure) -> (TokenStream, TokenStream) {
        let name = own(name);
        let function = self.lowered(&name, &closure.function);
        let state = self.closure_state(closure, quote!(__wf_state));
        let captures = closure.captures.iter().map(|&param| self.read(param));
        (function, quote!(#name(#state #(, #captures)*)))
    }

    /// The state as a closure takes it: of `first` and `last`, whichever of the state and its value it asks for.
    pub(super) fn closure_state(&self, closure: &Closure, state: TokenStream) -> TokenStream {
        let asked: &Ty = &closure.function.params[0].ty;
        if *asked == self.spec.state {
            state
        } else {
            self.stored(state)
        }
    }

    fn filter_rows(&self, keep: Option<&Closure>) -> TokenStream {
        let (name, result) = (self.name(), self.ty(&self.spec.result));
        let values = self.read_all();
        let (function, kept) = match keep {
            Some(keep) => {
                let ident = own("keep");
                let function = self.lowered(&ident, &keep.function);
                let captures = keep.captures.iter().map(|&param| self.read(param));
                (function, quote!(#ident(#(#captures),*)))
            }
            None => (TokenStream::new(), self.plain_values()),
        };
        quote! {
            #function
            impl __wf::FilterRows for #name {
                type Result = #result;
                #[inline(always)]
                fn keeps(__wf_bound: &Self::Bound<'_>, __wf_at: __wf::At) -> bool {
                    __wf_map(#(#values),*)
                }
                #[inline(always)]
                fn kept(__wf_bound: &Self::Bound<'_>, __wf_at: __wf::At) -> #result {
                    #kept
                }
            }
        }
    }

    /// The plain parameters: one as it is, several as a tuple.
    fn plain_values(&self) -> TokenStream {
        let plain = self
            .spec
            .params
            .iter()
            .enumerate()
            .filter(|(_, param)| param.kind == ParamKind::Plain);
        let values: Vec<TokenStream> = plain.map(|(i, _)| self.read(i)).collect();
        if matches!(self.spec.result, Ty::Tuple(_)) {
            quote!((#(#values,)*))
        } else {
            quote!(#(#values)*)
        }
    }

    fn shuffle_rows(&self) -> TokenStream {
        let (name, result) = (self.name(), self.ty(&self.spec.result));
        let values = self.read_all();
        quote! {
            impl __wf::ShuffleRows for #name {
                type Result = #result;
                #[inline(always)]
                fn map(__wf_bound: &Self::Bound<'_>, __wf_at: __wf::At) -> #result {
                    __wf_map(#(#values),*)
                }
            }
        }
    }
}

/// The type of the runtime's `ops` that is this operator.
fn table_name(named: Named) -> proc_macro2::Ident {
    let name = match named {
        Named::Sum => "Sum",
        Named::Product => "Product",
        Named::Min => "Min",
        Named::Max => "Max",
        Named::Minimum => "Minimum",
        Named::Maximum => "Maximum",
        Named::And => "And",
        Named::Or => "Or",
        Named::Xor => "Xor",
        Named::Any => "Any",
        Named::All => "All",
        Named::Count => "Count",
        Named::Ballot => "Ballot",
        Named::Argmin => "Argmin",
        Named::Argmax => "Argmax",
        Named::First => "First",
        Named::Last => "Last",
        Named::Softmax => "Softmax",
        Named::Welford => "Welford",
        Named::Affine => "Affine",
    };
    proc_macro2::Ident::new(name, Span::call_site())
}
