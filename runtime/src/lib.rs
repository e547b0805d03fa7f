//! Warp-level GPU programs in Rust.

#[doc(hidden)]
pub mod arith;
mod argument;
mod buffer;
mod element;
mod error;
mod input;
mod launch;
#[doc(hidden)]
pub mod ops;
mod outcome;
mod output;
mod place;
mod rows;
pub mod spec;

pub use buffer::Buffer;
pub use element::Element;
pub use error::Error;
pub use input::Input;
pub use outcome::Outcome;
pub use output::Output;
pub use place::{Cuda, Either, Host, Place};
pub use rows::Rows;

/// What emitted code calls; nothing in here is for people, and anything may change.
#[doc(hidden)]
pub mod __private {
    pub use cudarc::driver::DeviceRepr;
    pub use half::{bf16, f16};

    pub use crate::argument::{Argument, Target};
    pub use crate::spec::*;
    pub use crate::{arith, ops};
}
