//! In which order the items of a module can be understood: each after the ones it names.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;

use crate::errors::Errors;
use crate::scope::Scope;

/// Positions of the items so that each stands after the ones that its tokens name. With `calls` only names in front
/// of parentheses count, because a variable may be called like a function.
///
/// Rule: no item needs itself. Those that do are left out and reported.
pub fn ordered<T: ToTokens>(items: &[(Ident, T)], calls: bool, errors: &mut Errors) -> Vec<usize> {
    let names: Vec<String> = items.iter().map(|(name, _)| name.to_string()).collect();
    let needs: Vec<Vec<(usize, Ident)>> = items
        .iter()
        .map(|(_, tokens)| {
            let mut found = Vec::new();
            mentioned(tokens.to_token_stream(), &names, calls, &mut found);
            found
        })
        .collect();
    let mut walk = Walk {
        needs: &needs,
        names: &names,
        state: vec![State::New; items.len()],
        order: Vec::new(),
    };
    for at in 0..items.len() {
        walk.visit(at, calls, errors);
    }
    walk.order
}

/// The names of the type parameters, which are refused.
pub fn type_params(generics: &syn::Generics) -> impl Iterator<Item = String> {
    generics.params.iter().filter_map(|param| match param {
        syn::GenericParam::Type(param) => Some(param.ident.to_string()),
        _ => None,
    })
}

/// Those that `ordered` left out. What needs itself was reported, so that its uses are no second mistake.
pub fn circular<T>(order: &[usize], items: &[(Ident, T)], scope: &mut Scope) -> Vec<Ident> {
    let names = items.iter().map(|(name, _)| name).enumerate();
    let left_out = names.filter(|(at, _)| !order.contains(at));
    let left_out: Vec<Ident> = left_out.map(|(_, name)| name.clone()).collect();
    scope.broken.extend(left_out.iter().map(ToString::to_string));
    left_out
}

/// Whether tokens name one of these items.
pub fn mentions(tokens: &impl ToTokens, names: &[Ident]) -> bool {
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    let mut found = Vec::new();
    mentioned(tokens.to_token_stream(), &names, false, &mut found);
    !found.is_empty()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
    Circular,
}

struct Walk<'a> {
    needs: &'a [Vec<(usize, Ident)>],
    names: &'a [String],
    state: Vec<State>,
    order: Vec<usize>,
}

impl Walk<'_> {
    /// Whether the item can be understood.
    fn visit(&mut self, at: usize, calls: bool, errors: &mut Errors) -> bool {
        match self.state[at] {
            State::Done => return true,
            State::Circular => return false,
            State::Open | State::New => {}
        }
        self.state[at] = State::Open;
        let mut fine = true;
        for (needed, ident) in &self.needs[at] {
            if self.state[*needed] == State::Open {
                let name = &self.names[*needed];
                let message = if calls {
                    format!(
                        "`{name}` calls itself, and a GPU has no stack for that here\nhelp: write it as a `for` with constant bounds"
                    )
                } else {
                    format!("`{name}` needs itself\nhelp: break the circle")
                };
                errors.at("recursion", ident, message);
                fine = false;
            } else {
                fine &= self.visit(*needed, calls, errors);
            }
        }
        self.state[at] = if fine { State::Done } else { State::Circular };
        if fine {
            self.order.push(at);
        }
        fine
    }
}

fn mentioned(tokens: TokenStream, names: &[String], calls: bool, found: &mut Vec<(usize, Ident)>) {
    let mut tokens = tokens.into_iter().peekable();
    let mut after_dot = false;
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => mentioned(group.stream(), names, calls, found),
            TokenTree::Ident(ident) => {
                let called = matches!(tokens.peek(), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis);
                let at = names.iter().position(|name| ident == name);
                if let Some(at) = at.filter(|_| !after_dot && (called || !calls)) {
                    found.push((at, ident));
                }
                after_dot = false;
            }
            TokenTree::Punct(punct) => after_dot = punct.as_char() == '.',
            TokenTree::Literal(_) => after_dot = false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(texts: &[(&str, &str)], calls: bool) -> (Vec<usize>, usize) {
        let ident = |name: &str| Ident::new(name, proc_macro2::Span::call_site());
        let items: Vec<_> = texts
            .iter()
            .map(|(n, t)| (ident(n), t.parse::<TokenStream>().unwrap()))
            .collect();
        let mut errors = Errors::default();
        (ordered(&items, calls, &mut errors), errors.len())
    }

    #[test]
    fn items_stand_after_what_they_name() {
        assert_eq!(
            order(&[("A", "B + C"), ("B", "1"), ("C", "B * 2")], false),
            (vec![1, 2, 0], 0)
        );
    }

    #[test]
    fn a_variable_or_method_named_like_a_function_is_no_call() {
        assert_eq!(order(&[("f", "{ let f = x.f(1); f }")], true), (vec![0], 0));
    }

    #[test]
    fn circles_are_reported_and_left_out() {
        assert_eq!(
            order(&[("f", "{ g(x) }"), ("g", "{ f(x) }"), ("h", "{ x }")], true),
            (vec![2], 1)
        );
    }
}
