//! Tokens that are changed a little, so that what comes of them is often still a spec.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use warpfold_programs::Rng;

/// Words that can stand in each other's place: those of one line often leave a spec right.
const CLASSES: &[&[&str]] = &[
    &["f32", "f64", "f16", "bf16"],
    &["i8", "i16", "i32", "i64"],
    &["u8", "u16", "u32", "u64"],
    &["bool", "f32", "u64", "i32", "u8"],
    &[
        "sum", "product", "min", "max", "minimum", "maximum", "and", "or", "xor", "any", "all", "count",
        "ballot", "argmin", "argmax", "first", "last", "softmax", "welford", "affine",
    ],
    &[
        "abs", "exp", "ln", "sqrt", "recip", "floor", "signum", "sin", "cbrt",
    ],
    &["abs", "is_nan", "to_bits", "count_ones", "to_f32"],
    &["max", "min", "powf", "rem_euclid", "copysign", "atan2"],
    &[
        "max",
        "min",
        "wrapping_add",
        "wrapping_mul",
        "saturating_sub",
        "rem_euclid",
    ],
    &["inclusive", "exclusive", "forward", "reverse"],
    &["all", "MIN", "MAX", "inf", "nan"],
    &["true", "false"],
    &["checked", "trusted", "true", "false"],
    &["xor", "up", "down", "rotate", "lane"],
    &[
        "op",
        "identity",
        "init",
        "width",
        "land",
        "mask",
        "finish",
        "apply",
        "keep",
        "from",
        "kind",
        "direction",
        "commutative",
        "laws",
        "krate",
    ],
    &["uniform", "per_row", "per_column", "index", "row", "len", "live"],
    &["warp_reduce", "warp_scan", "warp_filter", "warp_shuffle"],
];

/// Numbers at the edges of what arguments and bodies take.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "5",
    "7",
    "8",
    "16",
    "31",
    "32",
    "33",
    "64",
    "255",
    "65535",
    "0xffffffff",
    "0x0000ffff",
    "4294967296",
    "18446744073709551615",
    "340282366920938463463374607431768211455",
    "0.0",
    "1.0",
    "0.5",
    "1e38",
    "1e400",
    "1e-45",
    "1.5f32",
    "1f64",
    "300u8",
    "1u64",
    "0b11",
    "1_000",
    "b'a'",
    "'a'",
    "\"s\"",
];

/// Numbers with a point.
const REALS: &[&str] = &[
    "0.0", "1.0", "0.5", "2.0", "3.25", "1e3", "1e38", "1e-45", "1e400", "1.5f32", "1f64",
];

/// Signs that can stand in each other's place.
const KINDS_OF_SIGNS: &[&str] = &["+-*/%", "&|^", "<>", "+-"];

/// Signs that take two operands, and some that do not.
const SIGNS: &[&str] = &[
    "+", "-", "*", "/", "%", "&", "|", "^", "<", ">", "<<", ">>", "==", "!=", "<=", ">=", "&&", "||", "=",
    "+=", "..", "..=", ".", ",", ";", ":", "::", "->", "=>", "!", "?", "#", "@", "$",
];

/// Tokens that are legal somewhere and seldom where they are put.
const INTRUDERS: &str = "mut x . 7 as :: ! () {} [] [1] for match if else let & * @ self crate where fn struct const \
    return break loop while unsafe move |a| |a, b| a..b (x, x) { x; } -> impl dyn 'a #[a] x! _ r#fn async static";

/// Changes one to three things in a spec, with parts of another at hand.
pub fn mutated(spec: TokenStream, other: &TokenStream, rng: &mut Rng) -> TokenStream {
    let changes = 1 + usize::from(rng.chance(15)) + usize::from(rng.chance(10));
    (0..changes).fold(spec, |spec, _| {
        let at = position(&spec, rng);
        if let (true, Some(word)) = (rng.chance(75), word_at(&spec, at))
            && let Some(instead) = classmate(&word, rng)
        {
            // All through the spec: a type is seldom named once.
            return renamed(spec, &word, instead);
        }
        // Short words are mostly names: one in the place of another often has its type.
        let names =
            flat(&spec).filter(|token| matches!(token, TokenTree::Ident(word) if word.to_string().len() < 3));
        let mut change = Change {
            at,
            names: names.collect(),
            other,
            rng,
        };
        change.stream(spec)
    })
}

