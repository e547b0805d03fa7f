//! Help lines name what was meant, and can be typed in.

use crate::{spans, wrong};

/// What a spec's only error says: its first line and its help.
fn only(text: &str) -> (String, String) {
    let found = wrong(text);
    assert_eq!(found.len(), 1, "{text}: {found:#?}");
    let (message, help) = found[0].split_once("\nhelp: ").unwrap_or((&found[0], ""));
    (message.to_owned(), help.to_owned())
}

#[test]
fn an_operator_that_is_not_of_the_table() {
    const OWN: &str = "a closure, `op = |p, q| …`, or a function of the same `#[warp_module]`";
    for (op, meant) in [
        ("add", "`op = sum`, "),
        ("mul", "`op = product`, "),
        (
            "mean",
            "`op = sum, finish = |s| s / n as f32` with `#[len] n: u32`, ",
        ),
        ("maxx", "`op = max`, "),
        ("sume", "`op = sum`, "),
        ("maximun", "`op = maximum`, "),
        ("nope", ""),
        ("amd", ""),
        ("mine", "`op = min`, "),
    ] {
        let (message, help) = only(&format!("#[warp_reduce(op = {op})] fn f(x: f32) -> f32 {{ x }}"));
        assert!(
            message.starts_with(&format!("`{op}` is not an operator")),
            "{message}"
        );
        assert_eq!(help, format!("write {meant}{OWN}"));
    }
}

#[test]
fn an_operator_in_quotes() {
    let text = |op: &str| format!("#[warp_reduce(op = {op})] fn f(x: f32) -> f32 {{ x }}");
    for (op, meant) in [("\"max\"", "max"), ("\"sum\"", "sum"), ("\"foo\"", "sum")] {
        let (message, help) = only(&text(op));
        assert_eq!(message, "an operator stands without quotes");
        assert_eq!(help, format!("write `op = {meant}`"));
    }
    assert_eq!(only(&text("5")).0, "`op` is a closure, not `5`");
}

#[test]
fn a_source_that_is_none_of_the_five() {
    for (from, meant) in [
        ("up(-1)", "down(1)"),
        ("down(-3)", "up(3)"),
        ("left(1)", "up(1)"),
        ("right(2)", "down(2)"),
        ("rotate(-1)", "rotate(7)"),
        ("rotate(-9)", "rotate(7)"),
        ("up", "up(1)"),
        ("rotate", "rotate(1)"),
        ("up(1, 2)", "up(1)"),
        ("up(K)", "up(1)"),
        ("xor(-1)", "xor(1)"),
        ("nowhere(1)", "xor(1)"),
        ("5", "xor(1)"),
    ] {
        let text = format!("#[warp_shuffle(from = {from}, width = 8)] fn f(x: f32) -> f32 {{ x }}");
        let (message, help) = only(&text);
        assert!(
            message.starts_with(&format!("`{from}` is not a source")),
            "{message}"
        );
        assert_eq!(help, format!("write `from = {meant}`"));
    }
    let wide = only("#[warp_shuffle(from = rotate(-1))] fn f(x: f32) -> f32 { x }");
    assert_eq!(wide.1, "write `from = rotate(31)`");
    assert_eq!(
        only("#[warp_shuffle(from = xor(5), width = 4)] fn f(x: f32) -> f32 { x }").1,
        "xor(5) pairs lanes of groups of 8: write `width = 8`, or k from 0 to 3"
    );
}

#[test]
fn numbers_of_the_plan_are_literals() {
    for (argument, says) in [
        (
            "width = W",
            "`W` is not a literal, and a width is one; accepted are 1, 2, 4, 8, 16, 32",
        ),
        (
            "land = L",
            "a landing lane is `all` or the number of a lane, a literal",
        ),
        (
            "mask = M",
            "a mask is a literal with a bit for each of the 32 lanes",
        ),
    ] {
        let text = format!("#[warp_reduce(op = sum, {argument})] fn f(x: f32) -> f32 {{ x }}");
        assert_eq!(only(&text).0, says);
    }
}

#[test]
fn closures_say_how_many_parameters_they_have() {
    for (text, says) in [
        (
            "#[warp_filter(keep = |a| x)] fn f(x: f32) -> bool { x > 0.0 }",
            "`keep` is a closure with no parameter, not with 1",
        ),
        (
            "#[warp_reduce(op = sum, finish = |a, b| a)] fn f(x: f32) -> f32 { x }",
            "`finish` is a closure with 1 parameter, not with 2",
        ),
        (
            "#[warp_reduce(op = |p| p, identity = 0.0)] fn f(x: f32) -> f32 { x }",
            "`op` is a closure with 2 parameters, not with 1",
        ),
    ] {
        assert_eq!(only(text).0, says);
    }
}

#[test]
fn the_word_that_is_too_much_is_named_and_underlined() {
    let text = "#[warp_reduce(op = sum)] unsafe fn f(x: f32) -> f32 { x }";
    assert_eq!(only(text).1, "remove `unsafe`");
    assert_eq!(spans(text), ["unsafe"]);
}
