//! One mistake is one error: what only follows from it is not said.

use warpfold_codegen::module::read;

use crate::{spans, wrong};

/// What is wrong with a spec whose body has one mistake.
fn only(text: &str) -> (String, String) {
    one(&wrong(text), text)
}

/// What is wrong with a module that has one mistake.
fn only_of_module(text: &str) -> (String, String) {
    let error = read(proc_macro2::TokenStream::new(), syn::parse_str(text).unwrap()).error;
    let found = error.map_or_else(Vec::new, crate::all);
    one(&found, text)
}

fn one(found: &[String], text: &str) -> (String, String) {
    assert_eq!(found.len(), 1, "{text}: {found:#?}");
    let (message, help) = found[0].split_once("\nhelp: ").unwrap_or((&found[0], ""));
    (message.to_owned(), help.to_owned())
}

fn body(body: &str) -> String {
    format!("#[warp_reduce(op = sum)] fn f(x: f32) -> f32 {{ {body} }}")
}

#[test]
fn names_that_something_wrong_would_have_brought_in_are_known() {
    for (text, says) in [
        ("let [a, b] = x; a + b", "accepted here are a name"),
        ("let Some(y) = x; y", "accepted here are a name"),
        ("if let y = x { y } else { x }", "`if let` is not of the language"),
        ("const K: f32 = 2.0; x * K", "items inside a body"),
        ("fn g(x: f32) -> f32 { x } g(x)", "items inside a body"),
        ("let y = g(x); fn g(x: f32) -> f32 { x } y", "items inside a body"),
        (
            "struct S { a: f32 } let s = S { a: x }; s.a",
            "items inside a body",
        ),
        (
            "match 3 { k @ 1..=3 => k as f32, _ => x }",
            "accepted are integer and `bool`",
        ),
    ] {
        let found = only(&body(text)).0;
        assert!(found.starts_with(says), "{text}: {found}");
    }
}

#[test]
fn what_comes_of_two_types_that_do_not_agree_is_open() {
    let (message, help) = only("#[warp_reduce(op = sum)] fn f(x: i32) -> f32 { x / 2.0 }");
    assert_eq!(message, "the right side of `/` must be i32, but this is a float");
    assert_eq!(
        help,
        "write the literal without the point, or convert the other value, as in `x as f32`"
    );
    only("#[warp_reduce(op = sum)] fn f(x: bool) -> f32 { x * 2.0 }");
    only("#[warp_reduce(op = sum)] fn f(x: f32) -> i32 { let y = x + 1; y }");
}

#[test]
fn items_of_a_module_that_are_wrong_are_known() {
    let copies = "#[derive(Clone, Copy)]";
    let circle = format!(
        "mod m {{ {copies} struct A {{ b: B }} {copies} struct B {{ a: A }} fn a(x: A) -> f32 {{ x.b.a.c }} }}"
    );
    assert_eq!(only_of_module(&circle).0, "`A` needs itself");
    assert_eq!(
        only_of_module("mod m { const A: f32 = B; const B: f32 = A; fn a(x: f32) -> f32 { x * B } }").0,
        "`A` needs itself"
    );
    let generic =
        format!("mod m {{ {copies} pub struct G<T> {{ pub x: T }} fn a(g: G<f32>) -> f32 {{ g.x }} }}");
    assert!(only_of_module(&generic).0.ends_with("has no generic parameters"));
    assert!(
        only_of_module("mod m { fn a<T>(x: T) -> T { x } }")
            .0
            .contains("no generic parameters")
    );
    only("#[warp_reduce(op = sum)] fn f<T>(x: T) -> T { x }");
}

#[test]
fn an_identity_that_is_no_state_is_one_error() {
    let of = "mod m { #[derive(Clone, Copy)] struct C { x: f32, n: u32 } fn add(a: C, b: C) -> C { a } \
              #[warp_reduce(op = add, identity = 0.0)] fn f(x: f32) -> C { C { x, n: 1 } } }";
    assert_eq!(
        only_of_module(of),
        (
            "`identity` must be C, but this is a number".to_owned(),
            "write `identity = C { x: 0.0, n: 0 }`".to_owned()
        )
    );
}

#[test]
fn the_state_of_a_named_operator_is_explained() {
    let text = |op: &str, argument: &str| {
        format!("#[warp_reduce(op = {op}, {argument})] fn f(x: i32) -> i32 {{ x }}")
    };
    let last = "must be (bool, i32), the state of `last`: whether there is one, and it, but this is a number";
    assert_eq!(
        only(&text("last", "init = -5")),
        (format!("`init` {last}"), "write `init = (true, -5)`".to_owned())
    );
    assert_eq!(
        only(&text("last", "identity = -1")),
        (
            format!("`identity` {last}"),
            "remove it: the state of nothing is known, and an element to begin with is `init = (true, …)`"
                .to_owned()
        )
    );
    assert_eq!(only(&text("argmax", "init = 7")).1, "write `init = (7, 0)`");
    assert_eq!(
        only(&text("sum", "init = true")),
        (
            "`init` must be i32, but this is bool".to_owned(),
            "write `init = 0`".to_owned()
        )
    );
    let softmax = "#[warp_reduce(op = softmax, init = 1.0)] fn f(x: f32) -> f32 { x }";
    assert_eq!(only(softmax).1, "write `init = (0.0, 0.0)`");
}

#[test]
fn types_are_printed_as_they_are_written() {
    for (ty, help) in [
        (
            "Option<f32>",
            "take whether there is one as a `bool` of its own, beside the value",
        ),
        ("u128", "write `u64`, or take the halves as two of them"),
        ("Vec<f32>", "write the type of one element, without what holds it"),
        ("Outside", "a struct must stand in the same `#[warp_module]`"),
    ] {
        let text = format!("#[warp_reduce(op = sum)] fn f(x: {ty}) -> f32 {{ 1.0 }}");
        let found = only(&text);
        assert!(
            found.0.starts_with(&format!("`{ty}` is not a type")),
            "{}",
            found.0
        );
        assert_eq!(found.1, help);
    }
}

#[test]
fn a_value_of_another_type_is_underlined_itself() {
    let text = body("let y = if x > 0.0 { 1.0 } else { 2 }; x * y");
    assert_eq!(
        only(&text),
        (
            "the `else` branch must be a float, but this is an integer".to_owned(),
            "write the literal with a point, as in `1.0`".to_owned()
        )
    );
    assert_eq!(spans(&text), ["2"]);
}

#[test]
fn help_for_common_slips() {
    for (text, message, help) in [
        (
            "x.exp",
            "f32 has no field `exp`",
            "a method is called: write `.exp()`",
        ),
        (
            "x.mul_add",
            "f32 has no field `mul_add`",
            "a method is called: write `.mul_add(a, b)`",
        ),
        (
            "x.max(1.0, 2.0)",
            "`max` takes 1 argument, but 2 are given",
            "it is `.max(a)`",
        ),
        (
            "let y = 3;",
            "the body ends without its result, which must be f32",
            "write the value last, without a `;`",
        ),
        (
            "",
            "the body ends without its result, which must be f32",
            "write the value last, without a `;`",
        ),
    ] {
        assert_eq!(only(&body(text)), (message.to_owned(), help.to_owned()));
    }
}
