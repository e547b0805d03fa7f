//! Every name that the user wrote keeps its place, so that rustc's errors, go to definition, hover and rename land there.

use std::collections::HashSet;

use proc_macro2::{LineColumn, TokenStream, TokenTree};
use warpfold_codegen::{warp_module, warp_reduce};

/// A token's text and where it begins.
type Placed = (String, usize, usize);

fn placed(tokens: TokenStream, found: &mut Vec<Placed>) {
    for token in tokens {
        let LineColumn { line, column } = token.span().start();
        match token {
            TokenTree::Group(group) => placed(group.stream(), found),
            TokenTree::Ident(ident) => found.push((ident.to_string(), line, column)),
            TokenTree::Literal(literal) => found.push((literal.to_string(), line, column)),
            TokenTree::Punct(_) => {}
        }
    }
}

/// How often each token that the user wrote stands in the output at the place it was written.
fn count(source: &TokenStream, output: TokenStream) -> Vec<(Placed, usize)> {
    let (mut wrote, mut written) = (Vec::new(), Vec::new());
    placed(source.clone(), &mut wrote);
    placed(output, &mut written);
    wrote
        .into_iter()
        .map(|token| {
            (
                token.clone(),
                written.iter().filter(|&other| *other == token).count(),
            )
        })
        .collect()
}

#[test]
fn names_of_arguments_keep_their_place() {
    // Both on lines of their own, so that no place is meant twice.
    let args: TokenStream =
        "\n\n\nop = softmax, land = all, apply = |total| -> f32 {\n let top = x.max(total.0);\n \
                             (top - total.0).exp() / scale }"
            .parse()
            .unwrap();
    let item: TokenStream = "pub fn soft(x: f32, #[uniform] scale: f32) -> f32 { x }"
        .parse()
        .unwrap();
    let output = warp_reduce(args.clone(), item);
    let ours: HashSet<&str> = ["op", "softmax", "land", "all", "apply", "f32", "let"].into();
    for ((text, line, column), found) in count(&args, output) {
        // Numbers of fields become indices; what stands in closures stands in the output.
        if !ours.contains(text.as_str()) && text.parse::<f32>().is_err() {
            assert!(found > 0, "`{text}` at {line}:{column} is lost");
        }
    }
}

#[test]
fn names_of_the_function_keep_their_place_as_written_and_as_run() {
    let item: TokenStream =
        "pub fn clipped(x: f32, #[uniform] limit: f32) -> f32 {\n let twice = x * limit;\n \
                             if twice > limit { twice.sqrt() } else { twice } }"
            .parse()
            .unwrap();
    let counts = count(&item, warp_reduce("op = sum".parse().unwrap(), item.clone()));
    for ((text, line, column), found) in counts {
        // In the body each name stands twice: in the function that the user may call, and in the one that is run.
        let wanted = match text.as_str() {
            "twice" | "sqrt" | "limit" | "x" => 2,
            "uniform" => 0,
            "pub" | "fn" | "f32" | "let" | "if" | "else" => continue,
            _ => 1,
        };
        assert!(
            found >= wanted,
            "`{text}` at {line}:{column} stands {found} times"
        );
    }
}

#[test]
fn names_of_modules_keep_their_place() {
    let item: TokenStream = "mod m {\n #[derive(Clone, Copy)] struct Pair { low: f32, high: f32 }\n const ONE: f32 = 1.0;\n \
                             fn hull(a: Pair, b: Pair) -> Pair {\n Pair { low: a.low.min(b.low), high: a.high.max(b.high) } }\n \
                             #[warp_reduce(identity = Pair { low: inf, high: -inf }, op = hull,\n finish = |s| -> f32 { \
                             (s.high - s.low) * ONE })]\n fn range(x: f32) -> Pair { Pair { low: x, high: x } } }"
        .parse()
        .unwrap();
    let counts = count(&item, warp_module(TokenStream::new(), item.clone()));
    for ((text, line, column), found) in counts {
        let wanted = match (text.as_str(), line) {
            // The helper and the map as written, and in the form that is run.
            ("a" | "b" | "low" | "high" | "min" | "max", 5) | ("x", 8) => 2,
            ("s" | "high" | "low" | "ONE", 7) => 1,
            _ => continue,
        };
        assert!(
            found >= wanted,
            "`{text}` at {line}:{column} stands {found} times"
        );
    }
}