/// Where to change something: the first of a few places at random where a number or a sign stands, else any.
fn position(spec: &TokenStream, rng: &mut Rng) -> usize {
    let all = count(spec).max(1);
    let gentle = |at: &usize| match flat(spec).nth(*at) {
        Some(TokenTree::Literal(_)) => true,
        Some(TokenTree::Punct(sign)) => has_kind(&sign),
        _ => false,
    };
    let places = [rng.below(all), rng.below(all), rng.below(all)];
    places.into_iter().find(gentle).unwrap_or(places[0])
}

/// How many tokens there are, groups and what is in them.
fn count(tokens: &TokenStream) -> usize {
    let of_one = |token| match token {
        TokenTree::Group(group) => 1 + count(&group.stream()),
        _ => 1,
    };
    tokens.clone().into_iter().map(of_one).sum()
}

/// The word that is the token of a number, if it is one.
fn word_at(tokens: &TokenStream, at: usize) -> Option<String> {
    flat(tokens).nth(at).and_then(|token| match token {
        TokenTree::Ident(word) => Some(word.to_string()),
        _ => None,
    })
}

fn flat(tokens: &TokenStream) -> Box<dyn Iterator<Item = TokenTree>> {
    Box::new(tokens.clone().into_iter().flat_map(|token| {
        let inside = match &token {
            TokenTree::Group(group) => Some(flat(&group.stream())),
            _ => None,
        };
        std::iter::once(token).chain(inside.into_iter().flatten())
    }))
}

/// Another word that stands where this one can.
fn classmate(word: &str, rng: &mut Rng) -> Option<&'static str> {
    let classes: Vec<&&[&str]> = CLASSES.iter().filter(|class| class.contains(&word)).collect();
    if classes.is_empty() {
        return None;
    }
    let class = *rng.pick(&classes);
    Some(*rng.pick(class)).filter(|other| *other != word)
}

fn renamed(tokens: TokenStream, from: &str, to: &str) -> TokenStream {
    let one = |token| match token {
        TokenTree::Group(group) => grouped(group.delimiter(), renamed(group.stream(), from, to)),
        TokenTree::Ident(word) if word == from => TokenTree::Ident(Ident::new(to, Span::call_site())),
        other => other,
    };
    tokens.into_iter().map(one).collect()
}

fn grouped(delimiter: Delimiter, inside: TokenStream) -> TokenTree {
    TokenTree::Group(Group::new(delimiter, inside))
}

/// One change at one token.
struct Change<'a> {
    /// Tokens still to pass.
    at: usize,
    names: Vec<TokenTree>,
    other: &'a TokenStream,
    rng: &'a mut Rng,
}

