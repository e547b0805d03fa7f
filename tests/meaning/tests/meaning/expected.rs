//! What each program gives in Rust: the emitted Rust, compiled by rustc.

use warpfold_meaning::PROGRAMS;
use warpfold_programs::{Program, all, cases};

/// On how many rows of operands each program runs.
pub const CASES: usize = 48;

/// On how many rows a single operation runs: it is to meet the edges of its types.
pub const CASES_OF_SINGLE: usize = 200;

/// A program with the operands it is run on and its results in Rust.
#[derive(Debug)]
pub struct Expected {
    /// The program.
    pub program: Program,
    /// A row of operands a case.
    pub cases: Vec<Vec<u64>>,
    /// A row of results a case.
    pub results: Vec<Vec<u64>>,
}

/// Every program.
pub fn everything() -> Vec<Expected> {
    let programs = all();
    assert_eq!(
        programs.len(),
        PROGRAMS.len(),
        "the build script wrote the same programs"
    );
    programs
        .into_iter()
        .enumerate()
        .map(|(number, program)| expected(number, program))
        .collect()
}

fn expected(number: usize, program: Program) -> Expected {
    let cases = cases(&program, if program.single { CASES_OF_SINGLE } else { CASES });
    let results = cases
        .iter()
        .map(|case| {
            let mut out = vec![0; program.results.len()];
            PROGRAMS[number](case, &mut out);
            out
        })
        .collect();
    Expected {
        program,
        cases,
        results,
    }
}
