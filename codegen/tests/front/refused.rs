//! Specs that are refused, with every message in full.

use crate::{right, wrong};

/// Asserts what is wrong with a spec, in order.
fn says(text: &str, messages: &[&str]) {
    assert_eq!(wrong(text), messages, "{text}");
}

#[test]
fn several_mistakes_in_one_attribute_come_together() {
    says(
        "#[warp_reduce(op = maxx, width = 24, op = sum, kind = exclusive)] fn f(x: f32) -> f32 { x }",
        &[
            "`op` is given twice\nhelp: remove one of them",
            "`kind` is an argument of `#[warp_scan]`, not of `#[warp_reduce]`\nhelp: remove it",
            "width 24 is not a group of lanes; accepted are 1, 2, 4, 8, 16, 32\nhelp: write `width = 32`",
            "`maxx` is not an operator; accepted are sum, product, min, max, minimum, maximum, and, or, xor, any, all, count, ballot, argmin, argmax, first, last, softmax, welford, affine\nhelp: write `op = max`, a closure, `op = |p, q| …`, or a function of the same `#[warp_module]`",
        ],
    );
}

#[test]
fn masks() {
    says(
        "#[warp_reduce(op = sum, mask = 0x000fffff, width = 32)] fn f(x: f32) -> f32 { x }",
        &[
            "mask 0x000fffff: at step 1 (down 16) lane 4 reads lane 20, which the mask does not name\nhelp: keep the mask full and let dead lanes carry the identity: `mask = 0xffffffff`",
        ],
    );
    says(
        "#[warp_reduce(op = sum, mask = 0)] fn f(x: f32) -> f32 { x }",
        &[
            "mask 0x00000000 names no lane\nhelp: keep the mask full and let dead lanes carry the identity: `mask = 0xffffffff`",
        ],
    );
    says(
        "#[warp_reduce(op = sum, mask = 0x1_ffff_ffff)] fn f(x: f32) -> f32 { x }",
        &["mask 0x1ffffffff names lanes past 31; a warp has 32\nhelp: write `mask = 0xffffffff`"],
    );
}

#[test]
fn landing_lanes() {
    says(
        "#[warp_reduce(op = sum, land = 16, width = 16)] fn f(x: f32) -> f32 { x }",
        &["landing lane 16 is outside a group of 16\nhelp: name a lane from 0 to 15, or `land = all`"],
    );
    says(
        "#[warp_reduce(op = sum, land = 0, apply = |t| x / t)] fn f(x: f32) -> f32 { x }",
        &["`apply` runs in every lane, so every lane must hold the state\nhelp: write `land = all`"],
    );
}

#[test]
fn closures_need_their_identity() {
    says(
        "#[warp_reduce(op = |a, b| a + b)] fn f(x: f32) -> f32 { x }",
        &[
            "an operator of your own needs its identity, which rows of any length are padded with\nhelp: add `identity = …` with the state that changes nothing",
        ],
    );
}

#[test]
fn finish_of_a_reduction_runs_once_a_row() {
    says(
        "#[warp_reduce(op = sum, finish = |s| s / x)] fn f(x: f32) -> f32 { x }",
        &[
            "`finish` of a reduction runs once a row, and `x` is one of many\nhelp: use it in the function's body, or in `apply`",
        ],
    );
}

#[test]
fn types_that_do_not_agree() {
    says(
        "#[warp_reduce(op = sum)] fn f(x: f32, n: u32) -> f32 { x * n }",
        &["the right side of `*` must be f32, but this is u32\nhelp: convert with `as f32`"],
    );
    says(
        "#[warp_reduce(op = sum)] fn f(x: f32) -> f32 { x + 1 }",
        &[
            "the right side of `+` must be f32, but this is an integer\nhelp: write the literal with a point, as in `1.0`",
        ],
    );
    says(
        "#[warp_reduce(op = sum)] fn f(x: i8) -> i8 { x + 300 }",
        &["300 does not fit i8\nhelp: i8 holds -128 to 127"],
    );
}

