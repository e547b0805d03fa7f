//! How one associated function that launches a spec is written.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::value::{Type, scalar};
use super::{Refused, Writer};
use crate::ir::{ParamKind, Scalar, Ty};

/// One associated function.
pub(super) struct Call {
    /// Its name.
    pub(super) name: &'static str,
    /// The function of the runtime that it hands its arguments to.
    pub(super) runtime: &'static str,
    /// What comes before the arguments of the annotated function.
    pub(super) takes: Takes,
    /// What it gives, and with it what comes after them.
    pub(super) gives: Gives,
    /// What it does.
    pub(super) docs: &'static str,
}

/// What comes before the arguments of the annotated function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// The shape of the rows.
    Shape,
    /// The offsets of the segments.
    Offsets,
    /// Nothing: the arrays are one.
    Array,
}

/// What a call gives back.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Gives {
    /// New arrays, one a field of the result.
    Arrays,
    /// New arrays and the counts of what they hold.
    Counted,
    /// New arrays and the offsets of what segments have in them.
    Segmented,
    /// A new array of positions.
    Indices,
    /// One result, on the host.
    Value,
    /// Nothing: it writes into its last arguments, one a field of the result.
    Into,
    /// Nothing: the same, and one more for the counts.
    CountedInto,
    /// Nothing: the same, and one more for the offsets.
    SegmentedInto,
    /// Nothing: it writes positions and how many they are.
    IndicesInto,
    /// Nothing: the results take the place of the first plain parameter's elements.
    InPlace,
}

/// The body of a call that never runs. It is evaluated only when all else compiles: should nobody else have complained,
/// it does.
fn never() -> TokenStream {
    quote!(const { ::core::panic!("this spec is refused") })
}

