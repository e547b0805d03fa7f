//! Types and constant values as Rust tokens.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use super::Writer;
use crate::ir::{Scalar, Ty};
use crate::value::Value;

/// A type. One name stays one: the compiler is asked to join two streams of tokens, not to take one token more.
#[derive(Clone)]
pub(super) enum Type {
    Name(Ident),
    Tokens(TokenStream),
}

impl ToTokens for Type {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Name(name) => name.to_tokens(tokens),
            Self::Tokens(ty) => ty.to_tokens(tokens),
        }
    }
}

impl Writer<'_> {
    /// A type.
    pub(super) fn ty(&self, ty: &Ty) -> Type {
        match ty {
            Ty::Scalar(of) => scalar(*of),
            Ty::Tuple(fields) => {
                let fields = fields.iter().map(|field| self.ty(field));
                Type::Tokens(quote!((#(#fields,)*)))
            }
            Ty::Struct(name) => Type::Name(self.find_struct(name).name.clone()),
        }
    }

    /// A constant value. Negative numbers come in parentheses, so that a method may follow.
    pub(super) fn value(&self, value: &Value, span: Span) -> TokenStream {
        match value {
            Value::Bool(b) => {
                let b = Ident::new(if *b { "true" } else { "false" }, span);
                quote!(#b)
            }
            Value::I8(v) => integer((*v).into(), "i8", span),
            Value::I16(v) => integer((*v).into(), "i16", span),
            Value::I32(v) => integer((*v).into(), "i32", span),
            Value::I64(v) => integer((*v).into(), "i64", span),
            Value::U8(v) => integer((*v).into(), "u8", span),
            Value::U16(v) => integer((*v).into(), "u16", span),
            Value::U32(v) => integer((*v).into(), "u32", span),
            Value::U64(v) => integer((*v).into(), "u64", span),
            Value::F32(v) if v.is_finite() => float(v.is_sign_negative(), &format!("{:?}f32", v.abs()), span),
            Value::F64(v) if v.is_finite() => float(v.is_sign_negative(), &format!("{:?}f64", v.abs()), span),
            Value::F32(v) => from_bits(
                &scalar(Scalar::F32),
                &literal(&format!("0x{:08x}", v.to_bits()), span),
                span,
            ),
            Value::F64(v) => from_bits(
                &scalar(Scalar::F64),
                &literal(&format!("0x{:016x}", v.to_bits()), span),
                span,
            ),
            Value::F16(v) => from_bits(
                &scalar(Scalar::F16),
                &literal(&format!("0x{:04x}", v.to_bits()), span),
                span,
            ),
            Value::Bf16(v) => from_bits(
                &scalar(Scalar::Bf16),
                &literal(&format!("0x{:04x}", v.to_bits()), span),
                span,
            ),
            Value::Tuple(fields) => {
                let fields = fields.iter().map(|field| self.value(field, span));
                quote_spanned!(span=> (#(#fields,)*))
            }
            Value::Struct(name, values) => {
                let declared = self.find_struct(name);
                let name = &declared.name;
                let fields = declared.fields.iter().map(|(field, _)| field);
                let values = values.iter().map(|value| self.value(value, span));
                quote_spanned!(span=> #name { #(#fields: #values),* })
            }
        }
    }
}

/// A scalar type. The primitives are in sight everywhere, with any prelude or none.
pub(super) fn scalar(of: Scalar) -> Type {
    let name = Ident::new(of.name(), Span::call_site());
    match of {
        Scalar::F16 | Scalar::Bf16 => Type::Tokens(quote!(__wf::#name)),
        _ => Type::Name(name),
    }
}

/// Whether the value is written as a single positive token or call, to which a method call may be added.
pub(super) fn is_atomic(value: &Value) -> bool {
    !matches!(value, Value::Struct(..))
}

fn literal(text: &str, span: Span) -> Literal {
    let mut literal: Literal = text.parse().expect("a number with a suffix is a literal");
    literal.set_span(span);
    literal
}

fn integer(value: i128, suffix: &str, span: Span) -> TokenStream {
    let magnitude = literal(&format!("{}{suffix}", value.unsigned_abs()), span);
    if value < 0 {
        quote_spanned!(span=> (-#magnitude))
    } else {
        quote!(#magnitude)
    }
}

fn float(negative: bool, magnitude: &str, span: Span) -> TokenStream {
    let magnitude = literal(magnitude, span);
    if negative {
        quote_spanned!(span=> (-#magnitude))
    } else {
        quote!(#magnitude)
    }
}

fn from_bits(ty: &Type, bits: &Literal, span: Span) -> TokenStream {
    quote_spanned!(span=> <#ty>::from_bits(#bits))
}
