//! Literals, operators and casts.

use syn::spanned::Spanned;

use crate::body::{Accepts, Body, Claim};
use crate::draft::{Draft, Kind, Literal};
use crate::infer::{self, Type};
use crate::ir::{Binary, Scalar, Unary};
use crate::value::Value;

impl Body<'_> {
    /// Rule: a literal is a number, a byte or a `bool`; a suffix names a type of the language.
    pub(crate) fn literal(&mut self, lit: &syn::Lit) -> Draft {
        let span = lit.span();
        match lit {
            syn::Lit::Bool(b) => Self::known(Value::Bool(b.value), Type::BOOL, span),
            syn::Lit::Byte(b) => Self::known(Value::U8(b.value()), Type::Scalar(Scalar::U8), span),
            syn::Lit::Int(int) => {
                // In patterns syn makes the minus part of the literal.
                let text = int.base10_digits();
                let negative = text.starts_with('-');
                let Ok(digits) = text.trim_start_matches('-').parse::<u128>() else {
                    self.errors.at(
                        "literal-range",
                        lit,
                        "this literal is larger than any integer type\nhelp: u64 holds up to 18446744073709551615; write what is larger as a float, `1e40`",
                    );
                    return self.wrong(lit);
                };
                let fallback = if self.argument {
                    infer::Kind::Number
                } else {
                    infer::Kind::Integer
                };
                let ty = self.suffix(lit, int.suffix(), fallback);
                let float = matches!(&ty, Type::Scalar(s) if s.is_float());
                let literal = if float {
                    Literal::Float(text.to_owned())
                } else {
                    Literal::Integer(negative, digits)
                };
                Draft {
                    kind: Kind::Literal(literal),
                    ty,
                    span,
                }
            }
            syn::Lit::Float(float) => {
                let fallback = if self.argument {
                    infer::Kind::Number
                } else {
                    infer::Kind::Float
                };
                let ty = self.suffix(lit, float.suffix(), fallback);
                Draft {
                    kind: Kind::Literal(Literal::Float(float.base10_digits().to_owned())),
                    ty,
                    span,
                }
            }
            _ => {
                self.errors.at(
                    "literal",
                    lit,
                    "this literal is not of the language; accepted are numbers, bytes and `bool`\nhelp: write a character as a byte, `b'a'`",
                );
                self.wrong(lit)
            }
        }
    }

    fn suffix(&mut self, lit: &syn::Lit, suffix: &str, fallback: infer::Kind) -> Type {
        if suffix.is_empty() {
            return self.types.fresh(fallback);
        }
        if let Some(scalar) = Scalar::from_name(suffix).filter(|s| !s.is_half() && *s != Scalar::Bool) {
            return Type::Scalar(scalar);
        }
        self.errors.at(
            "literal-suffix",
            lit,
            format!(
                "`{suffix}` is not a number type of the language\nhelp: accepted suffixes are i8, i16, i32, i64, u8, u16, u32, u64, f32, f64"
            ),
        );
        Type::Wrong
    }

    pub(crate) fn unary(&mut self, unary: &syn::ExprUnary) -> Draft {
        let span = unary.op.span();
        let (op, accepts, text) = match unary.op {
            syn::UnOp::Neg(_) => (Unary::Neg, Accepts::Signed, "-"),
            syn::UnOp::Not(_) => (Unary::Not, Accepts::Bits, "!"),
            _ => {
                self.errors.at(
                    "expression",
                    unary,
                    "`*` of a reference is not of the language; values are copied\nhelp: remove the `*`",
                );
                return self.wrong(unary);
            }
        };
        let inner = self.expr(&unary.expr);
        // A negative literal either fits its type or is told so; `-0` would fit any.
        let told = matches!(inner.kind, Kind::Literal(Literal::Integer(false, digits)) if digits > 0);
        if op != Unary::Neg || !told {
            self.claims
                .push(Claim::Operand(text, accepts, inner.ty.clone(), span));
        }
        if let (Unary::Neg, Kind::Literal(literal)) = (op, &inner.kind)
            && let Some(negative) = negated(literal)
        {
            return Draft {
                kind: Kind::Literal(negative),
                ty: inner.ty,
                span,
            };
        }
        let ty = inner.ty.clone();
        Draft {
            kind: Kind::Unary(op, Box::new(inner)),
            ty,
            span,
        }
    }

    /// Rule: both sides of an operator have one type (shifts apart), and the operator takes that type.
    pub(crate) fn binary(&mut self, binary: &syn::ExprBinary) -> Draft {
        let Some((op, text)) = operator(&binary.op) else {
            self.errors.at(
                "expression",
                binary,
                "an assignment is a statement here\nhelp: give it a line of its own, ending in `;`",
            );
            return self.wrong(binary);
        };
        let left = self.expr(&binary.left);
        let right = self.expr(&binary.right);
        self.operation(op, text, binary.op.span(), (left, right), &binary.right)
    }

    /// `left op right`, where `at` is the syntax of the right side.
    pub(crate) fn operation(
        &mut self,
        op: Binary,
        text: &'static str,
        span: proc_macro2::Span,
        (left, right): (Draft, Draft),
        at: &syn::Expr,
    ) -> Draft {
        let compares = matches!(
            op,
            Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge
        );
        if !matches!(op, Binary::Shl | Binary::Shr)
            && !self.expect_type(&left.ty, &right.ty, at, &format!("the right side of `{text}`"))
        {
            // Which side was meant is open, and with it what comes of them.
            return Draft {
                kind: Kind::Wrong,
                ty: if compares { Type::BOOL } else { Type::Wrong },
                span,
            };
        }
        let accepts = match op {
            Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Rem => Accepts::Numbers,
            Binary::BitAnd | Binary::BitOr | Binary::BitXor => Accepts::Bits,
            Binary::Shl | Binary::Shr => Accepts::Integers,
            Binary::And | Binary::Or => {
                self.expect_type(&Type::BOOL, &left.ty, at, &format!("the left side of `{text}`"));
                Accepts::Scalars
            }
            Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => Accepts::Scalars,
        };
        self.claims
            .push(Claim::Operand(text, accepts, left.ty.clone(), span));
        if matches!(op, Binary::Shl | Binary::Shr) {
            self.claims
                .push(Claim::Operand(text, Accepts::Integers, right.ty.clone(), span));
        }
        let ty = if compares { Type::BOOL } else { left.ty.clone() };
        Draft {
            kind: Kind::Binary(op, Box::new(left), Box::new(right)),
            ty,
            span,
        }
    }

    pub(crate) fn cast(&mut self, cast: &syn::ExprCast) -> Draft {
        let inner = self.expr(&cast.expr);
        let to = self.scope.ty(&cast.ty, self.errors);
        // As rustc does: the literal of `3_000_000_000 as u32` is a u32 from the start.
        let literal = matches!(inner.kind, Kind::Literal(Literal::Integer(..)));
        if literal && matches!(&to, Type::Scalar(s) if s.is_int()) && self.types.kind(&inner.ty).is_some() {
            self.types.unify(&inner.ty, &to);
        }
        let span = cast.as_token.span;
        self.claims.push(Claim::Cast(inner.ty.clone(), to.clone(), span));
        Draft {
            kind: Kind::Cast(Box::new(inner)),
            ty: to,
            span,
        }
    }
}

