//! Both kinds and directions, votes, and states of up to 40 bytes, each against a loop.

use cudarc::driver::{DriverError, LaunchConfig, PushKernelArg};
use warpfold_tests::blocks::{BLOCKS, Block, CALLS, Case, cases};
use warpfold_tests::check::Alone;
use warpfold_tests::own_cuda::{self, Missing, Module};
use warpfold_tests::{Lacks, ran_on_gpu, skip};

const GRID: usize = 3;

#[test]
fn every_form_gives_what_a_loop_gives() {
    let _alone = Alone::new();
    let mut faults = Vec::new();
    for case in cases() {
        let module = match Module::new(&case.program()) {
            Ok(module) => module,
            Err(Missing::Gpu(why)) => return skip(Lacks::Gpu, why),
            Err(Missing::Nvrtc(why)) => return skip(Lacks::Nvrtc, why),
        };
        for (seed, block) in (1..).zip(BLOCKS) {
            let threads = (block.0 * block.1 * block.2) as usize;
            let mine = case.states(seed, GRID * threads);
            match run(&module, &case, block, &case.flat(&mine)) {
                Err(error) => faults.push(format!("{}, {block:?}: {error:?}", case.name)),
                Ok(got) => {
                    let got = got.chunks_exact(threads * CALLS * case.words);
                    let of_blocks = mine.chunks_exact(threads).zip(got).enumerate();
                    faults.extend(of_blocks.filter_map(|(k, (mine, got))| {
                        Some(format!("block {k} of {block:?}: {}", case.fault(mine, got)?))
                    }));
                }
            }
        }
    }
    let first = faults[..faults.len().min(20)].join("\n  ");
    assert!(faults.is_empty(), "{} faults:\n  {first}", faults.len());
    ran_on_gpu();
}

fn run(module: &Module, case: &Case, block: Block, words: &[u64]) -> Result<Vec<u64>, DriverError> {
    let stream = &module.stream;
    let mine = stream.clone_htod(words)?;
    let mut out = stream.alloc_zeros::<u64>(CALLS * words.len())?;
    let config = LaunchConfig {
        grid_dim: (GRID as u32, 1, 1),
        block_dim: block,
        shared_mem_bytes: 0,
    };
    assert_eq!(
        words.len(),
        GRID * (block.0 * block.1 * block.2) as usize * case.words
    );
    let mut launch = stream.launch_builder(&module.function);
    launch.arg(&mine).arg(&mut out);
    // SAFETY: each thread reads a state at `mine` and writes CALLS of them at `out`, which have that many words.
    unsafe { launch.launch(config) }?;
    stream.clone_dtoh(&out)
}

/// The kernels are what NVRTC compiles: without a GPU too.
#[test]
fn every_form_compiles() {
    for case in cases() {
        match own_cuda::compile(&case.program()) {
            Ok(_) => {}
            Err(Missing::Gpu(why) | Missing::Nvrtc(why)) => return skip(Lacks::Nvrtc, why),
        }
    }
}
