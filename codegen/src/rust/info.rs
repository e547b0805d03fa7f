//! The facts of a spec as a constant, for the launch.

use std::str::FromStr;

use proc_macro2::{Literal, Span, TokenStream};
use quote::{format_ident, quote};
use warpfold_lanes::{Order, Shuffle};

use super::Writer;
use crate::cuda::{FoldKind, fold, order};
use crate::ir::{Form, Land, Named, Operator, ParamKind, Ty};

impl Writer<'_> {
    /// The implementation of `Spec`.
    pub(super) fn info(&self, cuda: &str) -> TokenStream {
        let (spec, ident, cuda) = (self.spec, self.name(), raw(cuda));
        let name = ident.to_string();
        let name = name.trim_start_matches("r#");
        let form = self.form();
        let params = spec.params.iter().map(|param| {
            let name = param.local.name.to_string();
            let name = name.trim_start_matches("r#");
            let kind = format_ident!("{}", kind_name(param.kind));
            let ty = self.type_info(&param.local.ty);
            quote!(__wf::Param { name: #name, kind: __wf::ParamKind::#kind, ty: #ty })
        });
        let results = self.result_fields().into_iter().map(|ty| self.type_info(ty));
        let (state, mapped) = (self.type_info(&spec.state), self.type_info(&spec.map.ret));
        let fold = format_ident!(
            "{}",
            match fold(spec) {
                FoldKind::Striped => "Striped",
                FoldKind::Blocked => "Blocked",
                FoldKind::Lane => "Lane",
                FoldKind::Tile => "Tile",
            }
        );
        let order = format_ident!(
            "{}",
            match order(spec) {
                Order::Symmetric => "Symmetric",
                Order::AnyOrder => "AnyOrder",
                Order::InOrder => "InOrder",
            }
        );
        let width = option(spec.width.map(|width| {
            let lanes = width.lanes();
            quote!(#lanes)
        }));
        let land = match &spec.form {
            Form::Reduce {
                land: Land::Lane(lane),
                ..
            } => quote!(__wf::Land::Lane(#lane)),
            Form::Reduce { land: Land::All, .. } => quote!(__wf::Land::All),
            _ => quote!(__wf::Land::Lane(0)),
        };
        let mask = spec.mask.0;
        let has_init = spec.init.is_some();
        let has_apply = matches!(spec.form, Form::Reduce { apply: Some(_), .. });
        let max_columns = option(matches!(spec.op, Some(Operator::Named(Named::Ballot))).then(|| quote!(32)));
        quote! {
            impl __wf::Spec for #ident {
                const INFO: __wf::Info = __wf::Info {
                    name: #name,
                    form: #form,
                    params: &[#(#params),*],
                    results: &[#(#results),*],
                    state: #state,
                    mapped: #mapped,
                    fold: __wf::TileFold::#fold,
                    order: __wf::Order::#order,
                    width: #width,
                    land: #land,
                    mask: #mask,
                    has_init: #has_init,
                    has_apply: #has_apply,
                    max_columns: #max_columns,
                };
                const CUDA: &'static str = #cuda;
            }
        }
    }

    /// The types of the arrays that results go to: a tuple comes apart.
    pub(super) fn result_fields(&self) -> Vec<&Ty> {
        match &self.spec.result {
            Ty::Tuple(fields) => fields.iter().collect(),
            ty => vec![ty],
        }
    }

    fn form(&self) -> TokenStream {
        match &self.spec.form {
            Form::Reduce { .. } => quote!(__wf::Form::Reduce),
            Form::Scan {
                exclusive, reverse, ..
            } => {
                quote!(__wf::Form::Scan { exclusive: #exclusive, reverse: #reverse })
            }
            Form::Filter { .. } => quote!(__wf::Form::Filter),
            Form::Shuffle { from } => {
                let (name, k) = match from {
                    Shuffle::Up(k) => ("Up", k),
                    Shuffle::Down(k) => ("Down", k),
                    Shuffle::Xor(k) => ("Xor", k),
                    Shuffle::Lane(k) => ("Lane", k),
                    Shuffle::Rotate(k) => ("Rotate", k),
                };
                let name = format_ident!("{name}");
                quote!(__wf::Form::Shuffle(__wf::Exchange::#name(#k)))
            }
        }
    }

    fn type_info(&self, ty: &Ty) -> TokenStream {
        let (tokens, name) = (self.ty(ty), ty.to_string());
        let info = quote!(__wf::TypeInfo::of::<#tokens>(#name));
        if !matches!(ty, Ty::Tuple(_)) {
            return info;
        }
        // Rust may lay a tuple out its own way; kernels follow C.
        let (size, align) = ty.layout(self.module);
        quote!(__wf::TypeInfo { size: #size, align: #align, ..#info })
    }
}

/// A text of many lines as a raw literal, which rustc reads as it stands: to escape it character by character takes a
/// macro, which nothing optimises in a debug build, longer than most else it does.
fn raw(text: &str) -> Literal {
    let longest = text
        .split('"')
        .skip(1)
        .map(|after| after.len() - after.trim_start_matches('#').len());
    let hashes = "#".repeat(longest.max().map_or(0, |longest| longest + 1));
    let mut literal = Literal::from_str(&format!("r{hashes}\"{text}\"{hashes}"))
        .expect("no quote in the text is followed by as many hashes, and no line ends in a carriage return");
    literal.set_span(Span::call_site());
    literal
}

/// `Some` and `None` without a prelude.
pub(super) fn option(value: Option<TokenStream>) -> TokenStream {
    value.map_or_else(|| quote!(__wf::None), |value| quote!(__wf::Some(#value)))
}

fn kind_name(kind: ParamKind) -> &'static str {
    match kind {
        ParamKind::Plain => "Plain",
        ParamKind::PerColumn => "PerColumn",
        ParamKind::PerRow => "PerRow",
        ParamKind::Uniform => "Uniform",
        ParamKind::Index => "Index",
        ParamKind::Row => "Row",
        ParamKind::Len => "Len",
        ParamKind::Live => "Live",
    }
}
