//! The names of the checks. Each error that is not the parser's comes from one of them.
//!
//! The programs of `ui-tests` say which checks refuse them; the tests of this module run them all, see that exactly
//! those checks fire, and that a program says something else as soon as one of them is turned off.

/// Every check, by name.
#[cfg(test)]
pub const RULES: [&str; 84] = [
    "apply-finish",
    "apply-land",
    "argument-count",
    "argument-known",
    "argument-once",
    "argument-value",
    "assign-mut",
    "assign-place",
    "call",
    "capture",
    "cast",
    "choice",
    "closure",
    "commutative-named",
    "crate",
    "expression",
    "expression-attribute",
    "field",
    "filter-bool",
    "fn-generic",
    "fn-plain",
    "for-constant",
    "for-range",
    "from",
    "from-inside",
    "from-missing",
    "helper-name",
    "identity-missing",
    "if-else",
    "inner-item",
    "land",
    "land-inside",
    "law-associative",
    "law-commutative",
    "law-identity",
    "law-named",
    "law-neutral",
    "let-value",
    "literal",
    "literal-range",
    "literal-suffix",
    "mask",
    "mask-empty",
    "mask-groups",
    "mask-plan",
    "mask-wide",
    "match-last",
    "method",
    "mismatch",
    "module-body",
    "name",
    "op-missing",
    "op-name",
    "op-scan",
    "op-signature",
    "op-type",
    "operand",
    "param-attribute",
    "param-attribute-bare",
    "param-attribute-once",
    "param-live",
    "param-name",
    "param-once",
    "param-plain",
    "param-self",
    "param-twice",
    "param-type",
    "pattern",
    "pattern-fields",
    "pattern-range",
    "recursion",
    "result-flat",
    "result-missing",
    "spec-name",
    "spec-once",
    "state-size",
    "struct-copy",
    "struct-field",
    "struct-literal",
    "struct-plain",
    "tuple-size",
    "type",
    "unused-value",
    "width",
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::arguments::Attribute;
    use crate::errors::{RULES_MET, with_rule_off};
    use crate::scope::Scope;
    use crate::{front, module};

    /// What cannot be written as a program that gets as far as our attribute.
    const NOT_IN_PROGRAMS: [&str; 1] = ["module-body"];

    fn programs() -> Vec<PathBuf> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui-tests");
        let folders = |path: &Path| {
            path.read_dir()
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .collect::<Vec<_>>()
        };
        let mut found: Vec<PathBuf> = folders(&root)
            .into_iter()
            .filter(|theme| {
                theme.is_dir()
                    && !["src", "tests", "target", "wip"]
                        .iter()
                        .any(|name| theme.ends_with(name))
            })
            .flat_map(|theme| folders(&theme))
            .filter(|file| file.extension().is_some_and(|extension| extension == "rs"))
            .collect();
        found.sort();
        found
    }

    /// The rules that a program's first lines name.
    fn declared(text: &str) -> BTreeSet<String> {
        let line = text.lines().find_map(|line| line.strip_prefix("//! Rule: "));
        line.into_iter()
            .flat_map(|line| line.split(", "))
            .map(str::to_owned)
            .collect()
    }

    /// Everything the front end says about a program. What is no Rust rustc refuses.
    fn messages(text: &str) -> Vec<String> {
        let Ok(file) = syn::parse_file(text) else {
            return Vec::new();
        };
        let mut all = Vec::new();
        for item in file.items {
            let error = match item {
                syn::Item::Fn(mut function) => {
                    let Some(at) = function.attrs.iter().position(|attr| attribute(attr).is_some()) else {
                        continue;
                    };
                    let attr = function.attrs.remove(at);
                    front::spec(
                        attribute(&attr).unwrap(),
                        args(attr),
                        &function,
                        &Scope::default(),
                    )
                    .err()
                }
                syn::Item::Impl(item) => {
                    let functions = item.items.into_iter().filter_map(|item| match item {
                        syn::ImplItem::Fn(item) => Some(item),
                        _ => None,
                    });
                    functions.filter_map(in_impl).reduce(|mut all, next| {
                        all.combine(next);
                        all
                    })
                }
                syn::Item::Mod(mut item) => {
                    let Some(at) = item.attrs.iter().position(|attr| attribute(attr).is_some()) else {
                        continue;
                    };
                    let attr = item.attrs.remove(at);
                    module::read(args(attr), item).error
                }
                _ => None,
            };
            all.extend(error.into_iter().flatten().map(|error| error.to_string()));
        }
        all
    }

    /// What is said of a function of an `impl`, which the attribute is given as any other.
    fn in_impl(item: syn::ImplItemFn) -> Option<syn::Error> {
        let syn::ImplItemFn { attrs, sig, .. } = item;
        let mut function: syn::ItemFn = syn::parse_quote!(#sig { x });
        let attr = attrs.into_iter().find(|attr| attribute(attr).is_some())?;
        function.attrs.clear();
        front::spec(
            attribute(&attr).unwrap(),
            args(attr),
            &function,
            &Scope::default(),
        )
        .err()
    }

    fn attribute(attr: &syn::Attribute) -> Option<Attribute> {
        Attribute::from_name(&attr.path().get_ident()?.to_string())
    }

    fn args(attr: syn::Attribute) -> proc_macro2::TokenStream {
        match attr.meta {
            syn::Meta::List(list) => list.tokens,
            _ => proc_macro2::TokenStream::new(),
        }
    }

    /// The messages with the names of the checks that fired.
    fn run(text: &str) -> (Vec<String>, BTreeSet<String>) {
        RULES_MET.take();
        let messages = messages(text);
        (
            messages,
            RULES_MET.take().into_iter().map(str::to_owned).collect(),
        )
    }

    #[test]
    fn each_program_is_refused_by_the_checks_it_names_and_by_no_other() {
        let mut wrong = Vec::new();
        for program in programs() {
            let text = std::fs::read_to_string(&program).unwrap();
            let (messages, met) = run(&text);
            // A program that names no check is refused by rustc, or by syn.
            if messages.is_empty() && !met.is_empty() || met != declared(&text) {
                wrong.push(format!("{}: {met:?} {messages:#?}", program.display()));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// What rustc shows beside it takes long to make; that the words are the same does not.
    #[test]
    fn each_program_s_messages_are_those_that_are_committed() {
        let mut wrong = Vec::new();
        for program in programs() {
            let text = std::fs::read_to_string(&program).unwrap();
            let shown = std::fs::read_to_string(program.with_extension("stderr")).unwrap();
            for message in messages(&text) {
                let wanted = format!("error: {}\n", message.replace('\n', "\n       "));
                if !shown.contains(&wanted) {
                    wrong.push(format!("{}: {wanted}", program.display()));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn each_message_ends_with_what_helps() {
        let said_of = |body: &&str| {
            let said = messages(&format!(
                "#[warp_reduce(op = sum)] fn spec(x: f32) -> f32 {{ {body} }}"
            ));
            assert!(!said.is_empty(), "nothing is said of {body}");
            said
        };
        let bodies = [
            "1000000000000000000000000000000000000000",
            "let (a, b) = x; a",
            "let (a, b) = (x, x, x); a",
            "x.len",
            "x.abs",
            "(x, x).z",
            "(x, x).2",
            "-(x > 0.0)",
            "(x > 0.0) << 1",
            "!x",
        ];
        let mut all: Vec<_> = bodies.iter().flat_map(said_of).collect();
        for program in programs() {
            all.extend(messages(&std::fs::read_to_string(program).unwrap()));
        }
        let without: Vec<_> = all.iter().filter(|it| !it.contains("\nhelp: ")).collect();
        assert!(without.is_empty(), "{without:#?}");
    }

    /// A check that did not fire cannot change anything, so only those that did are turned off.
    #[test]
    fn a_check_that_is_turned_off_is_missed_by_its_programs() {
        for program in programs() {
            let text = std::fs::read_to_string(&program).unwrap();
            let (with, met) = run(&text);
            for rule in RULES.into_iter().filter(|rule| met.contains(*rule)) {
                let without = with_rule_off(rule, || messages(&text));
                assert_ne!(with, without, "{} does not miss `{rule}`", program.display());
            }
        }
    }

    #[test]
    fn every_check_has_a_program() {
        let mut shown = BTreeSet::new();
        for program in programs() {
            shown.extend(declared(&std::fs::read_to_string(program).unwrap()));
        }
        let known: BTreeSet<String> = RULES.iter().map(|&rule| rule.to_owned()).collect();
        let unknown: Vec<_> = shown.difference(&known).collect();
        assert!(unknown.is_empty(), "no such check: {unknown:?}");
        let missing: Vec<_> = known
            .difference(&shown)
            .filter(|rule| !NOT_IN_PROGRAMS.contains(&rule.as_str()))
            .collect();
        assert!(missing.is_empty(), "checks without a program: {missing:?}");
    }
}
