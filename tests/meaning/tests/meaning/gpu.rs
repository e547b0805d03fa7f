//! The emitted CUDA C++ as NVRTC and the GPU take it.

use std::fmt::Write;

use cudarc::driver::{CudaModule, CudaSlice, CudaStream, DriverError, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::Ptx;
use warpfold::__private::{compile_source, ptx_of_source};
use warpfold::{Device, Error};
use warpfold_tests::{Lacks, ran_on_gpu, skip};

use crate::compare::Differences;
use crate::cxx::compare;
use crate::expected::{Expected, everything};
use crate::written::{library, written};

/// Programs to a module of the GPU: enough that the library is compiled seldom, few enough that all cores have some.
const CHUNK: usize = 64;

/// The programs with a kernel for each, `kernel_NAME(operands, results, cases)`, a thread to a case.
fn kernels(library: &str, programs: &[&Expected]) -> String {
    let mut text = format!("{library}{}", written(programs));
    for Expected { program, .. } in programs {
        let (name, operands, results) = (&program.name, program.params.len(), program.results.len());
        writeln!(
            text,
            "extern \"C\" __global__ void kernel_{name}(const wf::u64* in, wf::u64* out, wf::u32 cases) {{\n  \
             const wf::u32 i = blockIdx.x * blockDim.x + threadIdx.x;\n  \
             if (i < cases) runs::run_{name}(in + i * {operands}, out + i * {results});\n}}"
        )
        .expect("strings grow");
    }
    text
}

/// What a machine lacks that cannot compile or run kernels.
fn lacks(error: &Error) -> Option<Lacks> {
    match error {
        Error::NoNvrtc { .. } => Some(Lacks::Nvrtc),
        Error::NoGpu { .. } => Some(Lacks::Gpu),
        _ => None,
    }
}

#[test]
fn nvrtc_takes_a_sample_of_the_programs() {
    let everything = everything();
    let sample: Vec<&Expected> = everything.iter().step_by(40).collect();
    let source = kernels(&library(), &sample);
    for arch in [75, 90] {
        match compile_source("a sample of random programs", &source, arch) {
            Ok(code) => assert!(!code.is_empty()),
            Err(error) => match lacks(&error) {
                Some(lack) => return skip(lack, error),
                None => panic!("sm_{arch}: {error}"),
            },
        }
    }
}

/// The PTX of a source for each kind of NVRTC's back end; none where there is no NVRTC, which is told.
#[track_caller]
fn ptx(what: &'static str, source: &str) -> Vec<String> {
    let mut all = Vec::new();
    for arch in [75, 90, 120] {
        match ptx_of_source(what, source, arch) {
            Ok(ptx) => all.push(ptx),
            Err(error) => match lacks(&error) {
                Some(lack) => {
                    skip(lack, error);
                    break;
                }
                None => panic!("sm_{arch}: {error}"),
            },
        }
    }
    all
}

/// ptxas is wrong about the minimum of 16 bits that is compared with its operand, so that the library leaves none to NVRTC.
#[test]
fn no_minimum_of_sixteen_bits_is_emitted() {
    let everything = everything();
    let sample: Vec<&Expected> = everything.iter().skip(35).step_by(40).collect();
    for ptx in ptx("a sample of random programs", &kernels(&library(), &sample)) {
        assert!(ptx.contains("min.s32"), "no minimum at all");
        for bad in ["min.s16", "min.u16", "max.s16", "max.u16"] {
            assert_eq!(ptx.matches(bad).count(), 0, "{bad}");
        }
    }
}

/// Left alone, NVVM folds the comparison to false, and with it the division away.
#[test]
fn quotients_by_negative_zero_are_compared() {
    let kernel = |ty: &str| {
        format!(
            "extern \"C\" __global__ void of_{ty}(const wf::u32* x, bool* out) {{\n  \
             out[threadIdx.x] = wf::div(wf::as_<{ty}>(x[threadIdx.x]), -wf::as_<{ty}>(0u)) < wf::as_<{ty}>(0u);\n}}"
        )
    };
    let source = library() + &kernel("float") + &kernel("double");
    for ptx in ptx("quotients by -0.0", &source) {
        for wanted in ["div.rn.f32", "div.rn.f64"] {
            assert!(ptx.contains(wanted), "no {wanted}:\n{ptx}");
        }
    }
}

#[test]
fn the_gpu_agrees_with_rustc() {
    let device = match Device::gpu(0) {
        Ok(device) => device,
        Err(error) => match lacks(&error) {
            Some(lack) => return skip(lack, error),
            None => panic!("{error}"),
        },
    };
    let stream = device.stream().expect("it is a GPU");
    let (major, minor) = stream.context().compute_capability().expect("the driver answers");
    let (everything, library) = (everything(), library());
    let all: Vec<&Expected> = everything.iter().collect();
    let sources: Vec<String> = all.chunks(CHUNK).map(|chunk| kernels(&library, chunk)).collect();
    let mut differences = Differences::default();
    for (chunk, code) in all.chunks(CHUNK).zip(compiled(&sources, major * 10 + minor)) {
        let module = stream
            .context()
            .load_module(Ptx::from_binary(code))
            .expect("the driver takes it");
        let results = launch(stream, &module, chunk).expect("kernels run");
        compare(chunk, &results, &mut differences);
    }
    differences.none();
    ran_on_gpu();
}

/// Compiles all sources, as many at a time as there are cores. PTX ends with a NUL, as the driver wants it.
fn compiled(sources: &[String], arch: i32) -> Vec<Vec<u8>> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let mut codes = Vec::new();
    for batch in sources.chunks(cores) {
        std::thread::scope(|scope| {
            let threads: Vec<_> = batch
                .iter()
                .map(|source| scope.spawn(move || compile_source("random programs", source, arch)))
                .collect();
            for thread in threads {
                let code = thread.join().expect("compiling does not panic");
                codes.push(code.unwrap_or_else(|error| panic!("{error}")));
            }
        });
    }
    codes
}

/// Runs every program of a module on all its cases.
fn launch(
    stream: &std::sync::Arc<CudaStream>,
    module: &std::sync::Arc<CudaModule>,
    programs: &[&Expected],
) -> Result<Vec<u64>, DriverError> {
    let mut answers = Vec::new();
    for Expected { program, cases, .. } in programs {
        let operands: Vec<u64> = cases.concat();
        let operands = stream.clone_htod(&operands)?;
        let mut results: CudaSlice<u64> = stream.alloc_zeros(cases.len() * program.results.len())?;
        let kernel = module.load_function(&format!("kernel_{}", program.name))?;
        let count = u32::try_from(cases.len()).expect("few");
        let mut call = stream.launch_builder(&kernel);
        call.arg(&operands).arg(&mut results).arg(&count);
        // SAFETY: the kernel's parameters are two pointers and a u32; it reads and writes one row a case, which is
        // what both arrays hold.
        unsafe { call.launch(LaunchConfig::for_num_elems(count)) }?;
        answers.extend(stream.clone_dtoh(&results)?);
    }
    Ok(answers)
}
