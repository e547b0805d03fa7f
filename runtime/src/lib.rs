//! Warp-level GPU programs in Rust.
