//! One accumulator for everything that is wrong with a spec, so that all of it is reported at once.
//!
//! Every check has a name. Tests turn one off and see that exactly the cases written for it change.

use std::fmt::Display;

use proc_macro2::Span;
use quote::ToTokens;

/// Errors met so far.
#[derive(Debug, Default)]
pub struct Errors(Vec<syn::Error>);

impl Errors {
    /// Adds an error that underlines the given tokens. `rule` names the check that found it.
    pub fn at(&mut self, rule: &'static str, tokens: impl ToTokens, message: impl Display) {
        if !off(rule) {
            self.0.push(syn::Error::new_spanned(tokens, message));
        }
    }

    /// Adds an error at a span.
    pub fn span(&mut self, rule: &'static str, span: Span, message: impl Display) {
        if !off(rule) {
            self.0.push(syn::Error::new(span, message));
        }
    }

    /// Adds an error of the parser, which no check of ours found.
    pub fn push(&mut self, error: syn::Error) {
        self.0.push(error);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing is wrong so far.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value, or everything that is wrong as one error. A value may only be missing where something is wrong.
    ///
    /// # Errors
    ///
    /// Whatever was added.
    pub fn done<T>(self, value: Option<T>) -> syn::Result<T> {
        let all = self.0.into_iter().reduce(|mut all, next| {
            all.combine(next);
            all
        });
        match (all, value) {
            (None, Some(value)) => Ok(value),
            (Some(error), _) => Err(error),
            (None, None) => Err(syn::Error::new(
                Span::call_site(),
                "this spec cannot be understood\nhelp: report this with the function: the mistake is warpfold's",
            )),
        }
    }
}

#[cfg(not(test))]
const fn off(_rule: &'static str) -> bool {
    false
}

#[cfg(test)]
use switch::off;
#[cfg(test)]
pub use switch::{RULES_MET, with_rule_off};

#[cfg(test)]
mod switch {
    use std::cell::{Cell, RefCell};
    use std::collections::BTreeSet;

    thread_local! {
        static OFF: Cell<Option<&'static str>> = const { Cell::new(None) };
        /// Every rule that found something on this thread.
        pub static RULES_MET: RefCell<BTreeSet<&'static str>> = const { RefCell::new(BTreeSet::new()) };
    }

    pub fn off(rule: &'static str) -> bool {
        assert!(
            crate::rules::RULES.contains(&rule),
            "`{rule}` does not stand in the list of checks"
        );
        RULES_MET.with_borrow_mut(|met| met.insert(rule));
        OFF.get() == Some(rule)
    }

    /// Runs `f` with one check turned off.
    pub fn with_rule_off<T>(rule: &'static str, f: impl FnOnce() -> T) -> T {
        OFF.set(Some(rule));
        let result = f();
        OFF.set(None);
        result
    }
}
