//! Scans, filters and shuffles over rows: the CPU against plain loops, the GPU against the CPU.

#![allow(
    clippy::cast_lossless,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::float_cmp,
    clippy::many_single_char_names,
    clippy::too_many_lines,
    clippy::type_complexity,
    reason = "tests compute what is wanted another way, with numbers of every type side by side"
)]

mod columns;
mod filters;
mod scans;
mod segments;
mod shuffles;
mod types;
