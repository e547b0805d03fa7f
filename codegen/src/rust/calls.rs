//! The associated functions of a spec: which launches a form has, as a table, and the plain facts beside them.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::calls_common::{Call, Gives, Takes};
use super::docs::{COMBINE, COST, CUDA, FINISH, IDENTITY, PLAN, PREPARE, TRACE};
use super::functions::own;
use super::{Refused, Writer};
use crate::ir::{Closure, Form, ParamKind};

impl Writer<'_> {
    /// The inherent implementation.
    pub(super) fn calls(&self) -> TokenStream {
        let name = self.name();
        let launches = self.launches();
        let absent = self.absent(&launches);
        let launches = launches.iter().map(|call| self.launch(call));
        let facts = self.facts();
        quote! {
            impl #name {
                #(#launches)*
                #facts
            }
            #absent
        }
    }

    /// The launches of the form, as a table.
    #[rustfmt::skip]
    fn launches(&self) -> Vec<Call> {
        use Gives::{Arrays, Counted, CountedInto, InPlace, Indices, IndicesInto, Into, Segmented, SegmentedInto, Value};
        use Takes::{Array, Offsets, Shape};
        let call = |name, runtime, takes, gives, docs| Call { name, runtime, takes, gives, docs };
        let mut calls = match &self.spec.form {
            Form::Reduce { apply: None, .. } => vec![
                call("rows", "rows_reduce", Shape, Arrays, "Reduces each row to one result."),
                call("rows_into", "rows_reduce_into", Shape, Into, "[`rows`](Self::rows) into arrays of the caller's."),
                call("columns", "columns_reduce", Shape, Arrays, "Reduces each column to one result."),
                call("columns_into", "columns_reduce_into", Shape, Into, "[`columns`](Self::columns) into arrays of the caller's."),
                call("array", "array_reduce", Array, Value, "Reduces everything to one result."),
                call("array_into", "array_reduce_into", Array, Into, "[`array`](Self::array) into arrays of the caller's, of one element each."),
                call("segments", "segments_reduce", Offsets, Arrays, "Reduces each segment to one result."),
                call("segments_into", "segments_reduce_into", Offsets, Into, "[`segments`](Self::segments) into arrays of the caller's."),
            ],
            Form::Reduce { apply: Some(_), .. } => vec![
                call("rows", "rows_reduce", Shape, Arrays, "Applies each row's state to its elements: rows × columns results."),
                call("rows_into", "rows_reduce_into", Shape, Into, "[`rows`](Self::rows) into arrays of the caller's."),
                call("rows_in_place", "rows_reduce_in_place", Shape, InPlace, "[`rows`](Self::rows) in place."),
                call("segments", "segments_reduce", Offsets, Arrays, "Applies each segment's state to its elements: one result an element."),
                call("segments_into", "segments_reduce_into", Offsets, Into, "[`segments`](Self::segments) into arrays of the caller's."),
            ],
            Form::Scan { .. } => vec![
                call("rows", "rows_scan", Shape, Arrays, "Scans each row: rows × columns results."),
                call("rows_into", "rows_scan_into", Shape, Into, "[`rows`](Self::rows) into arrays of the caller's."),
                call("rows_in_place", "rows_scan_in_place", Shape, InPlace, "[`rows`](Self::rows) in place."),
                call("columns", "columns_scan", Shape, Arrays, "Scans each column: rows × columns results."),
                call("columns_into", "columns_scan_into", Shape, Into, "[`columns`](Self::columns) into arrays of the caller's."),
                call("array", "array_scan", Array, Arrays, "Scans everything: one result an element."),
                call("array_into", "array_scan_into", Array, Into, "[`array`](Self::array) into arrays of the caller's."),
                call("array_in_place", "array_scan_in_place", Array, InPlace, "[`array`](Self::array) in place."),
                call("segments", "segments_scan", Offsets, Arrays, "Scans each segment: one result an element."),
                call("segments_into", "segments_scan_into", Offsets, Into, "[`segments`](Self::segments) into arrays of the caller's."),
            ],
            Form::Filter { .. } => vec![
                call("rows", "rows_filter", Shape, Counted, "Each row's kept elements at its start, the rest zero, and how many each row keeps."),
                call("rows_into", "rows_filter_into", Shape, CountedInto, "[`rows`](Self::rows) into arrays of the caller's."),
                call("array", "array_filter", Array, Arrays, "The kept elements, in their order."),
                call("array_into", "array_filter_into", Array, CountedInto, "[`array`](Self::array) into arrays of the caller's, with room for every element; `counts` gets their number."),
                call("indices", "array_indices", Array, Indices, "Where the kept elements stand, in their order."),
                call("indices_into", "array_indices_into", Array, IndicesInto, "[`indices`](Self::indices) into an array of the caller's, with room for every element; `counts` gets their number."),
                call("segments", "segments_filter", Offsets, Segmented, "What each segment keeps, one behind the other, and the offsets of what they keep."),
                call("segments_into", "segments_filter_into", Offsets, SegmentedInto, "[`segments`](Self::segments) into arrays of the caller's, with room for every element; `kept_offsets` gets as many offsets as were given."),
            ],
            Form::Shuffle { .. } => vec![
                call("rows", "rows_shuffle", Shape, Arrays, "Moves each row's values between the lanes of its groups."),
                call("rows_into", "rows_shuffle_into", Shape, Into, "[`rows`](Self::rows) into arrays of the caller's."),
            ],
        };
        calls.retain(|call| call.gives != InPlace || self.fits_in_place());
        calls
    }

    /// Whether what is stored has the type of the first plain parameter.
    fn fits_in_place(&self) -> bool {
        let first = self
            .spec
            .params
            .iter()
            .find(|param| param.kind == ParamKind::Plain);
        let fits = first.is_some_and(|param| param.local.ty == self.spec.result);
        fits || self.refused == Some(Refused::Untyped)
    }

    /// What needs no launch: what the spec says of itself, and its operator as plain Rust.
    fn facts(&self) -> TokenStream {
        let about = self.about();
        let known = self.spec.op.is_some() && self.refused != Some(Refused::Untyped);
        let operator = known.then(|| self.operator_facts());
        quote!(#about #operator)
    }

    fn about(&self) -> TokenStream {
        let [cuda, plan] = ["cuda", "plan"].map(|name| {
            let name = format_ident!("{name}");
            self.or_never(quote!(__wf::#name::<Self>()))
        });
        let [prepare, cost] = ["prepare", "cost"].map(|name| {
            let name = format_ident!("{name}");
            self.or_never(quote!(__wf::#name::<Self>(context, shape)))
        });
        quote! {
            #[doc = #CUDA]
            #[inline]
            pub fn cuda() -> __wf::String {
                #cuda
            }
            #[doc = #PLAN]
            #[inline]
            pub fn plan() -> __wf::Proved {
                #plan
            }
            #[doc = #PREPARE]
            #[inline]
            pub fn prepare(
                context: &__wf::Arc<__wf::CudaContext>, shape: __wf::Rows,
            ) -> __wf::Result<(), __wf::Error> {
                #prepare
            }
            #[doc = #COST]
            #[inline]
            pub fn cost(
                context: &__wf::Arc<__wf::CudaContext>, shape: __wf::Rows,
            ) -> __wf::Result<__wf::Cost, __wf::Error> {
                #cost
            }
        }
    }

    fn operator_facts(&self) -> TokenStream {
        let state = self.ty(&self.spec.state);
        let finish = match &self.spec.form {
            Form::Reduce {
                apply: None, finish, ..
            }
            | Form::Scan { finish, .. } => Some(self.finish_fact(finish.as_ref())),
            _ => None,
        };
        let trace = self.or_never(quote!(__wf::trace::<Self>(states)));
        let combine = self.or_never(quote!(<Self as __wf::Fold>::combine(left, right)));
        let identity = self.or_never(quote!(<Self as __wf::Fold>::identity()));
        quote! {
            #[doc = #TRACE]
            #[inline]
            pub fn trace(states: &[#state]) -> __wf::Trace<#state> {
                #trace
            }
            #[doc = #COMBINE]
            #[inline]
            pub fn combine(left: #state, right: #state) -> #state {
                #combine
            }
            #[doc = #IDENTITY]
            #[inline]
            pub fn identity() -> #state {
                #identity
            }
            #finish
        }
    }

    /// What is stored of a state, given the parameters that `finish` names.
    fn finish_fact(&self, finish: Option<&Closure>) -> TokenStream {
        let (state, result, name) = (
            self.ty(&self.spec.state),
            self.ty(&self.spec.result),
            self.fresh("state"),
        );
        let captures: Vec<usize> = finish.map(|finish| finish.captures.clone()).unwrap_or_default();
        let captures: Vec<_> = captures
            .into_iter()
            .map(|param| &self.spec.params[param].local)
            .collect();
        let (names, types) = (
            captures.iter().map(|local| &local.name),
            captures.iter().map(|local| self.ty(&local.ty)),
        );
        let value = match finish {
            Some(finish) => {
                let (own, state) = (own("finish"), self.closure_state(finish, quote!(#name)));
                let names = captures.iter().map(|local| &local.name);
                quote!(#own(#state #(, #names)*))
            }
            None => self.stored(quote!(#name)),
        };
        let value = self.or_never(value);
        quote! {
            #[doc = #FINISH]
            #[inline]
            pub fn finish(#name: #state #(, #names: #types)*) -> #result {
                #value
            }
        }
    }
}