/// The literal with a minus in front, where a minus makes another literal of it.
fn negated(literal: &Literal) -> Option<Literal> {
    match literal {
        Literal::Integer(false, digits) => Some(Literal::Integer(true, *digits)),
        Literal::Float(text) if !text.starts_with('-') => Some(Literal::Float(format!("-{text}"))),
        Literal::Infinity(false) => Some(Literal::Infinity(true)),
        _ => None,
    }
}

/// The operator of an expression, with how messages write it; `None` for `+=` and its like.
fn operator(op: &syn::BinOp) -> Option<(Binary, &'static str)> {
    Some(match op {
        syn::BinOp::Add(_) => (Binary::Add, "+"),
        syn::BinOp::Sub(_) => (Binary::Sub, "-"),
        syn::BinOp::Mul(_) => (Binary::Mul, "*"),
        syn::BinOp::Div(_) => (Binary::Div, "/"),
        syn::BinOp::Rem(_) => (Binary::Rem, "%"),
        syn::BinOp::And(_) => (Binary::And, "&&"),
        syn::BinOp::Or(_) => (Binary::Or, "||"),
        syn::BinOp::BitXor(_) => (Binary::BitXor, "^"),
        syn::BinOp::BitAnd(_) => (Binary::BitAnd, "&"),
        syn::BinOp::BitOr(_) => (Binary::BitOr, "|"),
        syn::BinOp::Shl(_) => (Binary::Shl, "<<"),
        syn::BinOp::Shr(_) => (Binary::Shr, ">>"),
        syn::BinOp::Eq(_) => (Binary::Eq, "=="),
        syn::BinOp::Lt(_) => (Binary::Lt, "<"),
        syn::BinOp::Le(_) => (Binary::Le, "<="),
        syn::BinOp::Ne(_) => (Binary::Ne, "!="),
        syn::BinOp::Ge(_) => (Binary::Ge, ">="),
        syn::BinOp::Gt(_) => (Binary::Gt, ">"),
        _ => return None,
    })
}

/// The operator inside `+=` and its like.
pub(crate) fn compound(op: &syn::BinOp) -> Option<(Binary, &'static str)> {
    Some(match op {
        syn::BinOp::AddAssign(_) => (Binary::Add, "+="),
        syn::BinOp::SubAssign(_) => (Binary::Sub, "-="),
        syn::BinOp::MulAssign(_) => (Binary::Mul, "*="),
        syn::BinOp::DivAssign(_) => (Binary::Div, "/="),
        syn::BinOp::RemAssign(_) => (Binary::Rem, "%="),
        syn::BinOp::BitXorAssign(_) => (Binary::BitXor, "^="),
        syn::BinOp::BitAndAssign(_) => (Binary::BitAnd, "&="),
        syn::BinOp::BitOrAssign(_) => (Binary::BitOr, "|="),
        syn::BinOp::ShlAssign(_) => (Binary::Shl, "<<="),
        syn::BinOp::ShrAssign(_) => (Binary::Shr, ">>="),
        _ => return None,
    })
}
