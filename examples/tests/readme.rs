//! What README.md and the guide show is what there is: the output of a program, error messages and pictures.
//!
//! `UPDATE_EXPECT=1 cargo test -p warpfold-examples --test readme` writes the output and the pictures anew; look at
//! both before they are committed. The programs of README.md are run by the doc tests of `warpfold`.

use std::fs;
use std::path::{Path, PathBuf};

use warpfold::prelude::*;

#[path = "../row_max.rs"]
#[allow(dead_code, reason = "`main` runs the program on the best device there is")]
mod row_max;

/// The sum in lane 0.
#[warp_reduce(op = sum, width = 8, land = 0)]
pub fn ladder(x: f32) -> f32 {
    x
}

/// The sum in every lane.
#[warp_reduce(op = sum, width = 8, land = all)]
pub fn butterfly(x: f32) -> f32 {
    x
}

/// The sum of the lanes up to each.
#[warp_scan(op = sum, width = 8)]
pub fn scan(x: f32) -> f32 {
    x
}

/// Which lanes hold something positive.
#[warp_filter(width = 8)]
pub fn vote(x: f32) -> bool {
    x > 0.0
}

/// The root of the workspace; none where the tests were copied to a machine without the sources.
fn root() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    root.join("examples").is_dir().then(|| root.to_owned())
}

fn updating() -> bool {
    std::env::var_os("UPDATE_EXPECT").is_some()
}

/// The text between the lines "```text" and "```" whose first line starts with `start`, and where it stands.
fn block<'a>(readme: &'a str, start: &str) -> Option<(usize, &'a str)> {
    let opening = "```text\n";
    let at = readme.find(&format!("{opening}{start}"))? + opening.len();
    let len = readme[at..].find("```\n")?;
    Some((at, &readme[at..at + len]))
}

/// Without the line that names the device, which differs from machine to machine.
fn from_second_line(text: &str) -> &str {
    text.split_once('\n').map_or("", |(_, rest)| rest)
}

#[test]
fn the_output_of_the_first_program_is_as_shown() {
    let Some(root) = root() else { return };
    let path = root.join("README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let mut printed = Vec::new();
    row_max::report(&Device::cpu(), &mut printed).unwrap();
    let printed = String::from_utf8(printed).unwrap();
    let printed = printed.trim_end();

    let (at, shown) = block(&readme, "device: ").expect("README.md shows the output");
    if updating() {
        let device = shown.lines().next().unwrap_or_default();
        let new = format!("{device}\n{}\n", from_second_line(printed));
        fs::write(
            &path,
            format!("{}{new}{}", &readme[..at], &readme[at + shown.len()..]),
        )
        .unwrap();
        return;
    }
    assert_eq!(from_second_line(shown.trim_end()), from_second_line(printed));
}

#[test]
fn the_errors_are_those_of_the_compiler() {
    let Some(root) = root() else { return };
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    for (start, program) in [
        ("error: mask", "plan/mask-plan.stderr"),
        ("error: 0.0 is not", "laws/law-identity-max-zero.stderr"),
    ] {
        let (_, shown) = block(&readme, start).unwrap_or_else(|| panic!("README.md shows `{start}…`"));
        let real = fs::read_to_string(root.join("ui-tests").join(program)).unwrap();
        assert!(
            real.starts_with(shown),
            "{program} says\n{real}\nREADME.md shows\n{shown}"
        );
    }
}

#[test]
fn the_pictures_are_what_plans_draw() {
    let Some(root) = root() else { return };
    let pictures = root.join("runtime/src/guide/pictures");
    let guide = fs::read_to_string(root.join("runtime/src/guide.rs")).unwrap();
    for (name, drawn) in [
        ("ladder", ladder::plan().svg()),
        ("butterfly", butterfly::plan().svg()),
        ("scan", scan::plan().svg()),
        ("vote", vote::plan().svg()),
    ] {
        let path = pictures.join(format!("{name}.svg"));
        if updating() {
            fs::write(&path, &drawn).unwrap();
        }
        let kept = fs::read_to_string(&path).unwrap();
        assert!(kept == drawn, "{name}.svg is not what the plan draws");
        // A page is Markdown, in which a blank line ends what is written in another language.
        assert!(!kept.contains("\n\n"), "{name}.svg has a blank line");
        let shown = format!("include_str!(\"guide/pictures/{name}.svg\")");
        assert!(guide.contains(&shown), "no page of the guide shows {name}.svg");
    }
}

/// The guide's operation of candle is that of `examples/candle`, which is compiled and tested.
#[test]
fn the_operation_of_candle_is_the_one_that_is_tested() {
    let Some(root) = root() else { return };
    let guide = fs::read_to_string(root.join("runtime/src/guide/libraries.md")).unwrap();
    let tested = fs::read_to_string(root.join("examples/candle/src/lib.rs")).unwrap();
    let start = "impl CustomOp1 for Softmax {";
    let (_, shown) = block(&guide, start).unwrap_or_else(|| panic!("the guide shows `{start}`"));
    // On its own page nobody needs to know which half candle's features leave out.
    let tested = tested[tested.find(start).unwrap()..].replace("    #[cfg(feature = \"cuda\")]\n", "");
    assert_eq!(shown, tested);
}

/// Every file and folder that ARCHITECTURE.md names with its path from the root exists.
#[test]
fn the_architecture_names_what_exists() {
    let Some(root) = root() else { return };
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let rooms = [
        "lanes/",
        "codegen/",
        "macros/",
        "runtime/",
        "tests/",
        "ui-tests/",
        "examples/",
        "benches/",
        "xtask/",
    ];
    let mut named = 0;
    for name in text.split('`').skip(1).step_by(2) {
        if rooms.iter().any(|room| name.starts_with(room)) && !name.contains(['*', '{', ' ']) {
            assert!(root.join(name).exists(), "ARCHITECTURE.md names `{name}`");
            named += 1;
        }
    }
    assert!(named > 30, "only {named} paths were found");
}
