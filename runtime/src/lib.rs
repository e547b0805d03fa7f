//! Warp-level GPU programs in Rust.
//!
//! A reduction, a scan, a filter or a lane exchange is a few lines of Rust under an attribute; warpfold proves the warp
//! program right while the crate compiles, and runs it on the GPU where there is one and on the CPU where there is
//! none, with the same bits in the answer.
//!
//! Where the data lives decides where a call runs: `&[T]`, `&Vec<T>` and `&[T; N]` run on the CPU, cudarc's
//! `&CudaSlice<T>` and `&CudaView<T>` on their own stream, [`Buffer`]s wherever [`Device`] put them.
//!
//! The [`guide`] begins with a first reduction.
//!
//! # Features
//!
//! - `ndarray`: arrays and views of `ndarray`, by axis (the module `nd`).
//! - `serde`: [`Rows`] and [`Cost`] can be written and read.
//!
//! The driver is looked for when a program needs it, unless another crate of the same build asks cudarc for something else:
//! candle has CUDA linked.
//!
//! # Variables of the environment
//!
//! - `WARPFOLD_CACHE`: the folder that compiled kernels are kept in, or `off`; by default `warpfold` in the user's cache folder.
//! - `WARPFOLD_NVRTC`: the NVRTC library to use, and no other; by default it is looked for on the loader's path, under
//!   `CUDA_HOME` and `CUDA_PATH`, and where pip puts it.
//! - `WARPFOLD_NCCL`: likewise for NCCL, which only a [`Group`] of several GPUs needs.
//! - `WARPFOLD_GROUP`, `WARPFOLD_GROUP_TIMEOUT`: where the ranks of [`Group::from_env`] meet, and for how many seconds they wait there.
//! - `WARPFOLD_SOURCES`: a folder for the sources of kernels. Each is compiled anew, with line information, and written there:
//!   for Nsight Compute and compute-sanitizer, which then show its lines.

#![allow(
    clippy::inline_always,
    reason = "the loops of the CPU back end are vectorised only where everything in them is inlined"
)]

// Lets the crate's own tests write specs under the attributes, whose paths start with `::warpfold`.
#[cfg(test)]
extern crate self as warpfold;

mod about;
mod absent;
mod argument;
#[doc(hidden)]
pub mod arith;
mod buffer;
mod call;
mod check;
mod cpu;
mod device;
mod element;
mod error;
mod generic;
mod gpu;
pub mod group;
pub mod guide;
mod input;
mod launch;
mod memory;
#[cfg(feature = "ndarray")]
pub mod nd;
mod offsets;
#[doc(hidden)]
pub mod ops;
mod order;
mod outcome;
mod output;
mod place;
pub mod prelude;
mod raw;
mod rows;
#[doc(hidden)]
pub mod spec;

pub use buffer::Buffer;
/// The half-precision types of the language, so that nobody needs a dependency of their own for them.
pub use half::{bf16, f16};

pub use device::Device;
pub use element::Element;
pub use error::Error;
pub use generic::{Arguments, Filter, Passed, Reduce, Scan, Shuffle, Uniform};
pub use gpu::Cost;
pub use group::Group;
pub use input::Input;
pub use offsets::{Offset, Offsets, check_offsets};
pub use outcome::Outcome;
pub use output::Output;
pub use place::{Cuda, Either, Host, Place, SamePlace};
pub use raw::{RawSlice, RawSliceMut};
pub use rows::Rows;
pub use warpfold_lanes::{Proved, Trace, TraceStep};
pub use warpfold_macros::{warp_filter, warp_module, warp_reduce, warp_scan, warp_shuffle};

/// The programs of the README are compiled and run with the doc tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

/// What emitted code calls; nothing in here is for people, and anything may change.
#[doc(hidden)]
pub mod __private {
    // What is written for a spec relies on no prelude, and paths through here are its shortest.
    pub use std::marker::Sized;
    pub use std::option::Option::{self, None, Some};
    pub use std::result::Result::{self, Err, Ok};
    pub use std::string::String;
    pub use std::sync::Arc;

    pub use cudarc::driver::{CudaContext, DeviceRepr};
    pub use half::{bf16, f16};
    pub use warpfold_lanes::{Order, Proved, Trace};

    pub use crate::about::{cuda, plan, trace};
    pub use crate::absent::*;
    pub use crate::argument::{Argument, Target};
    pub use crate::call::*;
    pub use crate::gpu::{Resources, compile, compile_source, cost, prepare, ptx_of_source, resources};
    pub use crate::spec::*;
    pub use crate::{
        Cost, Cuda, Either, Element, Error, Host, Input, Offsets, Outcome, Output, Place, Rows, SamePlace,
    };
    pub use crate::{arith, ops};

    /// What the calls of a spec give whose types are wrong; such a crate does not compile.
    #[derive(Debug)]
    pub struct Refused(());
}
