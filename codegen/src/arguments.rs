//! The arguments of an attribute: `name = value`, each with its span; everything that is wrong is reported at once.

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};

use crate::errors::Errors;
use crate::suggest::nearest;

/// Which attribute it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the attributes")]
pub enum Attribute {
    Reduce,
    Scan,
    Filter,
    Shuffle,
    Module,
}

impl Attribute {
    /// The attribute of that name.
    pub fn from_name(name: &str) -> Option<Attribute> {
        [
            Attribute::Reduce,
            Attribute::Scan,
            Attribute::Filter,
            Attribute::Shuffle,
            Attribute::Module,
        ]
        .into_iter()
        .find(|attribute| attribute.name() == name)
    }

    /// Which of them an attribute of a function is, if it is one.
    pub fn of(attr: &syn::Attribute) -> Option<Attribute> {
        let name = attr.path().segments.last()?.ident.to_string();
        Attribute::from_name(&name).filter(|attribute| *attribute != Attribute::Module)
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Attribute::Reduce => "warp_reduce",
            Attribute::Scan => "warp_scan",
            Attribute::Filter => "warp_filter",
            Attribute::Shuffle => "warp_shuffle",
            Attribute::Module => "warp_module",
        }
    }

    /// The arguments it takes.
    pub const fn accepts(self) -> &'static [&'static str] {
        match self {
            Attribute::Reduce => &[
                "op",
                "identity",
                "init",
                "width",
                "land",
                "mask",
                "finish",
                "apply",
                "commutative",
                "laws",
                "crate",
            ],
            Attribute::Scan => &[
                "op",
                "identity",
                "init",
                "width",
                "mask",
                "kind",
                "direction",
                "finish",
                "commutative",
                "laws",
                "crate",
            ],
            Attribute::Filter => &["keep", "width", "mask", "crate"],
            Attribute::Shuffle => &["from", "width", "mask", "crate"],
            Attribute::Module => &["crate"],
        }
    }
}

/// One `name = value`.
#[derive(Debug)]
pub struct Argument {
    /// The name.
    pub key: Ident,
    /// The value.
    pub value: syn::Expr,
}

/// All arguments of one attribute; each name stands once.
#[derive(Debug, Default)]
pub struct Arguments {
    known: Vec<Argument>,
    /// What could not be read, which was reported.
    unread: Unread,
}

/// The arguments that may be there and could not be read.
#[derive(Debug, Default)]
struct Unread {
    /// Names without a value.
    names: Vec<String>,
    /// Whether reading stopped before the end.
    rest: bool,
}

impl Arguments {
    /// The value of an argument.
    pub fn get(&self, name: &str) -> Option<&syn::Expr> {
        self.find(name).map(|argument| &argument.value)
    }

    /// An argument with its name's span.
    pub fn find(&self, name: &str) -> Option<&Argument> {
        self.known.iter().find(|argument| argument.key == name)
    }

    /// Whether an argument stands among what could not be read, as far as anyone can tell: that it is missing is then no
    /// second mistake.
    pub fn may_hold(&self, name: &str) -> bool {
        self.unread.rest || self.unread.names.iter().any(|unread| unread == name)
    }
}

/// Rule: arguments are `name = value`, known to the attribute, each given once.
pub fn parse(attribute: Attribute, tokens: TokenStream, errors: &mut Errors) -> Arguments {
    let (list, unread) = match (|input: ParseStream<'_>| Ok(items(input, errors))).parse2(tokens) {
        Ok(parsed) => parsed,
        Err(error) => {
            errors.push(error);
            (Vec::new(), Unread::default())
        }
    };
    let mut known: Vec<Argument> = Vec::new();
    for argument in list {
        let name = argument.key.to_string();
        if !attribute.accepts().contains(&name.as_str()) {
            errors.at("argument-known", &argument.key, unknown(attribute, &name));
        } else if known.iter().any(|a| a.key == argument.key) {
            errors.at(
                "argument-once",
                &argument.key,
                format!("`{name}` is given twice\nhelp: remove one of them"),
            );
        } else {
            known.push(argument);
        }
    }
    Arguments { known, unread }
}

/// The items up to the first that is not `name = value`, and what could not be read.
fn items(input: ParseStream<'_>, errors: &mut Errors) -> (Vec<Argument>, Unread) {
    let (mut list, mut unread) = (Vec::new(), Unread::default());
    while !input.is_empty() {
        match item(input) {
            Ok((key, Some(value))) => list.push(Argument { key, value }),
            Ok((key, None)) => {
                check_value(&key, errors);
                unread.names.push(key.to_string());
            }
            Err(error) => {
                // What follows cannot be told apart any more; the rest is left alone.
                let _ = input.parse::<TokenStream>();
                errors.push(error);
                unread.rest = true;
            }
        }
    }
    (list, unread)
}

