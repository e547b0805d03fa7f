//! Random typed programs of the language of bodies, as Rust source text.
//!
//! One seed gives the same programs everywhere: in the build script that has rustc compile them, in the test that
//! writes their CUDA C++, and on the machine that runs it. Every operator, conversion and method stands on each of its
//! types in at least [`TIMES`] places of [`all`]; expressions are at least [`DEPTH`] operations deep.
//!
//! The last programs also use what a module has of its own: the constants, structs and functions of [`PRELUDE`], which
//! stands before the programs of every module.
//!
//! Functions whose answer Rust leaves open to the last bits (`exp`, `sin`, …) are asked only for a result, never for an
//! operand, so that their error is not amplified. Bits that IEEE 754 leaves open (the sign and payload of a `NaN`)
//! are not looked at: `to_bits` and its like are given a number.

mod catalogue;
mod edges;
mod expr;
mod module;
mod program;
mod rng;
mod stmt;
mod words;

pub use catalogue::{Op, Rounding, catalogue};
pub use edges::edges;
pub use module::{PRELUDE, is_helper};
pub use program::{Program, all, cases};
pub use rng::Rng;
pub use words::{from_word, to_word};

/// In how many places each operation stands on each of its types, at least.
pub const TIMES: usize = 20;

/// How many operations deep the results are, at least.
pub const DEPTH: usize = 4;

/// How many programs there are, at least.
pub const PROGRAMS: usize = 2000;

/// How many further programs use what their module has of its own.
pub const OF_MODULE: usize = 200;