#[test]
fn expressions_that_are_not_of_the_language() {
    says(
        "#[warp_reduce(op = sum)] fn f(x: f32) -> f32 { let mut y = x; while y > 1.0 { y = y / 2.0; } y }",
        &[
            "a loop without constant bounds is not of the language\nhelp: write `for i in 0..8 { … }` with bounds that are literals or constants",
        ],
    );
    says(
        "#[warp_reduce(op = sum)] fn f(x: f32) -> f32 { x.sqr() }",
        &["f32 has no method `sqr` here\nhelp: write `sqrt`"],
    );
    says(
        "#[warp_reduce(op = sum)] fn f(x: f32) -> f32 { 2.0.max(x) }",
        &["the type of `2.0` is not known where `max` is called\nhelp: write `2.0_f32`"],
    );
    says(
        "#[warp_reduce(op = sum)] fn f(x: f32) -> f32 { other(x) }",
        &[
            "`other` is not a function of this module\nhelp: put the spec and the function into one `#[warp_module]`",
        ],
    );
}

#[test]
fn parameters() {
    says(
        "#[warp_reduce(op = sum)] fn f(x: &[f32], n: usize, #[colum] g: f32, #[index] i: i32) -> f32 { 1.0 }",
        &[
            "`&[f32]` is not a type of the language; accepted are f32, f64, f16, bf16, i8, i16, i32, i64, u8, u16, u32, u64, bool, tuples of up to four of them, and structs of a `#[warp_module]`\nhelp: elements arrive one by one, by value: write `f32`",
            "`usize` is not a type of the language; accepted are f32, f64, f16, bf16, i8, i16, i32, i64, u8, u16, u32, u64, bool, tuples of up to four of them, and structs of a `#[warp_module]`\nhelp: write `u32` or `u64`",
            "`#[colum]` is not an attribute of a parameter\nhelp: accepted are #[per_column], #[per_row], #[uniform], #[index], #[row], #[len], #[live]",
            "a position, a row's number or a length is u32 or u64, not i32\nhelp: write `u32`",
        ],
    );
}

#[test]
fn shuffles() {
    says(
        "#[warp_shuffle(from = xor(16), width = 16)] fn f(x: f32) -> f32 { x }",
        &[
            "xor(16) reaches outside a group of 16\nhelp: xor(16) pairs lanes of groups of 32: write `width = 32`, or k from 0 to 15",
        ],
    );
}

#[test]
fn one_mistake_in_a_parameter_is_one_error() {
    let messages = wrong(
        "#[warp_reduce(op = sum, land = all, apply = |t| t * n as f32)] fn f(x: f32, n: usize) -> f32 { x * n as f32 }",
    );
    assert_eq!(messages.len(), 1, "{messages:#?}");
}

#[test]
fn widths_that_are_no_groups() {
    for width in [0, 3, 5, 7, 24, 33, 64] {
        for form in [
            "#[warp_reduce(op = sum, width = N)] fn f(x: f32) -> f32 { x }",
            "#[warp_scan(op = sum, width = N)] fn f(x: f32) -> f32 { x }",
            "#[warp_filter(width = N)] fn f(x: f32) -> bool { x > 0.0 }",
            "#[warp_shuffle(from = lane(0), width = N)] fn f(x: f32) -> f32 { x }",
        ] {
            let text = form.replace('N', &width.to_string());
            let found = wrong(&text);
            let wanted = format!("width {width} is not a group of lanes; accepted are 1, 2, 4, 8, 16, 32\n");
            assert!(
                found.len() == 1 && found[0].starts_with(&wanted),
                "{text}: {found:#?}"
            );
        }
    }
    for width in [1, 2, 4, 8, 16, 32] {
        right(&format!(
            "#[warp_reduce(op = sum, width = {width})] fn f(x: f32) -> f32 {{ x }}"
        ));
    }
}

#[test]
fn one_error_for_each_mistake_of_a_spec() {
    let found = wrong(
        "#[warp_scan(op = |a, b| a + b, op = sum, land = 16, width = 16, colour = 1, apply = |t| t)] fn f(x: f32) -> f32 { x }",
    );
    let begins = [
        "`op` is given twice",
        "`land` is an argument of `#[warp_reduce]`, not of `#[warp_scan]`",
        "`colour` is not an argument",
        "`apply` is an argument of `#[warp_reduce]`, not of `#[warp_scan]`",
        "an operator of your own needs its identity",
    ];
    assert!(
        found.len() == begins.len() && found.iter().zip(begins).all(|(f, b)| f.starts_with(b)),
        "{found:#?}"
    );
}
