//! Every golden compiles for every architecture, without a word from the compiler.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::io::Write;
use std::path::Path;

use libloading::{Library, Symbol};
use warpfold_codegen::cuda::{self, FoldKind};
use warpfold_codegen::ir::Form;

use crate::{Golden, all};

/// From the oldest that NVRTC still knows to the newest.
const ARCHITECTURES: [u32; 7] = [75, 80, 86, 89, 90, 100, 120];

#[test]
fn every_golden_compiles_for_every_architecture() {
    let Some(nvrtc) = library() else {
        let why = "set WARPFOLD_NVRTC to libnvrtc.so";
        // Past the capture of libtest, so that the tally counts it.
        let test = "nvrtc::every_golden_compiles_for_every_architecture";
        let _ = writeln!(std::io::stderr(), "skipped: {test}: no nvrtc: {why}");
        return;
    };
    // One program holds all of them: the library is then compiled once an architecture.
    let mut program: String = [
        "scalar.cuh",
        "half.cuh",
        "math.cuh",
        "shuffle.cuh",
        "ops.cuh",
        "block.cuh",
    ]
    .map(kernels)
    .concat();
    program.extend(all().iter().map(in_use));
    let complaints: Vec<String> = std::thread::scope(|scope| {
        let (nvrtc, program) = (&nvrtc, program.as_str());
        let compiling = ARCHITECTURES.map(|architecture| {
            scope.spawn(move || {
                complaint(nvrtc, program, architecture).map(|log| format!("sm_{architecture}: {log}"))
            })
        });
        compiling
            .into_iter()
            .filter_map(|thread| thread.join().unwrap())
            .collect()
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// A golden in a namespace of its own, and a kernel that calls all of it.
fn in_use(golden: &Golden) -> String {
    let form = match &golden.spec.form {
        Form::Reduce { apply: None, .. } => 1,
        Form::Reduce { .. } => 2,
        Form::Scan { .. } => 3,
        Form::Filter { .. } => 4,
        Form::Shuffle { .. } => 5,
    };
    let folds_lanes = u8::from(cuda::fold(&golden.spec) == FoldKind::Lane);
    let folds_tiles = u8::from(cuda::fold(&golden.spec) == FoldKind::Tile);
    let uses = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cuda/uses.cuh"));
    let text = format!(
        "{}\n#undef FORM\n#undef FOLDS_LANES\n#undef FOLDS_TILES\n#define FORM {form}\n#define FOLDS_LANES {folds_lanes}\n#define FOLDS_TILES {folds_tiles}\nnamespace wf_uses {{\n{uses}\n}}\n",
        golden.text
    );
    let name = &golden.name;
    text.replace("wf_spec", &format!("wf_spec_{name}"))
        .replace("wf_uses", &format!("wf_uses_{name}"))
        .replace("use_all", &format!("use_{name}"))
}

fn kernels(name: &str) -> String {
    read(
        &Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../runtime/kernels")
            .join(name),
    )
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap().replace("#pragma once", "")
}

/// NVRTC as the environment names it, or as the loader finds it.
fn library() -> Option<Library> {
    let named = std::env::var_os("WARPFOLD_NVRTC");
    let names = named.map_or_else(
        || vec!["libnvrtc.so".into(), "libnvrtc.so.13".into()],
        |named| vec![named],
    );
    // SAFETY: NVRTC's initialisers have no requirements.
    names
        .into_iter()
        .find_map(|name| unsafe { Library::new(name) }.ok())
}

/// What the compiler says, or that it fails in silence; `None` where there is nothing to say.
fn complaint(nvrtc: &Library, source: &str, architecture: u32) -> Option<String> {
    type Create = unsafe extern "C" fn(
        *mut *mut c_void,
        *const c_char,
        *const c_char,
        c_int,
        *const *const c_char,
        *const *const c_char,
    ) -> c_int;
    type Compile = unsafe extern "C" fn(*mut c_void, c_int, *const *const c_char) -> c_int;
    type LogSize = unsafe extern "C" fn(*mut c_void, *mut usize) -> c_int;
    type Log = unsafe extern "C" fn(*mut c_void, *mut c_char) -> c_int;
    type Destroy = unsafe extern "C" fn(*mut *mut c_void) -> c_int;

    let source = CString::new(source).unwrap();
    let options = [
        &format!("--gpu-architecture=sm_{architecture}"),
        "-std=c++17",
        "-fmad=false",
        "-prec-div=true",
        "-prec-sqrt=true",
        "-ftz=false",
    ]
    .map(|option| CString::new(option).unwrap());
    let options: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
    // SAFETY: the types are those of nvrtc.h; every pointer lives through its call, and the log has the size asked for.
    unsafe {
        let create: Symbol<'_, Create> = nvrtc.get(b"nvrtcCreateProgram").unwrap();
        let compile: Symbol<'_, Compile> = nvrtc.get(b"nvrtcCompileProgram").unwrap();
        let log_size: Symbol<'_, LogSize> = nvrtc.get(b"nvrtcGetProgramLogSize").unwrap();
        let log: Symbol<'_, Log> = nvrtc.get(b"nvrtcGetProgramLog").unwrap();
        let destroy: Symbol<'_, Destroy> = nvrtc.get(b"nvrtcDestroyProgram").unwrap();
        let mut program = std::ptr::null_mut();
        let none = std::ptr::null();
        assert_eq!(
            create(
                &raw mut program,
                source.as_ptr(),
                c"golden.cu".as_ptr(),
                0,
                none,
                none
            ),
            0
        );
        let result = compile(program, c_int::try_from(options.len()).unwrap(), options.as_ptr());
        let mut size = 0;
        log_size(program, &raw mut size);
        let mut text = vec![0; size.max(1)];
        log(program, text.as_mut_ptr());
        destroy(&raw mut program);
        let text = CStr::from_ptr(text.as_ptr()).to_string_lossy().trim().to_owned();
        (result != 0 || !text.is_empty()).then(|| format!("result {result}\n{text}"))
    }
}
