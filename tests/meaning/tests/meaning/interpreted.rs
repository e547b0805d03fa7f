//! The compiler's interpreter, by which laws are checked, against rustc.

use std::rc::Rc;

use proc_macro2::TokenStream;
use warpfold_codegen::ir::{Function, Module};
use warpfold_codegen::{eval, module};
use warpfold_programs::{PRELUDE, Program, from_word, is_helper, to_word};

use crate::compare::Differences;
use crate::expected::everything;

/// Programs as the compiler understands them, in their order.
pub fn understood<'a>(programs: impl IntoIterator<Item = &'a Program>) -> Rc<Module> {
    let source: String = programs
        .into_iter()
        .map(|program| program.source.as_str())
        .collect();
    let item = syn::parse_str(&format!("mod programs {{ {PRELUDE} {source} }}")).expect("programs are Rust");
    let understood = module::read(TokenStream::new(), item);
    assert!(understood.error.is_none(), "{:?}", understood.error);
    understood.module
}

/// The functions of a module that are programs, in their order.
pub fn programs_of(module: &Module) -> impl Iterator<Item = &Rc<Function>> {
    let functions = module.functions.iter();
    functions.filter(|function| !is_helper(&function.name.to_string()))
}

#[test]
fn the_interpreter_agrees_with_rustc() {
    let mut differences = Differences::default();
    for chunk in everything().chunks(100) {
        let module = understood(chunk.iter().map(|expected| &expected.program));
        for (expected, function) in chunk.iter().zip(programs_of(&module)) {
            assert_eq!(function.name, expected.program.name);
            differences.look(expected, |_, case| {
                let args: Vec<_> = expected
                    .program
                    .params
                    .iter()
                    .zip(case)
                    .map(|(&s, &w)| from_word(s, w))
                    .collect();
                let value = eval::call(function, &args, &module).expect("every function has a value");
                let mut words = Vec::new();
                to_word(&value, &mut words);
                words
            });
        }
    }
    differences.none();
}