/// The bound of an array that is not the first of its call.
fn same_place(place: &Ident) -> TokenStream {
    quote!(Place: __wf::SamePlace<#place>)
}

impl Writer<'_> {
    /// The function.
    pub(super) fn launch(&self, call: &Call) -> TokenStream {
        if self.refused == Some(Refused::Untyped) {
            return self.untyped(call);
        }
        let (name, runtime) = (format_ident!("{}", call.name), format_ident!("{}", call.runtime));
        let place = self.place_name();
        let kept = matches!(call.gives, Gives::Segmented | Gives::SegmentedInto);
        let offsets = self.fresh_type(&["O", "Offsets", "__WfOffsets"]);
        let offset = quote!(<#offsets as __wf::Offsets>::Offset);
        let lead = match call.takes {
            Takes::Shape => Some((self.fresh("shape"), quote!(__wf::Rows))),
            Takes::Offsets if kept => Some((self.fresh("offsets"), quote!(#offsets))),
            Takes::Offsets => Some((self.fresh("offsets"), quote!(impl __wf::Offsets<Place = #place>))),
            Takes::Array => None,
        };
        let bound = kept.then(|| quote!(, #offsets: __wf::Offsets<Place = #place>));
        let lead_params = lead.iter().map(|(name, ty)| quote!(#name: #ty));
        let lead_args = lead.iter().map(|(name, _)| {
            if call.takes == Takes::Offsets {
                quote!(&__wf::Offsets::argument(#name),)
            } else {
                quote!(#name,)
            }
        });
        let in_place = call.gives == Gives::InPlace;
        let (params, args) = (self.params(&place, call.takes, in_place), self.args(in_place));
        let outputs = self.outputs(call.gives);
        let counts = self.counts(call.gives, &offset);
        let written = outputs.iter().chain(&counts);
        let there = same_place(&place);
        let out_params = written.map(|(name, ty)| quote!(#name: impl __wf::Output<#ty, #there>));
        let out_args = self.out_args(call.gives, &outputs, counts.as_ref());
        let gives = self.gives(call.gives, &place, &offset);
        let generics = match call.gives {
            Gives::Segmented => quote!(<Self, #place, #offset>),
            Gives::SegmentedInto => quote!(<Self, #offset>),
            _ if out_args.is_empty() => quote!(<Self, #place>),
            _ => quote!(<Self>),
        };
        let value = quote!(__wf::#runtime::#generics(#(#lead_args)* &[#(#args),*] #out_args));
        let value = if self.refused.is_some() {
            never()
        } else {
            self.flattened(call.gives, value)
        };
        let docs = self.call_docs(call);
        quote! {
            #[doc = #docs]
            pub fn #name<#place: __wf::Place #bound>(
                #(#lead_params,)* #(#params,)* #(#out_params,)*
            ) -> __wf::Result<#gives, __wf::Error> {
                #value
            }
        }
    }

    /// The function where its types are not known: it takes as many arguments, of any type.
    fn untyped(&self, call: &Call) -> TokenStream {
        let name = format_ident!("{}", call.name);
        let lead = match call.takes {
            Takes::Shape => Some(self.fresh("shape")),
            Takes::Offsets => Some(self.fresh("offsets")),
            Takes::Array => None,
        };
        let into = matches!(
            call.gives,
            Gives::Into | Gives::CountedInto | Gives::SegmentedInto | Gives::IndicesInto
        );
        let out = into.then(|| self.fresh("out"));
        let counts = self.counts(call.gives, &quote!()).map(|(name, _)| name);
        let passed = self.passed().map(|(name, ..)| name.clone());
        let names = lead.into_iter().chain(passed).chain(out).chain(counts);
        let never = never();
        quote! {
            pub fn #name(
                #(#names: impl __wf::Sized),*
            ) -> __wf::Result<__wf::Refused, __wf::Error> {
                #never
            }
        }
    }

    /// The arguments of the annotated function that are passed, as parameters.
    ///
    /// The first array of a call, which may be the offsets, says where the call runs; the others are asked to live in the
    /// same place by a trait, whose message says so.
    fn params(&self, place: &Ident, takes: Takes, in_place: bool) -> Vec<TokenStream> {
        let target = self.first_plain();
        let mut placed = takes == Takes::Offsets;
        self.passed()
            .map(|(name, kind, ty)| {
                let ty = self.ty(ty);
                if kind == ParamKind::Uniform {
                    return quote!(#name: #ty);
                }
                let there = if placed {
                    same_place(place)
                } else {
                    quote!(Place = #place)
                };
                placed = true;
                if in_place && Some(name) == target {
                    quote!(#name: impl __wf::Output<#ty, #there>)
                } else {
                    quote!(#name: impl __wf::Input<#ty, #there>)
                }
            })
            .collect()
    }

    /// The same with their types erased, for the runtime.
    fn args(&self, in_place: bool) -> Vec<TokenStream> {
        let target = self.first_plain();
        self.passed()
            .map(|(name, kind, _)| match kind {
                ParamKind::Uniform => quote!(__wf::Argument::uniform(&#name)),
                _ if in_place && Some(name) == target => quote!(__wf::Argument::InPlace),
                _ => quote!(__wf::Input::argument(#name)),
            })
            .collect()
    }

    /// The first plain parameter, whose place results may take.
    fn first_plain(&self) -> Option<&Ident> {
        self.passed()
            .find(|(_, kind, _)| *kind == ParamKind::Plain)
            .map(|(name, ..)| name)
    }

    /// The outputs of an `_into` call, with their element types.
    fn outputs(&self, gives: Gives) -> Vec<(Ident, Type)> {
        let fields: Vec<Type> = match gives {
            Gives::Into | Gives::CountedInto | Gives::SegmentedInto => {
                self.result_fields().into_iter().map(|ty| self.ty(ty)).collect()
            }
            Gives::IndicesInto => vec![scalar(Scalar::U64)],
            _ => Vec::new(),
        };
        let one = fields.len() == 1;
        let name = |i| {
            if one {
                self.fresh("out")
            } else {
                self.fresh(&format!("out_{i}"))
            }
        };
        fields
            .into_iter()
            .enumerate()
            .map(|(i, ty)| (name(i), ty))
            .collect()
    }

    /// The output for counts or offsets, where there is one.
    fn counts(&self, gives: Gives, offset: &TokenStream) -> Option<(Ident, Type)> {
        match gives {
            Gives::CountedInto | Gives::IndicesInto => Some((self.fresh("counts"), scalar(Scalar::U64))),
            Gives::SegmentedInto => Some((self.fresh("kept_offsets"), Type::Tokens(offset.clone()))),
            _ => None,
        }
    }

    /// What follows the arguments in the call of the runtime.
    fn out_args(
        &self,
        gives: Gives,
        outputs: &[(Ident, Type)],
        counts: Option<&(Ident, Type)>,
    ) -> TokenStream {
        let targets = outputs
            .iter()
            .map(|(name, _)| quote!(__wf::Output::target(#name)));
        let counts = counts.map(|(name, _)| quote!(, __wf::Output::target(#name)));
        match gives {
            Gives::Into | Gives::CountedInto | Gives::SegmentedInto => {
                quote!(, &mut [#(#targets),*] #counts)
            }
            Gives::IndicesInto => quote!(, #(#targets)* #counts),
            Gives::InPlace => {
                let name = self.first_plain();
                quote!(, __wf::Output::target(#name))
            }
            Gives::Arrays | Gives::Counted | Gives::Segmented | Gives::Indices | Gives::Value => {
                TokenStream::new()
            }
        }
    }

    fn gives(&self, gives: Gives, place: &Ident, offset: &TokenStream) -> TokenStream {
        let arrays = || {
            self.result_fields()
                .into_iter()
                .map(|ty| self.ty(ty))
                .map(|ty| quote!(#place::Array<#ty>))
        };
        match gives {
            Gives::Arrays if matches!(self.spec.result, Ty::Tuple(_)) => {
                let arrays = arrays();
                quote!((#(#arrays,)*))
            }
            Gives::Arrays => {
                let arrays = arrays();
                quote!(#(#arrays)*)
            }
            Gives::Counted => {
                let arrays = arrays();
                quote!((#(#arrays,)* #place::Array<u64>))
            }
            Gives::Segmented => {
                let arrays = arrays();
                quote!((#(#arrays,)* #place::Array<#offset>))
            }
            Gives::Indices => quote!(#place::Array<u64>),
            Gives::Value => self.ty(&self.spec.result).into_token_stream(),
            Gives::Into | Gives::CountedInto | Gives::SegmentedInto | Gives::IndicesInto | Gives::InPlace => {
                quote!(())
            }
        }
    }

    /// Arrays and their counts as one tuple, where the arrays are a tuple already.
    fn flattened(&self, gives: Gives, value: TokenStream) -> TokenStream {
        match (gives, &self.spec.result) {
            (Gives::Counted | Gives::Segmented, Ty::Tuple(fields)) => {
                let fields: Vec<syn::Index> = (0..fields.len()).map(syn::Index::from).collect();
                quote! {
                    match #value {
                        __wf::Ok((__wf_arrays, __wf_counts)) => {
                            __wf::Ok((#(__wf_arrays.#fields,)* __wf_counts))
                        }
                        __wf::Err(__wf_error) => __wf::Err(__wf_error),
                    }
                }
            }
            _ => value,
        }
    }

    /// The name of the type parameter for the place of the data: one that no struct in sight has.
    fn place_name(&self) -> Ident {
        self.fresh_type(&["P", "Place", "__WfPlace"])
    }

    /// The first of these names that no struct in sight has.
    fn fresh_type(&self, names: &[&str; 3]) -> Ident {
        let taken = |name: &str| self.module.structs.iter().any(|s| s.name == name);
        Ident::new(
            names.iter().find(|name| !taken(name)).unwrap_or(&names[2]),
            Span::call_site(),
        )
    }

    /// A name for a parameter of our own that no parameter of the user's has.
    pub(super) fn fresh(&self, name: &str) -> Ident {
        let mut name = name.to_owned();
        while self.spec.params.iter().any(|param| param.local.name == name) {
            name.push('_');
        }
        Ident::new(&name, Span::call_site())
    }
}