/// Rule: an argument has a value.
fn check_value(key: &Ident, errors: &mut Errors) {
    let example = match key.to_string().as_str() {
        "op" => "sum",
        "identity" | "init" => "0",
        "width" => "32",
        "land" => "all",
        "mask" => "0xffffffff",
        "kind" => "exclusive",
        "direction" => "reverse",
        "finish" | "apply" => "|s| -> f32 { s }",
        "keep" => "|| x",
        "from" => "xor(1)",
        "commutative" => "true",
        "laws" => "trusted",
        "crate" => "::warpfold",
        _ => "…",
    };
    errors.span(
        "argument-value",
        key.span(),
        format!("`{key}` has no value\nhelp: write for example `{key} = {example}`"),
    );
}

/// A name with its value, if one stands after the `=`.
fn item(input: ParseStream<'_>) -> syn::Result<(Ident, Option<syn::Expr>)> {
    if !input.peek(Ident::peek_any) {
        return Err(input.error("an argument is `name = value`\nhelp: write for example `op = max`"));
    }
    let key = input.call(Ident::parse_any)?;
    if !input.peek(syn::Token![=]) {
        return Err(syn::Error::new(
            key.span(),
            format!("an argument is `name = value`\nhelp: write `{key} = …`"),
        ));
    }
    input.parse::<syn::Token![=]>()?;
    let value = if input.is_empty() || input.peek(syn::Token![,]) {
        None
    } else {
        Some(input.parse::<syn::Expr>()?)
    };
    if !input.is_empty() && input.parse::<syn::Token![,]>().is_err() {
        return Err(input.error("arguments are separated by `,`\nhelp: put a `,` here"));
    }
    Ok((key, value))
}

fn unknown(attribute: Attribute, name: &str) -> String {
    let this = attribute.name();
    let elsewhere = [
        Attribute::Reduce,
        Attribute::Scan,
        Attribute::Filter,
        Attribute::Shuffle,
    ]
    .into_iter()
    .find(|other| other.accepts().contains(&name));
    if let Some(other) = elsewhere {
        return format!(
            "`{name}` is an argument of `#[{}]`, not of `#[{this}]`\nhelp: remove it",
            other.name()
        );
    }
    let accepted = attribute.accepts();
    let help = nearest(name, accepted.iter().copied()).map_or_else(
        || format!("accepted are {}", accepted.join(", ")),
        |near| format!("write `{near}`"),
    );
    format!("`{name}` is not an argument of `#[{this}]`\nhelp: {help}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(attribute: Attribute, text: &str) -> Vec<String> {
        let mut errors = Errors::default();
        parse(attribute, text.parse().unwrap(), &mut errors);
        match errors.done(Some(())) {
            Ok(()) => Vec::new(),
            Err(error) => error.into_iter().map(|e| e.to_string()).collect(),
        }
    }

    #[test]
    fn several_mistakes_are_reported_together() {
        assert_eq!(
            messages(
                Attribute::Reduce,
                "op = max, op = min, identiy = 0, kind = exclusive"
            ),
            [
                "`op` is given twice\nhelp: remove one of them",
                "`identiy` is not an argument of `#[warp_reduce]`\nhelp: write `identity`",
                "`kind` is an argument of `#[warp_scan]`, not of `#[warp_reduce]`\nhelp: remove it",
            ]
        );
    }

    #[test]
    fn an_argument_without_a_value_does_not_hide_the_next() {
        assert_eq!(
            messages(Attribute::Reduce, "op =, kind = exclusive, width ="),
            [
                "`op` has no value\nhelp: write for example `op = sum`",
                "`width` has no value\nhelp: write for example `width = 32`",
                "`kind` is an argument of `#[warp_scan]`, not of `#[warp_reduce]`\nhelp: remove it",
            ]
        );
    }

    #[test]
    fn what_is_not_an_argument_says_what_one_is() {
        assert_eq!(
            messages(Attribute::Scan, "max"),
            ["an argument is `name = value`\nhelp: write `max = …`"]
        );
        assert_eq!(
            messages(Attribute::Scan, "5"),
            ["an argument is `name = value`\nhelp: write for example `op = max`"]
        );
    }
}
