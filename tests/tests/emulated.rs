//! The kernels of `runtime/kernels`, run on the CPU by the emulator in `emulator/` and compared, bit for bit, with the
//! order spelled out element by element. Needs a C++ compiler (`CXX`, or `g++`); without one each test says so and is skipped.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::{env, process::Command};

use warpfold_tests::blocks::{BLOCKS, CALLS, cases};
use warpfold_tests::{Lacks, skip};

/// Compiles `emulator/<name>.cpp` and runs it; what it prints on failure is the message of the test.
fn emulate(name: &str) {
    let source = emulator().join(name).with_extension("cpp");
    let Some(program) = build(name, &source) else {
        return;
    };
    let ran = Command::new(&program)
        .output()
        .expect("the program was just built");
    assert!(
        ran.status.success(),
        "{name}:\n{}",
        String::from_utf8_lossy(&ran.stderr)
    );
}

fn emulator() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("emulator")
}

/// Compiles a program; `None` where there is no compiler, and the test is skipped.
#[track_caller]
fn build(name: &str, source: &Path) -> Option<PathBuf> {
    let compiler = env::var("CXX").unwrap_or_else(|_| "g++".into());
    if let Err(error) = Command::new(&compiler).arg("--version").output() {
        skip(
            Lacks::CxxCompiler,
            format!("{compiler}: {error}; help: install g++ or set CXX"),
        );
        return None;
    }
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let built = Command::new(&compiler)
        .args([
            "-std=c++17",
            "-O1",
            "-ffp-contract=off",
            "-DWARPFOLD_EMULATE",
            "-Wall",
            "-Wextra",
            "-Werror",
        ])
        .args([
            "-Wno-unknown-pragmas",
            "-Wno-maybe-uninitialized",
            // Emitted specs take every argument, whether they use it or not.
            "-Wno-unused-parameter",
            "-Wno-unused-variable",
        ])
        .arg("-I")
        .arg(emulator())
        .arg(source)
        .arg("-o")
        .arg(&program)
        .output()
        .expect("the compiler was there a moment ago");
    assert!(
        built.status.success(),
        "{name} does not compile:\n{}",
        String::from_utf8_lossy(&built.stderr)
    );
    Some(program)
}

#[test]
fn swift_division_has_the_bits_of_the_slow_one() {
    emulate("division");
}

#[test]
fn rows_reduce_keeps_the_order() {
    emulate("rows_reduce");
}

#[test]
fn what_rows_hardly_ever_have() {
    emulate("rows_rare");
}

#[test]
fn rows_apply_keeps_the_order() {
    emulate("rows_apply");
}

#[test]
fn rows_scan_keeps_the_order() {
    emulate("rows_scan");
}

#[test]
fn rows_filter_keeps_the_order() {
    emulate("rows_filter");
}

#[test]
fn array_scan_keeps_the_order() {
    emulate("array_scan");
}

#[test]
fn array_filter_keeps_the_order() {
    emulate("array_filter");
}

#[test]
fn columns_keep_the_order_and_exchanges_keep_to_their_groups() {
    emulate("columns");
}

#[test]
fn blocks_of_any_size_reduce_and_scan_in_order() {
    emulate("block");
}

/// Reads states, runs a block of them, and writes what each thread got: a header of four words, then the states.
const DRIVER: &str = r"
int main() {
  unsigned run[4];
  while (std::fread(run, sizeof run, 1, stdin) == 1) {
    const size_t words = size_t(run[1]) * run[2] * run[3] * sizes[run[0]];
    std::vector<wf::u64> in(words), out(4 * words);
    if (std::fread(in.data(), 8, words, stdin) != words) return 1;
    emulator::launch(1, dim3{run[1], run[2], run[3]}, 1, [&] { kernels[run[0]](in.data(), out.data()); });
    if (std::fwrite(out.data(), 8, 4 * words, stdout) != 4 * words) return 1;
  }
}
";

/// The kernel that a GPU runs in `block_functions`, with the specs as they are emitted.
#[test]
fn every_form_of_a_block_gives_what_a_loop_gives() {
    let cases = cases();
    let mut text = String::from("#include \"check.hpp\"\n#define __global__\n");
    let (mut sizes, mut kernels) = (String::new(), String::new());
    for (k, case) in cases.iter().enumerate() {
        let cuda = (case.cuda)();
        let (library, rest) = cuda.split_once("namespace wf_spec {").expect("a spec");
        let (spec, blocks) = rest.rsplit_once("}  // namespace wf_spec").expect("its end");
        if k == 0 {
            text += library;
            text += blocks;
        }
        let kernel = case
            .kernel()
            .replace("extern \"C\" __launch_bounds__(1024) __global__", "static");
        let piece = format!("\nnamespace wf_spec {{{spec}}}\nnamespace kernel_{k} {{\n{kernel}}}\n");
        text += &piece.replace("wf_spec", &format!("spec_{k}"));
        write!(sizes, "{}, ", case.words).expect("a string takes what is written");
        write!(kernels, "kernel_{k}::in_a_block, ").expect("a string takes what is written");
    }
    write!(
        text,
        "static const unsigned sizes[] = {{{sizes}}};\nstatic void (*const kernels[])(const wf::u64*, wf::u64*) = {{{kernels}}};\n{DRIVER}"
    )
    .expect("a string takes what is written");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, input) = (folder.join("blocks.cpp"), folder.join("blocks.in"));
    fs::write(&source, text).expect("a folder for what tests write");
    let Some(program) = build("blocks", &source) else {
        return;
    };
    let (mut words, mut runs) = (Vec::new(), Vec::new());
    for (k, case) in cases.iter().enumerate() {
        for (seed, block) in (1..).zip(BLOCKS) {
            let mine = case.states(seed, (block.0 * block.1 * block.2) as usize);
            words.extend(
                [k as u32, block.0, block.1, block.2]
                    .into_iter()
                    .flat_map(u32::to_le_bytes),
            );
            words.extend(case.flat(&mine).into_iter().flat_map(u64::to_le_bytes));
            runs.push((case, block, mine));
        }
    }
    fs::write(&input, words).expect("a folder for what tests write");
    let ran = Command::new(&program)
        .stdin(File::open(&input).expect("what was just written"))
        .output()
        .expect("the program was just built");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let mut got = ran
        .stdout
        .as_chunks()
        .0
        .iter()
        .map(|bytes| u64::from_le_bytes(*bytes));
    for (case, block, mine) in runs {
        let own: Vec<u64> = got.by_ref().take(CALLS * case.words * mine.len()).collect();
        assert_eq!(
            own.len(),
            CALLS * case.words * mine.len(),
            "all blocks are written"
        );
        if let Some(fault) = case.fault(&mine, &own) {
            panic!("{block:?}: {fault}");
        }
    }
}

#[test]
fn emitted_specs_keep_the_order() {
    emulate("goldens");
}

#[test]
fn rows_staged_keep_the_order() {
    emulate("rows_staged");
}

#[test]
fn scans_of_columns_keep_the_order_of_rows() {
    emulate("columns_scan");
}

#[test]
fn filters_of_segments_keep_the_order() {
    emulate("segments_filter");
}

#[test]
fn segments_keep_the_order_of_rows() {
    emulate("segments");
}

#[test]
fn shards_of_a_group_keep_the_order_and_go_on_from_each_other() {
    emulate("shard");
}
