//! Every golden's kernels hold what they compute in registers: their machine code asks for no local memory.
//!
//! Read from the cubins that NVRTC makes, so no GPU is needed. Local memory is where registers are spilled to, and where an
//! array lives whose place is only known as the kernel runs.

#![allow(
    non_snake_case,
    clippy::assign_op_pattern,
    clippy::manual_is_multiple_of,
    reason = "the goldens are written for what the compiler has to take"
)]

use warpfold::__private::{Resources, resources};
use warpfold::{Error, Rows};
use warpfold_tests::{Lacks, root, skip};

/// A golden of the compiler's, compiled here, and what its kernels take.
macro_rules! goldens {
    ($($file:ident: $($spec:ident)::+;)*) => {
        $(
            mod $file {
                #[allow(unused_imports, reason = "for the goldens that take halves")]
                use half::f16;
                use warpfold::prelude::*;

                include!(concat!("../../codegen/tests/goldens/", stringify!($file), ".rs"));

                pub fn take(shape: Rows, anywhere: bool) -> Result<Vec<super::Resources>, warpfold::Error> {
                    super::resources::<$($spec)::+>(shape, anywhere, super::ARCH)
                }
            }
        )*
        const GOLDENS: &[(&str, Take)] = &[$((stringify!($file), $file::take)),*];
    };
}

type Take = fn(Rows, bool) -> Result<Vec<Resources>, Error>;

/// The architecture whose code is looked at.
const ARCH: i32 = 90;

goldens! {
    affine: affine;
    affine_back: affine_back;
    any: any_set;
    ballot: signs;
    choices: choices;
    count: positive;
    dot: dot;
    language: language;
    last: last;
    last_writer: last_writer;
    log_sum_exp: log_sum_exp;
    masked: masked;
    minimum: minimum;
    narrow_share: narrow_share;
    offsets: offsets;
    pairs: pairs;
    partner: partner;
    positive: positive;
    ragged: ragged;
    recurrence: recurrence;
    rms_norm: rms_norm;
    rotated: rotated;
    row_max: row_max;
    softmax: softmax;
    tally: tally;
    top: top;
    variance: stats::variance;
    welford: layer_norm;
}

/// Short rows, rows of one tile and of many, an odd row that starts anywhere, one that many blocks share.
const SHAPES: [(usize, usize, bool); 6] = [
    (5000, 20, false),
    (5000, 32, true),
    (3000, 1024, false),
    (700, 4096, false),
    (300, 5001, true),
    (1, 3_000_000, false),
];

/// The most bytes that an exception below takes: four words.
const FEW: u32 = 16;

/// Kernels that do use it, each for a few words of a row, or of its loop over parts or tiles, which are read once a row or a turn of
/// the loop and not once an element; and what is had for them.
const EXCEPTIONS: [(&str, &str, &str); 11] = [
    (
        "affine_back",
        "ArrayScanBulk",
        "80 registers, as many as 22 warps of one block have each",
    ),
    (
        "last",
        "ArrayReduce",
        "64 registers as the compiler chooses: four blocks a multiprocessor",
    ),
    (
        "last",
        "ReduceParts",
        "64 registers as the compiler chooses: four blocks a multiprocessor",
    ),
    (
        "last_writer",
        "ArrayScan",
        "128 registers as the compiler chooses: two blocks a multiprocessor",
    ),
    (
        "log_sum_exp",
        "ReduceParts",
        "80 registers as the schedule asks: three blocks a multiprocessor",
    ),
    (
        "minimum",
        "Scan {",
        "48 registers as the compiler chooses: five blocks a multiprocessor",
    ),
    (
        "ragged",
        "Columns",
        "80 registers as the schedule asks: three blocks a multiprocessor",
    ),
    (
        "row_max",
        "Columns",
        "80 registers as the schedule asks: three blocks a multiprocessor",
    ),
    (
        "top",
        "Columns",
        "48 registers as the compiler chooses: five blocks a multiprocessor",
    ),
    (
        "top",
        "ReduceParts",
        "80 registers as the schedule asks: three blocks a multiprocessor",
    ),
    (
        "variance",
        "ReduceParts",
        "80 registers as the compiler chooses: three blocks a multiprocessor",
    ),
];

#[test]
fn no_golden_spills() {
    let (mut kernels, mut faults) = (0, Vec::new());
    for (name, take) in GOLDENS {
        for (rows, cols, anywhere) in SHAPES {
            let cols = if *name == "ballot" { cols.min(32) } else { cols };
            let taken = match take(Rows::new(rows, cols), anywhere) {
                Ok(taken) => taken,
                Err(Error::NoNvrtc { searched }) => return skip(Lacks::Nvrtc, searched),
                Err(error) => panic!("{name}: {error}"),
            };
            kernels += taken.len();
            for Resources {
                kernel,
                registers,
                local,
            } in taken
            {
                assert!(
                    (1..=255).contains(&registers),
                    "{name}: {kernel} has {registers} registers"
                );
                let excused = EXCEPTIONS
                    .iter()
                    .any(|(golden, entry, _)| golden == name && kernel.starts_with(entry));
                let most = if excused { FEW } else { 0 };
                if local > most {
                    faults.push(format!(
                        "{name}, {rows} x {cols}: {kernel} takes {local} bytes, {registers} registers"
                    ));
                }
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} kernels spill:\n  {}",
        faults.len(),
        faults.join("\n  ")
    );
    assert!(
        kernels > GOLDENS.len() * SHAPES.len(),
        "only {kernels} kernels were looked at"
    );
}

/// A new golden is looked at too.
#[test]
fn every_golden_is_listed() {
    let folder = root().join("codegen/tests/goldens");
    // Tests that were copied to another machine have no sources beside them.
    let Ok(files) = std::fs::read_dir(folder) else {
        return;
    };
    let mut names: Vec<String> = files
        .map(|file| file.expect("a folder that can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, GOLDENS.iter().map(|(name, _)| *name).collect::<Vec<_>>());
}
