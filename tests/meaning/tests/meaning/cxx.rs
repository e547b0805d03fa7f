//! The emitted CUDA C++ on the CPU: a C++ compiler takes it, with the few words of CUDA in it defined away.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use warpfold_programs::OF_MODULE;
use warpfold_tests::{Lacks, skip};

use crate::compare::Differences;
use crate::expected::{Expected, everything};
use crate::written::{library, written};

/// The C++ compiler: `CXX`, or `g++`. `None` where there is none; the test has then said that it is skipped.
#[track_caller]
pub fn compiler() -> Option<String> {
    let compiler = env::var("CXX").unwrap_or_else(|_| "g++".to_owned());
    match Command::new(&compiler).arg("--version").output() {
        Ok(_) => Some(compiler),
        Err(error) => {
            skip(
                Lacks::CxxCompiler,
                format!("{compiler}: {error}; help: install g++ or set CXX"),
            );
            None
        }
    }
}

const HEAD: &str = "
#define WARPFOLD_EMULATE
#define __device__
#define __forceinline__ inline
#include <math.h>
#include <stdio.h>
#include <vector>
";

/// A whole C++ program that reads operands from one file and writes results to another.
pub fn source(library: &str, programs: &[&Expected], emitted: &str) -> String {
    let mut text = format!("{HEAD}{library}{emitted}");
    text.push_str("int main(int, char** files) {\n");
    let words = |per: fn(&Expected) -> usize| {
        programs
            .iter()
            .map(|expected| expected.cases.len() * per(expected))
            .sum::<usize>()
    };
    let (operands, results) = (
        words(|e| e.program.params.len()),
        words(|e| e.program.results.len()),
    );
    writeln!(
        text,
        "  std::vector<wf::u64> operands({operands}), results({results});"
    )
    .expect("strings grow");
    text.push_str("  FILE* file = fopen(files[1], \"rb\");\n");
    text.push_str(
        "  if (!file || fread(operands.data(), 8, operands.size(), file) != operands.size()) return 2;\n",
    );
    text.push_str("  const wf::u64* in = operands.data();\n  wf::u64* out = results.data();\n");
    for Expected { program, cases, .. } in programs {
        writeln!(
            text,
            "  for (int i = 0; i < {}; ++i, in += {}, out += {}) runs::run_{}(in, out);",
            cases.len(),
            program.params.len(),
            program.results.len(),
            program.name
        )
        .expect("strings grow");
    }
    text.push_str("  file = fopen(files[2], \"wb\");\n");
    text.push_str(
        "  if (!file || fwrite(results.data(), 8, results.size(), file) != results.size()) return 3;\n",
    );
    text + "  return fclose(file);\n}\n"
}

/// Compiles and runs; gives every result in order, or how the program ended.
pub fn run(compiler: &str, name: &str, source: &str, programs: &[&Expected]) -> Result<Vec<u64>, String> {
    // In the build folder, unless the test was copied to another machine; its own, as several processes may test at once.
    let built = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let own = if built.is_dir() {
        tempfile::tempdir_in(built)
    } else {
        tempfile::tempdir()
    };
    let folder = own.expect("a build folder can be made");
    let file = |end: &str| -> PathBuf { folder.path().join(format!("{name}{end}")) };
    fs::write(file(".cpp"), source).expect("the build folder can be written to");
    let operands: Vec<u8> = programs
        .iter()
        .flat_map(|expected| expected.cases.iter().flatten())
        .flat_map(|word| word.to_ne_bytes())
        .collect();
    fs::write(file(".in"), operands).expect("the build folder can be written to");
    let built = Command::new(compiler)
        .args(["-std=c++17", "-O0", "-ffp-contract=off", "-w", "-o"])
        .args([file(".out"), file(".cpp")])
        .output()
        .expect("the compiler was there a moment ago");
    assert!(
        built.status.success(),
        "{name} does not compile:\n{}",
        String::from_utf8_lossy(&built.stderr)
    );
    let ran = Command::new(file(".out"))
        .args([file(".in"), file(".results")])
        .status()
        .expect("it was just built");
    if !ran.success() {
        return Err(ran.to_string());
    }
    let bytes = fs::read(file(".results")).expect("it was just written");
    Ok(bytes
        .chunks_exact(8)
        .map(|word| u64::from_ne_bytes(word.try_into().expect("eight bytes")))
        .collect())
}

/// Compares results, given in the order of the programs and their cases.
pub fn compare(programs: &[&Expected], results: &[u64], differences: &mut Differences) {
    let mut rest = results;
    for expected in programs {
        let fields = expected.program.results.len();
        let (own, further) = rest.split_at(expected.cases.len() * fields);
        rest = further;
        differences.look(expected, |case, _| {
            own[case * fields..(case + 1) * fields].to_vec()
        });
    }
}

/// Compiles and compares programs, some at a time.
fn agrees(name: &str, programs: &[&Expected]) {
    let Some(compiler) = compiler() else { return };
    let library = library();
    let mut differences = Differences::default();
    for (number, chunk) in programs.chunks(250).enumerate() {
        let source = source(&library, chunk, &written(chunk));
        let results = run(&compiler, &format!("{name}_{number}"), &source, chunk);
        compare(chunk, &results.expect("programs end"), &mut differences);
    }
    differences.none();
}

#[test]
fn the_cuda_of_every_program_agrees_with_rustc_on_the_cpu() {
    let everything = everything();
    let (scalars, _) = everything.split_at(everything.len() - OF_MODULE);
    agrees("chunk", &scalars.iter().collect::<Vec<_>>());
}

#[test]
fn the_cuda_of_programs_that_use_their_module_agrees_too() {
    let everything = everything();
    let (_, of_module) = everything.split_at(everything.len() - OF_MODULE);
    agrees("module", &of_module.iter().collect::<Vec<_>>());
}
