//! Kernels compiled before they are needed, and what they cost in the driver's words.

use std::sync::Arc;
use std::{fmt, iter};

use cudarc::driver::CudaContext;
use cudarc::driver::sys::CUfunction_attribute as Attribute;

use crate::error::Error;
use crate::gpu::kernel::{Kernel, Load};
use crate::gpu::nvrtc::Image;
use crate::gpu::resources::{self, Resources};
use crate::gpu::schedule::{self, Launch, Machine, Packs};
use crate::gpu::{cache, machine};
use crate::order::Order;
use crate::rows::Rows;
use crate::spec::{Facts, Form, Info, Spec};

/// Resources of the kernel that a shape runs, as the driver reports them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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

/// Compiles the kernels that a shape runs, so that the first call finds them and a graph can capture it.
///
/// Those for data as it is allocated and those for views that start anywhere. A shape of one row stands for an array of
/// as many elements, too.
///
/// # Errors
/// A shape that overflows, what NVRTC says of a kernel, what the driver says.
pub fn prepare<S: Spec>(context: &Arc<CudaContext>, shape: Rows) -> Result<(), Error> {
    let machine = machine(context)?;
    for shape in calls(&S::INFO, shape) {
        for known in [aligned(&S::INFO, shape)?, Load::Any] {
            for launch in launches(&S::INFO, shape, known, &machine)? {
                cache::get(Facts::of::<S>(), context, launch.kernel, &machine)?
                    .resident_blocks(launch.kernel.threads)?;
            }
        }
    }
    if S::INFO.form == Form::Filter && shape.rows() == 1 {
        for (known, indices) in [
            (Load::Whole, false),
            (Load::Whole, true),
            (Load::Any, false),
            (Load::Any, true),
        ] {
            let launch = array_filter(&S::INFO, shape.cols(), known, indices, &machine);
            cache::get(Facts::of::<S>(), context, launch.kernel, &machine)?
                .resident_blocks(launch.kernel.threads)?;
        }
    }
    Ok(())
}

/// The launch of a filter over an array; of one that is aligned it says itself whether packs are whole.
fn array_filter(info: &Info, n: usize, known: Load, indices: bool, machine: &Machine) -> Launch {
    let order = Order::of_filter(info, n as u64);
    let load = match known {
        Load::Any => Load::Any,
        _ if order.n.is_multiple_of(u64::from(order.v)) => Load::Whole,
        _ => Load::Aligned,
    };
    let packs = Packs {
        load,
        store: load,
        starts: true,
        outputs: true,
    };
    schedule::filter_array(info, order.n, packs, indices, machine)
}

/// Compiles the kernels that a shape runs, and those of columns and of a filtered array of that size, for an
/// architecture; no GPU is needed. Gives how many there are.
///
/// With `anywhere` they are those for data that starts anywhere, else for data as it is allocated.
///
/// # Errors
/// A shape that overflows, no NVRTC, what NVRTC says of a kernel.
pub fn compile<S: Spec>(shape: Rows, anywhere: bool, arch: i32) -> Result<usize, Error> {
    Ok(images::<S>(shape, anywhere, arch)?.len())
}

/// What those kernels take, from their machine code.
///
/// # Errors
/// As [`compile`].
pub fn resources<S: Spec>(shape: Rows, anywhere: bool, arch: i32) -> Result<Vec<Resources>, Error> {
    let images = images::<S>(shape, anywhere, arch)?;
    let resources = images.into_iter().map(|(kernel, image)| {
        let Image::Cubin(cubin) = image else {
            return None;
        };
        let (registers, local) = resources::of_cubin(&cubin)?;
        Some(Resources {
            kernel: format!("{:?} of {:?}", kernel.entry, kernel.tile),
            registers,
            local,
        })
    });
    // What is no machine code yet, as for a device that is newer than NVRTC, has no resources.
    Ok(resources.flatten().collect())
}

