//! Warp-level GPU programs in Rust.

mod argument;
mod buffer;
mod element;
mod error;
mod input;
mod launch;
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
