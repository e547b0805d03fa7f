//! The largest of each of 8,205 rows of 20, in three ways: by padded shuffles, through shared memory, by ballots.
//!
//! Each is a kernel with a warp a row, and the driver reports what it takes. The shuffles are the emitted warp function,
//! whose plan is proved: lanes past the row's end are padded with the identity, so that the mask stays full. The other two
//! are written by hand, as people do. Beside them stands the call that needs none of this, on the CPU as well.

use std::error::Error;
use std::sync::Arc;

use cudarc::driver::{CudaContext, DevicePtr, DevicePtrMut, LaunchConfig, PushKernelArg};
use warpfold::prelude::*;
use warpfold::{RawSlice, RawSliceMut};
use warpfold_examples::{Values, compile, equal, libraries};

const ROWS: usize = 8205;
const COLS: usize = 20;
const STRIDE: usize = 32;

/// The largest of a row.
#[warp_reduce(op = max, identity = MIN, width = 32, land = 0)]
pub fn largest(x: u32) -> u32 {
    x
}

/// A warp a row, 128 threads a block. `return` lets whole warps go, so that no mask names a lane that has left.
const KERNELS: &str = r#"
using wf_spec::Spec;

#define ROW_AND_LANE                                                        \
  const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;        \
  const unsigned lane = threadIdx.x % 32;                                   \
  if (row >= rows) return;                                                  \
  const unsigned mine = lane < 20 ? x[row * 32 + lane] : Spec::identity();

extern "C" __global__ void shuffles(const unsigned* x, unsigned* out, unsigned rows) {
  ROW_AND_LANE
  const unsigned best = Spec::warp(mine);
  if (lane == 0) out[row] = best;
}

extern "C" __global__ void shared(const unsigned* x, unsigned* out, unsigned rows) {
  __shared__ unsigned values[128];
  ROW_AND_LANE
  unsigned* own = values + (threadIdx.x - lane);
  own[lane] = mine;
  for (unsigned half = 16; half > 0; half /= 2) {
    __syncwarp();
    if (lane < half) own[lane] = Spec::combine(own[lane], own[lane + half]);
  }
  if (lane == 0) out[row] = own[0];
}

// From the highest bit down: where a lane that may still be the largest has the bit, only those that have it stay.
extern "C" __global__ void ballots(const unsigned* x, unsigned* out, unsigned rows) {
  ROW_AND_LANE
  unsigned candidates = 0x000fffff, best = 0;
  for (int bit = 31; bit >= 0; --bit) {
    const bool has = (candidates >> lane & 1) != 0 && (mine >> bit & 1) != 0;
    const unsigned voted = __ballot_sync(0xffffffff, has);
    if (voted != 0) {
      candidates = voted;
      best |= 1u << bit;
    }
  }
  if (lane == 0) out[row] = best;
}
"#;

/// Launches each of the three, prints what the driver reports, and compares.
fn on_the_gpu(context: &Arc<CudaContext>, x: &[u32], wanted: &[u32]) -> Result<(), Box<dyn Error>> {
    let (major, minor) = context.compute_capability()?;
    let ptx = compile(largest::cuda() + KERNELS, &format!("compute_{major}{minor}"))?;
    let stream = context.default_stream();
    let module = context.load_module(ptx)?;
    let data = stream.clone_htod(x)?;
    let rows = u32::try_from(ROWS)?;
    let config = LaunchConfig {
        grid_dim: ((rows * 32).div_ceil(128), 1, 1),
        block_dim: (128, 1, 1),
        shared_mem_bytes: 0,
    };
    for name in ["shuffles", "shared", "ballots"] {
        let kernel = module.load_function(name)?;
        let mut out = stream.alloc_zeros::<u32>(ROWS)?;
        let mut launch = stream.launch_builder(&kernel);
        launch.arg(&data).arg(&mut out).arg(&rows);
        // SAFETY: these are the kernel's arguments in its order: rows of 32 elements each, and a result a row.
        unsafe { launch.launch(config)? };
        println!(
            "  {name}: {} registers, {} bytes of shared memory, {} blocks a multiprocessor",
            kernel.num_regs()?,
            kernel.shared_size_bytes()?,
            kernel.occupancy_max_active_blocks_per_multiprocessor(128, 0, None)?
        );
        equal(name, &stream.clone_dtoh(&out)?, wanted)?;
    }
    println!("  the call: {}", largest::cost(context, shape())?);

    // The same memory by its address alone, as another library would hand it over.
    let mut out = stream.alloc_zeros::<u32>(ROWS)?;
    {
        let (from, _read) = data.device_ptr(&stream);
        let (to, _written) = out.device_ptr_mut(&stream);
        // SAFETY: the slices have these lengths, live until the copy below has ended, and are used on this stream alone.
        let (from, mut to) = unsafe {
            (
                RawSlice::<u32>::new(from, x.len(), &stream),
                RawSliceMut::<u32>::new(to, ROWS, &stream),
            )
        };
        largest::rows_into(shape(), &from, &mut to)?;
    }
    equal("the call, by addresses", &stream.clone_dtoh(&out)?, wanted)
}

fn shape() -> Rows {
    Rows::new(ROWS, COLS).stride(STRIDE)
}

/// The largest of each row by a plain loop, by the call, and by the three kernels where there is a GPU.
pub(crate) fn run(device: &Device) -> Result<(), Box<dyn Error>> {
    println!("{ROWS} rows of {COLS} on {}", device.describe());
    let mut values = Values::new(20);
    let x: Vec<u32> = (0..ROWS * STRIDE).map(|_| values.bits()).collect();
    let row = |row: &[u32]| row[..COLS].iter().copied().max().unwrap_or_default();
    let wanted: Vec<u32> = x.chunks(STRIDE).map(row).collect();
    let found = largest::rows(shape(), &device.buffer(&x)?)?.to_vec()?;
    equal("the call", &found, &wanted)?;
    match libraries() {
        (false, _) => println!("  no NVRTC: the kernels are not compiled"),
        (true, false) => {
            compile(largest::cuda() + KERNELS, "compute_80")?;
            println!("  no GPU: the kernels compile and are not launched");
        }
        (true, true) => on_the_gpu(&CudaContext::new(0)?, &x, &wanted)?,
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&Device::best()?)
}
