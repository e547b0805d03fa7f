//! The block functions in the emitted source, called from a kernel of one's own, for blocks of every awkward size.

#![allow(
    clippy::cast_lossless,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::float_cmp,
    clippy::many_single_char_names,
    clippy::too_many_lines,
    clippy::type_complexity,
    reason = "tests compute what is wanted another way, with numbers of every type side by side"
)]

mod forms;

use cudarc::driver::{LaunchConfig, PushKernelArg};
use warpfold_tests::blocks::BLOCKS;
use warpfold_tests::data::random;
use warpfold_tests::own_cuda::{self, Module};
use warpfold_tests::specs::{scans, table};
use warpfold_tests::{Lacks, ran_on_gpu, skip};

/// Every block reduces, scans, and reduces what every thread got: no barrier between the calls.
const KERNEL: &str = r#"
extern "C" __global__ void in_a_block(const wf::u32* a, const wf::u32* b, wf::u32* reduced, wf::u32* scanned, wf::u32* again) {
  const wf::u32 t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const wf::u32 n = blockDim.x * blockDim.y * blockDim.z;
  const wf::u32 at = blockIdx.x * n + t;
  using Spec = wf_spec::Spec;
  const Spec::State mine{a[at], b[at]};
  const Spec::State one = wf::block_reduce<Spec>(mine);
  const Spec::State two = wf::block_scan<Spec>(mine);
  const Spec::State three = wf::block_scan<Spec>(two);
  const Spec::State four = wf::block_reduce<Spec>(three);
  reduced[2 * at] = one.f0; reduced[2 * at + 1] = one.f1;
  scanned[2 * at] = two.f0; scanned[2 * at + 1] = two.f1;
  again[2 * at] = four.f0; again[2 * at + 1] = four.f1;
}
"#;

type State = (u32, u32);
const NOTHING: State = (1, 0);

fn combine(p: State, q: State) -> State {
    (p.0.wrapping_mul(q.0), q.0.wrapping_mul(p.1).wrapping_add(q.1))
}

fn scan(x: &[State]) -> Vec<State> {
    x.iter()
        .scan(NOTHING, |s, &x| {
            *s = combine(*s, x);
            Some(*s)
        })
        .collect()
}

#[test]
fn reduce_and_scan_of_an_operator_in_order() {
    let module = match Module::new(&format!("{}\n{KERNEL}", scans::affine_32::cuda())) {
        Ok(module) => module,
        Err(own_cuda::Missing::Gpu(why)) => return skip(Lacks::Gpu, why),
        Err(own_cuda::Missing::Nvrtc(why)) => return skip(Lacks::Nvrtc, why),
    };
    let mut faults = Vec::new();
    for block in BLOCKS {
        let (threads, blocks) = ((block.0 * block.1 * block.2) as usize, 5);
        let n = threads * blocks;
        let (a, b): (Vec<u32>, Vec<u32>) = (random(1, n), random(2, n));
        let stream = &module.stream;
        let run = || {
            let (da, db) = (stream.clone_htod(&a)?, stream.clone_htod(&b)?);
            let mut outs = [
                stream.alloc_zeros::<u32>(2 * n)?,
                stream.alloc_zeros(2 * n)?,
                stream.alloc_zeros(2 * n)?,
            ];
            let [reduced, scanned, again] = &mut outs;
            let config = LaunchConfig {
                grid_dim: (blocks as u32, 1, 1),
                block_dim: block,
                shared_mem_bytes: 0,
            };
            let mut launch = stream.launch_builder(&module.function);
            launch.arg(&da).arg(&db).arg(reduced).arg(scanned).arg(again);
            // SAFETY: the kernel's five pointers have the n or 2n elements that blocks × threads index.
            unsafe { launch.launch(config) }?;
            Ok::<_, cudarc::driver::DriverError>([
                stream.clone_dtoh(&outs[0])?,
                stream.clone_dtoh(&outs[1])?,
                stream.clone_dtoh(&outs[2])?,
            ])
        };
        let got = match run() {
            Ok(got) => got,
            Err(error) => {
                faults.push(format!("{block:?}: {error:?}"));
                continue;
            }
        };
        for k in 0..blocks {
            let part: Vec<State> = (k * threads..(k + 1) * threads).map(|i| (a[i], b[i])).collect();
            let scanned = scan(&part);
            let whole = scanned[threads - 1];
            let again = scan(&scanned).into_iter().fold(NOTHING, combine);
            for (name, got, want) in [
                ("reduce", &got[0], vec![whole; threads]),
                ("scan", &got[1], scanned.clone()),
                ("again", &got[2], vec![again; threads]),
            ] {
                let got: Vec<State> = (k * threads..(k + 1) * threads)
                    .map(|i| (got[2 * i], got[2 * i + 1]))
                    .collect();
                if let Some(t) = (0..threads).find(|&t| got[t] != want[t]) {
                    faults.push(format!(
                        "{name}, block {k} of {block:?}: thread {t} has {:?} and not {:?}",
                        got[t], want[t]
                    ));
                }
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} faults:\n  {}",
        faults.len(),
        faults[..faults.len().min(20)].join("\n  ")
    );
    ran_on_gpu();
}

/// The source that people put in front of their own compiles for the spec's every use: without a GPU too.
#[test]
fn the_source_says_what_it_offers() {
    for text in [scans::affine_32::cuda(), table::of_u32::affine::cuda()] {
        assert!(text.contains("block_reduce") && text.contains("block_scan"));
        assert!(!text.contains("#include"));
    }
}
