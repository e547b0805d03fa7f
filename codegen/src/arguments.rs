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
pub struct Arguments(Vec<Argument>);

impl Arguments {
    /// The value of an argument.
    pub fn get(&self, name: &str) -> Option<&syn::Expr> {
        self.find(name).map(|argument| &argument.value)
    }

    /// An argument with its name's span.
    pub fn find(&self, name: &str) -> Option<&Argument> {
        self.0.iter().find(|argument| argument.key == name)
    }
}

/// Rule: arguments are `name = value`, known to the attribute, each given once.
pub fn parse(attribute: Attribute, tokens: TokenStream, errors: &mut Errors) -> Arguments {
    let (list, broken) = match (|input: ParseStream<'_>| Ok(items(input))).parse2(tokens) {
        Ok(parsed) => parsed,
        Err(error) => (Vec::new(), Some(error)),
    };
    if let Some(error) = broken {
        errors.push(error);
    }
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
    Arguments(known)
}

/// The items up to the first that is not `name = value`, and what is wrong with that one.
fn items(input: ParseStream<'_>) -> (Vec<Argument>, Option<syn::Error>) {
    let mut list = Vec::new();
    while !input.is_empty() {
        match item(input) {
            Ok(argument) => list.push(argument),
            Err(error) => {
                // What follows cannot be told apart any more; the rest is left alone.
                let _ = input.parse::<TokenStream>();
                return (list, Some(error));
            }
        }
    }
    (list, None)
}

fn item(input: ParseStream<'_>) -> syn::Result<Argument> {
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
    let value = input.parse::<syn::Expr>()?;
    if !input.is_empty() && input.parse::<syn::Token![,]>().is_err() {
        return Err(input.error("arguments are separated by `,`\nhelp: put a `,` here"));
    }
    Ok(Argument { key, value })
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
