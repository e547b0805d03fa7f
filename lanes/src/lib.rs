//! The warp as a machine.
