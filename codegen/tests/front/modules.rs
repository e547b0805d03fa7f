//! `#[warp_module]`: what the specs of a module share.

use warpfold_codegen::ir::{ExprKind, Operator, Pattern};
use warpfold_codegen::module::{Understood, read};
use warpfold_codegen::value::Value;

fn module(text: &str) -> Understood {
    read(proc_macro2::TokenStream::new(), syn::parse_str(text).unwrap())
}

fn wrong(text: &str) -> Vec<String> {
    module(text).error.map_or_else(Vec::new, |error| {
        error.into_iter().map(|e| e.to_string()).collect()
    })
}

const STATS: &str = "pub mod stats {
    use core::f32::consts;
    use super::*;
    const HALF: f32 = ONE / 2.0;
    const ONE: f32 = 1.0;
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Moments { pub n: f32, pub mean: f32, pub m2: f32 }
    fn merge(a: Moments, b: Moments) -> Moments {
        let n = a.n + b.n;
        if n == 0.0 { a } else {
            let d = b.mean - a.mean;
            Moments { n, mean: a.mean + d * b.n / n, m2: a.m2 + b.m2 + square(d) * a.n * b.n / n }
        }
    }
    fn square(x: f32) -> f32 { x * x }
    #[warp_reduce(identity = Moments { n: 0.0, mean: 0.0, m2: 0.0 }, op = merge, finish = |s| -> f32 { s.m2 / s.n + HALF * consts::PI })]
    pub fn variance(x: f32) -> Moments { Moments { n: 1.0, mean: x, m2: 0.0 } }
    #[warpfold::warp_scan(op = sum)]
    fn running(x: f32) -> f32 { square(x) }
    impl Moments { fn host_only(&self) -> Vec<f32> { vec![self.n] } }
}";

#[test]
fn structs_constants_and_helpers_are_seen_by_every_spec() {
    let stats = module(STATS);
    assert!(stats.error.is_none(), "{:?}", stats.error);
    let names: Vec<String> = stats
        .module
        .functions
        .iter()
        .map(|f| f.name.to_string())
        .collect();
    assert_eq!(names, ["square", "merge"], "each after the ones it calls");
    let constants: Vec<String> = stats
        .module
        .constants
        .iter()
        .map(|c| c.name.to_string())
        .collect();
    assert_eq!(constants, ["ONE", "HALF"]);
    assert_eq!(stats.specs.len(), 2);
    let variance = stats.specs[0].spec.as_ref().unwrap();
    assert!(matches!(&variance.op, Some(Operator::Custom(f)) if f.name == "merge"));
    assert_eq!(
        (variance.state.to_string(), variance.result.to_string()),
        ("Moments".into(), "f32".into())
    );
    assert!(stats.specs.iter().all(|spec| spec.function.attrs.is_empty()));
    let rest = stats.item.content.unwrap().1;
    assert_eq!(
        rest.len(),
        8,
        "two uses, two constants, a struct, two helpers and an impl stay"
    );
}

#[test]
fn the_name_of_a_constant_in_a_pattern_is_that_constant() {
    let read = module(
        "mod m { const LIMIT: u32 = 3 + 4; fn f(x: u32) -> u32 { match x { LIMIT => 0, other => other } } }",
    );
    assert!(read.error.is_none(), "{:?}", read.error);
    let ExprKind::Block(_, Some(value)) = &read.module.functions[0].body.kind else {
        panic!("no block")
    };
    let ExprKind::Match(_, arms) = &value.kind else {
        panic!("no match")
    };
    assert!(matches!(arms[0].pattern, Pattern::Literal(Value::U32(7))));
}

#[test]
fn one_mistake_in_a_helper_is_one_error() {
    let messages = wrong(&STATS.replace("{ x * x }", "{ x.sqr() }"));
    assert_eq!(messages, ["f32 has no method `sqr` here\nhelp: write `sqrt`"]);
    let messages = wrong(&STATS.replace("pub n: f32, ", "pub n: usize, "));
    assert_eq!(messages.len(), 1, "{messages:#?}");
}

#[test]
fn recursion_and_foreign_calls_say_so() {
    assert_eq!(
        wrong("mod m { fn f(x: f32) -> f32 { f(x) } }"),
        [
            "`f` calls itself, and a GPU has no stack for that here\nhelp: write it as a `for` with constant bounds"
        ]
    );
    assert_eq!(
        wrong("mod m { use other::g; fn f(x: f32) -> f32 { g(x) } }"),
        [
            "`g` is foreign; bodies call functions of their own `#[warp_module]` and numeric methods\nhelp: copy the function into the module"
        ]
    );
    assert_eq!(
        wrong("mod m { #[warp_reduce(op = sum)] fn s(x: f32) -> f32 { x } fn f(x: f32) -> f32 { s(x) } }"),
        [
            "`s` is a spec; bodies call helper functions\nhelp: move what both need into a function of the module"
        ]
    );
}

#[test]
fn helpers_and_structs_keep_their_rules() {
    assert_eq!(
        wrong("mod m { fn max(a: f32, b: f32) -> f32 { a } }"),
        ["`max` is the name of an operator of the table\nhelp: call the function `my_max`"]
    );
    assert_eq!(
        wrong("mod m { struct S { a: f32 } }"),
        ["`S` moves between lanes by copy\nhelp: add `#[derive(Clone, Copy)]`"]
    );
    assert_eq!(
        wrong("mod m { #[derive(Clone, Copy)] struct S { a: (f32, f32) } }"),
        [
            "a field is a scalar or a struct, because Rust leaves the layout of a tuple open\nhelp: make it a struct of its own"
        ]
    );
    assert_eq!(
        wrong("mod m { #[derive(Clone, Copy)] struct S(f32); }"),
        ["a struct of a `#[warp_module]` has named fields\nhelp: write `struct Name { field: f32 }`"]
    );
    assert_eq!(
        wrong(
            "mod m { #[derive(Clone, Copy)] struct S { a: f32, b: f32 } fn f(s: S) -> S { S { a: 1.0, ..s } } }"
        ),
        ["`..` is not of the language\nhelp: name every field"],
        "and not that `b` is missing"
    );
}

#[test]
fn two_specs_share_a_name_only_under_cfg() {
    let spec = "#[warp_reduce(op = sum)] fn f(x: f32) -> f32 { x }";
    let twice = wrong(&format!("mod m {{ {spec} {spec} }}"));
    assert_eq!(
        twice,
        [
            "`f` is the name of another spec, function or struct of this module\nhelp: give each a name of its own"
        ]
    );
    assert_eq!(wrong(&format!("mod m {{ struct f {{ }} {spec} }}")).len(), 3);
    let cfgs = format!("mod m {{ #[cfg(a)] {spec} #[cfg(not(a))] {spec} }}");
    assert!(wrong(&cfgs).is_empty());
}
