//! A kernel of one's own that calls the emitted device functions: a scan and a reduction of one block, of any size.
//!
//! cudarc compiles and launches it as any other source. Without a GPU the kernel is compiled where there is NVRTC, and
//! the same answers come from the CPU.

use std::error::Error;

use cudarc::driver::{CudaContext, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::Ptx;
use warpfold::prelude::*;
use warpfold_examples::{Values, compile, equal, libraries};

/// The sum up to and with each element.
#[warp_scan(op = sum)]
pub fn running_sum(x: i32) -> i32 {
    x
}

/// How far each element is below the largest.
#[warp_reduce(op = max, identity = MIN, land = all, apply = |largest| -> i32 { largest - x })]
pub fn below_largest(x: i32) -> i32 {
    x
}

/// Each block scans its own elements. A thread without one brings the identity and calls as well.
const SCAN: &str = r#"
using wf_spec::Spec;

extern "C" __global__ void own(const int* x, int* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int mine = i < n ? x[i] : Spec::identity();
  const int sum = wf::block_scan<Spec>(mine);
  if (i < n) out[i] = sum;
}
"#;

/// Each block finds its largest element, and every thread gets it.
const REDUCE: &str = r#"
using wf_spec::Spec;

extern "C" __global__ void own(const int* x, int* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int mine = i < n ? x[i] : Spec::identity();
  const int largest = wf::block_reduce<Spec>(mine);
  if (i < n) out[i] = largest - mine;
}
"#;

/// Launches the kernel over blocks of that many threads, the last of them with fewer elements.
fn launch(
    context: &std::sync::Arc<CudaContext>,
    ptx: Ptx,
    x: &[i32],
    threads: u32,
) -> Result<Vec<i32>, Box<dyn Error>> {
    let stream = context.default_stream();
    let kernel = context.load_module(ptx)?.load_function("own")?;
    let data = stream.clone_htod(x)?;
    let mut out = stream.alloc_zeros::<i32>(x.len())?;
    let n = u32::try_from(x.len())?;
    let config = LaunchConfig {
        grid_dim: (n.div_ceil(threads), 1, 1),
        block_dim: (threads, 1, 1),
        shared_mem_bytes: 0,
    };
    // SAFETY: these are the kernel's arguments in its order, and both arrays hold `n` elements.
    unsafe {
        stream
            .launch_builder(&kernel)
            .arg(&data)
            .arg(&mut out)
            .arg(&n)
            .launch(config)?;
    }
    Ok(stream.clone_dtoh(&out)?)
}

/// Blocks of many sizes, most of which are no multiple of a warp.
pub(crate) fn run(device: &Device) -> Result<(), Box<dyn Error>> {
    println!("scans of blocks on {}", device.describe());
    let mut values = Values::new(4);
    let x: Vec<i32> = (0..5000)
        .map(|_| values.below(2001).cast_signed() - 1000)
        .collect();
    let gpu = match libraries() {
        (false, _) => {
            println!("  no NVRTC: the kernels are not compiled");
            None
        }
        (true, false) => {
            let (scan, reduce) = (running_sum::cuda() + SCAN, below_largest::cuda() + REDUCE);
            compile(scan, "compute_80")?;
            compile(reduce, "compute_80")?;
            println!("  no GPU: the kernels compile and are not launched");
            None
        }
        (true, true) => Some(CudaContext::new(0)?),
    };
    for threads in [1, 17, 31, 33, 45, 48, 63, 96, 1000_u32] {
        // The whole blocks are rows; the rest is one more.
        let cols = threads as usize;
        let (whole, rest) = x.split_at(x.len() / cols * cols);
        let mut sums = running_sum::rows(Rows::new(whole.len() / cols, cols), whole)?;
        sums.extend(running_sum::rows(Rows::new(1, rest.len()), rest)?);
        let mut below = below_largest::rows(Rows::new(whole.len() / cols, cols), whole)?;
        below.extend(below_largest::rows(Rows::new(1, rest.len()), rest)?);

        let wanted: Vec<i32> = x
            .chunks(cols)
            .flat_map(|block| (1..=block.len()).map(|end| block[..end].iter().sum()))
            .collect();
        equal(&format!("sums of {threads}"), &sums, &wanted)?;
        let wanted_below: Vec<i32> = x
            .chunks(cols)
            .flat_map(|block| {
                let largest = block.iter().copied().max().unwrap_or(i32::MIN);
                block.iter().map(move |x| largest - x)
            })
            .collect();
        equal(
            &format!("distances from the largest of {threads}"),
            &below,
            &wanted_below,
        )?;

        if let Some(context) = &gpu {
            let (major, minor) = context.compute_capability()?;
            let architecture = format!("compute_{major}{minor}");
            let scan = compile(running_sum::cuda() + SCAN, &architecture)?;
            equal(
                "  by a kernel of one's own",
                &launch(context, scan, &x, threads)?,
                &wanted,
            )?;
            let reduce = compile(below_largest::cuda() + REDUCE, &architecture)?;
            equal(
                "  by a kernel of one's own",
                &launch(context, reduce, &x, threads)?,
                &wanted_below,
            )?;
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&Device::best()?)
}