fn images<S: Spec>(shape: Rows, anywhere: bool, arch: i32) -> Result<Vec<(Kernel, Image)>, Error> {
    let machine = Machine {
        arch,
        // As many as large cards have: schedules of few blocks follow from that.
        multiprocessors: 132,
        // Of every architecture that has bulk copies the most, or what the small cards of a later one have.
        shared: if (90..120).contains(&arch) {
            227 << 10
        } else {
            99 << 10
        },
    };
    let load = if anywhere {
        Load::Any
    } else {
        aligned(&S::INFO, shape)?
    };
    let mut all = launches(&S::INFO, shape, load, &machine)?;
    if S::INFO.form == Form::Filter {
        all.push(array_filter(&S::INFO, shape.cols(), load, anywhere, &machine));
    }
    if S::INFO.form == Form::Reduce && !S::INFO.has_apply && anywhere {
        let shape = shape.checked(shape.cols())?;
        all.push(schedule::columns(&S::INFO, &shape, &machine));
    }
    let images = all.iter().map(|launch| {
        let image = cache::image(Facts::of::<S>(), &launch.kernel, arch)?;
        Ok((launch.kernel, image))
    });
    images.collect()
}

/// Compiles the kernel that aligned data of this shape would run, and asks the driver what it takes.
///
/// Of a call that takes two kernels, it is the last.
///
/// # Errors
/// A shape that overflows, what NVRTC says of the kernel, what the driver says.
pub fn cost<S: Spec>(context: &Arc<CudaContext>, shape: Rows) -> Result<Cost, Error> {
    let machine = machine(context)?;
    let launches = launches(&S::INFO, shape, aligned(&S::INFO, shape)?, &machine)?;
    let kernel = launches[launches.len() - 1].kernel;
    let loaded = cache::get(Facts::of::<S>(), context, kernel, &machine)?;
    let figure = |attribute| {
        loaded
            .attribute(attribute)
            .map(|value| value.max(0).unsigned_abs())
    };
    Ok(Cost {
        registers: figure(Attribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?,
        shared_bytes: figure(Attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?,
        local_bytes: figure(Attribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?,
        threads: kernel.threads,
        blocks_per_multiprocessor: loaded.resident_blocks(kernel.threads)? as u32,
    })
}

/// The calls that a shape stands for: rows, and those of an array where its order is another than that of the one row.
fn calls(info: &Info, shape: Rows) -> impl Iterator<Item = Rows> {
    let n = shape.cols() as u64;
    let array = shape.rows() == 1 && Order::of_array(info, n) != Order::of_line(info, n);
    iter::once(shape).chain(array.then(|| Rows::array(shape.cols())))
}

/// What is known of data as it is allocated.
fn aligned(info: &Info, shape: Rows) -> Result<Load, Error> {
    let order = Order::of_shape(info, &shape.checked(shape.cols())?);
    Ok(if order.n.is_multiple_of(u64::from(order.v)) {
        Load::Whole
    } else {
        Load::Aligned
    })
}

/// The launches of a call over rows.
fn launches(info: &Info, shape: Rows, known: Load, machine: &Machine) -> Result<Vec<Launch>, Error> {
    let one = matches!(info.form, Form::Reduce) && !info.has_apply;
    let shape = shape.checked(if one { 1 } else { shape.cols() })?;
    let packs = Packs {
        load: known,
        store: known,
        starts: true,
        outputs: true,
    };
    Ok(match info.form {
        Form::Reduce if info.has_apply => {
            let (first, second) = schedule::apply(info, &shape, packs, machine);
            first.into_iter().chain([second]).collect()
        }
        Form::Reduce => vec![schedule::reduce(info, &shape, packs, machine)],
        Form::Scan { .. } => vec![schedule::scan(info, &shape, packs, machine)],
        Form::Filter => vec![schedule::filter(info, &shape, packs)],
        Form::Shuffle(_) => vec![schedule::shuffle(info, &shape, machine)],
    })
}
