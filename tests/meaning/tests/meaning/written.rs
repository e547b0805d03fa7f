//! Programs as CUDA C++: the text that warpfold emits, and around it what runs one case from words to words.

use std::fmt::Write;
use std::fs;

use warpfold_codegen::cuda;
use warpfold_codegen::ir::Scalar;
use warpfold_programs::Program;
use warpfold_tests::root;

use crate::expected::Expected;
use crate::interpreted::understood;

/// The library that emitted text stands on: scalars, halves and the methods of Rust's primitives.
pub fn library() -> String {
    ["scalar.cuh", "half.cuh", "math.cuh"]
        .map(|name| {
            let path = root().join("runtime/kernels").join(name);
            let text =
                fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            text.replace("#pragma once", "")
        })
        .concat()
}

/// The programs in the namespace `wf_spec`, and for each a function `run_NAME(operands, results)` in `runs`.
pub fn written(programs: &[&Expected]) -> String {
    let mut text = cuda::write_functions(&understood(programs.iter().map(|expected| &expected.program)));
    text.push_str(WORDS);
    for expected in programs {
        let Program {
            name,
            params,
            results,
            ..
        } = &expected.program;
        let args: Vec<String> = params
            .iter()
            .enumerate()
            .map(|(i, &scalar)| format!("value<{}>(in[{i}])", cuda_name(scalar)))
            .collect();
        writeln!(text, "WF_FN void run_{name}(const wf::u64* in, wf::u64* out) {{").expect("strings grow");
        writeln!(
            text,
            "  const auto result = wf_spec::{name}({});",
            args.join(", ")
        )
        .expect("strings grow");
        for i in 0..results.len() {
            writeln!(text, "  out[{i}] = word(result.f{i});").expect("strings grow");
        }
        text.push_str("}\n");
    }
    text + "}  // namespace runs\n"
}

const WORDS: &str = "
namespace runs {
template <class T> WF_FN T value(wf::u64 word) {
  if constexpr (wf::Traits<T>::whole) {
    return static_cast<T>(word);
  } else {
    return wf::from_bits<T>(static_cast<wf::Unsigned<T>>(word));
  }
}
template <class T> WF_FN wf::u64 word(T value) {
  if constexpr (wf::Traits<T>::whole) {
    return static_cast<wf::Unsigned<T>>(value);
  } else {
    return wf::to_bits(value);
  }
}
";

/// A scalar type in CUDA.
pub fn cuda_name(scalar: Scalar) -> String {
    match scalar {
        Scalar::Bool => "bool".to_owned(),
        Scalar::F32 => "float".to_owned(),
        Scalar::F64 => "double".to_owned(),
        other => format!("wf::{other}"),
    }
}
