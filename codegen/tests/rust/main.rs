//! The Rust of specs as users write them: as committed, and with the user's spans.

mod expansions;
mod lean;
mod spans;
