//! Everything that can go wrong at run time, and what to do about it.

use cudarc::driver::DriverError;

/// Why a call did not run. Every message ends with what to do.
///
/// Shapes and lengths are checked before anything runs: on such an error nothing has been written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An array is shorter than the shape needs.
    #[error(
        "`{spec}`: {what} needs {needed} elements and has {given}\nhelp: pass more elements, or a smaller shape"
    )]
    TooShort {
        /// The spec.
        spec: &'static str,
        /// Which array: a parameter in backquotes, or the output.
        what: String,
        /// Elements needed.
        needed: u64,
        /// Elements given.
        given: u64,
    },
    /// Two arrays of one call that must be equally long are not.
    #[error(
        "`{spec}`: {what} has {given} elements where {needed} are wanted, one for each element of the first input\nhelp: pass arrays of one length"
    )]
    Length {
        /// The spec.
        spec: &'static str,
        /// Which array.
        what: String,
        /// Elements wanted.
        needed: u64,
        /// Elements given.
        given: u64,
    },
    /// An argument of a generic call is not what the spec's parameter takes.
    #[error(
        "`{spec}`: argument {number} is {given} and `{param}` takes {wanted}\nhelp: pass one argument for each parameter that is passed, in the function's order"
    )]
    Argument {
        /// The spec.
        spec: &'static str,
        /// Which argument, from 1.
        number: usize,
        /// The parameter.
        param: &'static str,
        /// What was passed.
        given: String,
        /// What is wanted.
        wanted: String,
    },
    /// A generic call passes more or fewer arguments than the spec has parameters.
    #[error(
        "`{spec}` takes {wanted} arguments, not {given}\nhelp: pass one for each parameter but `#[index]`, `#[row]` and `#[len]`, in the function's order"
    )]
    ArgumentCount {
        /// The spec.
        spec: &'static str,
        /// Passed.
        given: usize,
        /// Wanted.
        wanted: usize,
    },
    /// Arrays of `ndarray` that do not belong in one call.
    #[error("`{spec}`: {what}\nhelp: pass arrays of one shape, and an axis that they have")]
    Arrays {
        /// The spec.
        spec: &'static str,
        /// What is wrong with them.
        what: String,
    },
    /// A stride is smaller than a row.
    #[error(
        "{what} {stride} is smaller than the {cols} columns of a row\nhelp: use a stride of at least {cols}"
    )]
    Stride {
        /// `stride` or `out_stride`.
        what: &'static str,
        /// As given.
        stride: usize,
        /// Columns.
        cols: usize,
    },
    /// Rows times stride, with a row to spare, does not fit into 64 bits.
    #[error(
        "no memory holds {rows} rows of stride {stride}\nhelp: pass fewer rows or columns, or a smaller stride"
    )]
    Overflow {
        /// Rows.
        rows: usize,
        /// Stride.
        stride: usize,
    },
    /// More columns than the operator can take.
    #[error("`{spec}` takes rows of up to {limit} columns, not {cols}\nhelp: split the rows")]
    TooManyColumns {
        /// The spec.
        spec: &'static str,
        /// The most it takes.
        limit: u64,
        /// As given.
        cols: u64,
    },
    /// A count does not fit into the parameter that asks for it.
    #[error(
        "`{spec}`: {value} does not fit into `{param}`, which is a u32\nhelp: declare it as `{param}: u64`"
    )]
    CountTooLarge {
        /// The spec.
        spec: &'static str,
        /// The parameter.
        param: &'static str,
        /// The largest value it would take.
        value: u64,
    },
    /// Offsets of segments that are no offsets.
    #[error(
        "`{spec}`: segment offsets {what}\nhelp: pass n + 1 offsets for n segments: none below 0 or below the one before, the last at most the length of the input"
    )]
    Offsets {
        /// The spec.
        spec: &'static str,
        /// What is wrong with them.
        what: String,
    },
    /// Inputs of one call on different devices, or partly on the host.
    #[error(
        "`{spec}`: {what} is not where the first input is\nhelp: copy it there first; all data of one call lives in one place"
    )]
    OtherPlace {
        /// The spec.
        spec: &'static str,
        /// Which array.
        what: String,
    },
    /// There is no memory of this size on the host.
    #[error(
        "the host has no {bytes} bytes for an array\nhelp: ask for fewer elements, rows or columns at a time, or use an `_into` call with memory of your own"
    )]
    HostMemory {
        /// Bytes asked for.
        bytes: usize,
    },
    /// There is no GPU to be had.
    #[error("no GPU: {reason}\nhelp: use `Device::best()`, which falls back to the CPU, or {remedy}")]
    NoGpu {
        /// What was searched and not found.
        reason: String,
        /// How to get it.
        remedy: String,
    },
    /// A device cannot be planned for so many multiprocessors.
    #[error("this device cannot be planned for {given} multiprocessors\nhelp: ask for 1 to {most}")]
    Multiprocessors {
        /// As given.
        given: usize,
        /// The most it takes.
        most: u64,
    },
    /// NVRTC, which compiles kernels, is not to be found.
    #[error(
        "no NVRTC: searched {searched}\nhelp: install it with `pip install nvidia-cuda-nvrtc`, or name the library file in WARPFOLD_NVRTC"
    )]
    NoNvrtc {
        /// Where it was looked for.
        searched: String,
    },
    /// NVRTC refused a kernel: a fault of warpfold, unless the spec's module declares something NVRTC does not take.
    #[error(
        "NVRTC refused the kernel of `{spec}` ({options})\n{log}\n{numbered}\nhelp: report this with the text above; meanwhile run the spec on the CPU"
    )]
    Compile {
        /// The spec.
        spec: &'static str,
        /// NVRTC's options.
        options: String,
        /// NVRTC's words.
        log: String,
        /// The source with line numbers.
        numbered: String,
    },
    /// The arguments of a spec are more than a kernel can take.
    #[error(
        "`{spec}` passes {bytes} bytes of arguments and a kernel takes {limit}\nhelp: pass large uniforms as `#[per_row]` or `#[per_column]` arrays"
    )]
    TooManyArguments {
        /// The spec.
        spec: &'static str,
        /// Bytes.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// The device cannot run this call.
    #[error("`{spec}`: {what}\nhelp: {remedy}")]
    Unsupported {
        /// The spec.
        spec: &'static str,
        /// What is asked for.
        what: String,
        /// What works.
        remedy: &'static str,
    },
    /// A rank of a group has ended, or did not come in time. The group is at an end.
    #[error(
        "group: {what}\nhelp: see how that rank ended, then let all ranks join a new group; a group waits longer with `Group::timeout`"
    )]
    GroupLost {
        /// Who, and for how long.
        what: String,
    },
    /// The ranks of a group make different calls.
    #[error(
        "group: this rank calls {here}, and rank {rank} calls {there}\nhelp: let all ranks make the same calls in the same order"
    )]
    GroupDiffers {
        /// What this rank calls.
        here: String,
        /// A rank that calls something else.
        rank: usize,
        /// What it calls.
        there: String,
    },
    /// Another rank could not take part in a call; the group goes on.
    #[error("group: rank {rank} could not take part: {reason}\nhelp: look at the error of that rank")]
    GroupFailed {
        /// Which.
        rank: usize,
        /// The start of its own error.
        reason: String,
    },
    /// The ranks of a group do not find each other.
    #[error("group: {what}\nhelp: {remedy}")]
    GroupMeeting {
        /// What went wrong.
        what: String,
        /// What works.
        remedy: String,
    },
    /// NCCL, over which GPUs talk, is not to be found.
    #[error(
        "no NCCL: searched {searched}\nhelp: install it with `pip install nvidia-nccl-cu12` or `apt install libnccl2`, or name the library file in WARPFOLD_NCCL"
    )]
    NoNccl {
        /// Where it was looked for.
        searched: String,
    },
    /// What NCCL says.
    #[error("NCCL: {what}\nhelp: run with NCCL_DEBUG=INFO to see its reasons")]
    Nccl {
        /// Its words.
        what: String,
    },
    /// What the CUDA driver says.
    #[error(
        "the CUDA driver says {0:?}\nhelp: an error of earlier work on the device shows up here too; run with CUDA_LAUNCH_BLOCKING=1 or under compute-sanitizer to find it"
    )]
    Driver(DriverError),
}

impl From<DriverError> for Error {
    fn from(error: DriverError) -> Self {
        Self::Driver(error)
    }
}