impl Change<'_> {
    fn stream(&mut self, tokens: TokenStream) -> TokenStream {
        let mut out: Vec<TokenTree> = Vec::new();
        for token in tokens {
            if self.at == 0 {
                // Past it: nothing is changed twice.
                self.at = usize::MAX;
                self.change(token, &mut out);
                continue;
            }
            self.at -= 1;
            out.push(match token {
                TokenTree::Group(group) => grouped(group.delimiter(), self.stream(group.stream())),
                other => other,
            });
        }
        out.into_iter().collect()
    }

    fn change(&mut self, token: TokenTree, out: &mut Vec<TokenTree>) {
        match self.rng.below(36) {
            0 => {}
            1 => out.extend([token.clone(), token]),
            2 => {
                out.push(token);
                out.extend(self.intruder());
            }
            3 => out.extend(self.intruder()),
            4 => {
                let at = self.rng.below(out.len() + 1);
                out.insert(at, token);
            }
            5 => {
                // A part of another spec.
                let parts: Vec<TokenTree> = flat(self.other).collect();
                out.push(self.rng.pick(&parts).clone());
            }
            _ => out.extend(self.alike(token)),
        }
    }

    /// Something of the same kind.
    fn alike(&mut self, token: TokenTree) -> TokenStream {
        match token {
            TokenTree::Literal(number) if number.to_string().contains('.') && self.rng.chance(80) => {
                parsed(self.rng.pick::<&str>(REALS))
            }
            TokenTree::Literal(_) => parsed(self.rng.pick::<&str>(NUMBERS)),
            TokenTree::Ident(word) => {
                let word = word.to_string();
                match classmate(&word, self.rng) {
                    Some(other) => parsed(other),
                    None if self.names.is_empty() => parsed("x"),
                    None => self.rng.pick(&self.names).clone().into(),
                }
            }
            TokenTree::Punct(sign) if self.rng.chance(70) && has_kind(&sign) => {
                let kinds = KINDS_OF_SIGNS.iter().filter(|kind| kind.contains(sign.as_char()));
                let others: Vec<char> = kinds.flat_map(|kind| kind.chars()).collect();
                TokenTree::Punct(Punct::new(*self.rng.pick(&others), sign.spacing())).into()
            }
            TokenTree::Punct(sign) if sign.spacing() == Spacing::Alone => {
                parsed(self.rng.pick::<&str>(SIGNS))
            }
            TokenTree::Punct(sign) => TokenTree::Punct(Punct::new(sign.as_char(), Spacing::Alone)).into(),
            TokenTree::Group(group) => self.group(&group),
        }
    }

    /// A group with other delimiters, without them, or with a part less.
    fn group(&mut self, group: &Group) -> TokenStream {
        let inside = group.stream();
        match self.rng.below(6) {
            0 => grouped(Delimiter::Parenthesis, inside).into(),
            1 => grouped(Delimiter::Brace, inside).into(),
            2 => grouped(Delimiter::Bracket, inside).into(),
            3 => inside,
            4 => grouped(group.delimiter(), TokenStream::new()).into(),
            _ => {
                let mut parts: Vec<TokenTree> = inside.into_iter().collect();
                let kept = self.rng.below(parts.len() + 1);
                parts.truncate(kept);
                grouped(group.delimiter(), parts.into_iter().collect()).into()
            }
        }
    }

    fn intruder(&mut self) -> TokenStream {
        let all: Vec<TokenTree> = parsed(INTRUDERS).into_iter().collect();
        self.rng.pick(&all).clone().into()
    }
}

fn has_kind(sign: &Punct) -> bool {
    KINDS_OF_SIGNS.iter().any(|kind| kind.contains(sign.as_char()))
}

fn parsed(text: &str) -> TokenStream {
    text.parse()
        .unwrap_or_else(|_| TokenTree::Literal(Literal::u32_unsuffixed(0)).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_one_change_and_most_seeds_differ() {
        // As long as the specs of the corpus: of one word and one number there are not so many changes.
        let spec = || {
            parsed(
                "#[warp_scan(op = |p: (f32, u32), q: (f32, u32)| (p.0 * q.0 + 0.5, p.1 + q.1), identity = (1.0, 0), \
                 width = 16, kind = exclusive)] fn f(x: f32, #[per_row] a: u32) -> (f32, u32) { (x.max(2.0), a % 7) }",
            )
        };
        let other = parsed("#[warp_reduce(op = max)] fn g(y: i32) -> i32 { if y > 3 { y } else { y << 2 } }");
        let run = |seed| mutated(spec(), &other, &mut Rng::new(seed)).to_string();
        let all: std::collections::HashSet<String> = (0..300).map(run).collect();
        assert_eq!(run(7), run(7));
        assert!(all.len() > 200, "{}", all.len());
    }

    #[test]
    fn a_type_is_renamed_wherever_it_stands() {
        let renamed = renamed(parsed("fn f(x: f32) -> (f32, u8) { x }"), "f32", "f64");
        assert_eq!(renamed.to_string(), "fn f (x : f64) -> (f64 , u8) { x }");
    }
}
