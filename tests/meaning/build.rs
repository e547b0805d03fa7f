//! Writes every random program as the Rust that warpfold emits for it, for rustc to compile into this crate.

use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

use proc_macro2::TokenStream;
use warpfold_codegen::ir::Scalar;
use warpfold_codegen::{module, rust};
use warpfold_programs::{PRELUDE, Program, all};

/// Programs to a module: small enough for rustc to work on several at a time.
const CHUNK: usize = 100;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let programs = all();
    let mut text = String::new();
    for (number, chunk) in programs.chunks(CHUNK).enumerate() {
        write_chunk(&mut text, number, chunk);
    }
    text.push_str("/// Every program, by number.\npub static PROGRAMS: &[Run] = &[\n");
    for (i, program) in programs.iter().enumerate() {
        writeln!(text, "    chunk_{}::run_{},", i / CHUNK, program.name).expect("strings grow");
    }
    text.push_str("];\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where to write"));
    fs::write(out.join("programs.rs"), text).expect("the build folder can be written to");
}

fn write_chunk(text: &mut String, number: usize, programs: &[Program]) {
    let source: String = programs.iter().map(|program| program.source.as_str()).collect();
    let item = syn::parse_str(&format!("mod programs {{ {PRELUDE} {source} }}")).expect("programs are Rust");
    let understood = module::read(TokenStream::new(), item);
    if let Some(error) = understood.error {
        for error in error {
            println!("cargo::error={error}");
        }
        panic!("programs are of the language");
    }
    let functions = rust::write_functions(&understood.module, &understood.krate).expect("there are programs");
    writeln!(
        text,
        "mod chunk_{number} {{\nuse super::Word;\nuse half::{{bf16, f16}};\n{functions}"
    )
    .expect("strings grow");
    // Constants and structs stay in a user's crate as they are; functions are written anew.
    let prelude: syn::File = syn::parse_str(PRELUDE).expect("the prelude is Rust");
    for item in prelude
        .items
        .iter()
        .filter(|item| !matches!(item, syn::Item::Fn(_)))
    {
        writeln!(text, "{}", quote::quote!(#item)).expect("strings grow");
    }
    for program in programs {
        let args: Vec<String> = program.params.iter().enumerate().map(argument).collect();
        let results: Vec<String> = (0..program.results.len())
            .map(|i| format!("out[{i}] = result.{i}.to_word();"))
            .collect();
        let (args, results) = (args.join(", "), results.concat());
        writeln!(
            text,
            "pub fn run_{name}(args: &[u64], out: &mut [u64]) {{ let result = {name}({args}); {results} }}",
            name = program.name
        )
        .expect("strings grow");
    }
    text.push_str("}\n");
}

fn argument((i, scalar): (usize, &Scalar)) -> String {
    format!("<{scalar}>::from_word(args[{i}])")
}
