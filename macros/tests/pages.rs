//! Each attribute's page is the reference of its arguments: it names every one, and has an example with every one, which
//! the doc tests run.

use std::path::Path;

use warpfold_codegen::arguments::Attribute;

const ATTRIBUTES: [Attribute; 5] = [
    Attribute::Reduce,
    Attribute::Scan,
    Attribute::Filter,
    Attribute::Shuffle,
    Attribute::Module,
];

/// The doc comment of an attribute, without its slashes.
fn page(source: &str, attribute: Attribute) -> String {
    let end = source
        .find(&format!("pub fn {}(", attribute.name()))
        .expect("the attribute is defined");
    let lines: Vec<&str> = source[..end].trim_end().lines().rev().skip(1).collect();
    let mut page: Vec<&str> = lines.iter().map_while(|line| line.strip_prefix("///")).collect();
    page.reverse();
    page.join("\n")
}

/// What stands between the fences of code.
fn examples(page: &str) -> String {
    page.split("```").skip(1).step_by(2).collect()
}

#[test]
fn every_argument_has_an_example_that_runs() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs");
    // The tests may have been copied to a machine without the sources.
    let Ok(source) = std::fs::read_to_string(path) else {
        return;
    };
    let mut missing = Vec::new();
    for attribute in ATTRIBUTES {
        let page = page(&source, attribute);
        let examples = examples(&page);
        let opening = format!("#[{}(", attribute.name());
        // What is written between `#[warp_…(` and `)]`, in all examples of the page.
        let given: Vec<&str> = examples
            .split(&opening)
            .skip(1)
            .filter_map(|rest| rest.split(")]\n").next())
            .collect();
        for name in attribute.accepts() {
            let value = format!("{name} = ");
            let has =
                |arguments: &&str| arguments.starts_with(&value) || arguments.contains(&format!(" {value}"));
            if !given.iter().any(has) {
                missing.push(format!("{}: {name}", attribute.name()));
            }
        }
    }
    assert!(missing.is_empty(), "no example of {}", missing.join(", "));
}
