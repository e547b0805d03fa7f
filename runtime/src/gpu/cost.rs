//! What a kernel costs, in the driver's words.

use std::fmt;
use std::sync::Arc;

use cudarc::driver::CudaContext;
use cudarc::driver::sys::CUfunction_attribute as Attribute;

use crate::error::Error;
use crate::gpu::kernel::Load;
use crate::gpu::schedule::{self, Launch, Packs};
use crate::gpu::{cache, machine};
use crate::rows::Rows;
use crate::spec::{Form, Spec};

/// Resources of the kernel that a shape runs, as the driver reports them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cost {
    /// Registers a thread.
    pub registers: u32,
    /// Bytes of shared memory a block.
    pub shared_bytes: u32,
    /// Bytes of local memory a thread: more than 0 means that registers were spilled.
    pub local_bytes: u32,
    /// Threads a block.
    pub threads: u32,
    /// Blocks that one multiprocessor holds at once.
    pub blocks_per_multiprocessor: u32,
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} registers, {} bytes shared, {} bytes local, {} blocks of {} threads a multiprocessor",
            self.registers, self.shared_bytes, self.local_bytes, self.blocks_per_multiprocessor, self.threads
        )
    }
}

/// Compiles the kernel that aligned data of this shape would run, and asks the driver what it takes.
///
/// # Errors
/// A shape that overflows, what NVRTC says of the kernel, what the driver says.
pub fn cost<S: Spec>(context: &Arc<CudaContext>, shape: Rows) -> Result<Cost, Error> {
    let machine = machine(context)?;
    let launch = launch(&S::INFO, shape, &machine)?;
    let threads = launch.kernel.threads;
    let loaded = cache::get::<S>(context, launch.kernel, &machine)?;
    let figure = |attribute| {
        loaded
            .attribute(attribute)
            .map(|value| value.max(0).unsigned_abs())
    };
    Ok(Cost {
        registers: figure(Attribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?,
        shared_bytes: figure(Attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?,
        local_bytes: figure(Attribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?,
        threads,
        blocks_per_multiprocessor: loaded.resident_blocks(threads)? as u32,
    })
}

fn launch(info: &crate::spec::Info, shape: Rows, machine: &schedule::Machine) -> Result<Launch, Error> {
    let one = matches!(info.form, Form::Reduce) && !info.has_apply;
    let shape = shape.checked(if one { 1 } else { shape.cols() })?;
    let whole =
        (shape.cols as u64).is_multiple_of(u64::from(crate::order::Order::new(info, shape.cols as u64).v));
    let known = if whole { Load::Whole } else { Load::Aligned };
    let packs = Packs {
        load: known,
        store: known,
    };
    match info.form {
        Form::Reduce if info.has_apply => Ok(schedule::apply(info, &shape, packs, machine).1),
        Form::Reduce => Ok(schedule::reduce(info, &shape, packs, machine)),
        Form::Scan { .. } => Ok(schedule::scan(info, &shape, packs, machine)),
        Form::Filter => Ok(schedule::filter(info, &shape, packs)),
        Form::Shuffle(_) => Ok(schedule::shuffle(info, &shape, machine)),
    }
}
