//! Reductions over rows and columns, with and without `apply`: the CPU against plain loops, the GPU against the CPU.

mod apply;
mod columns;
mod custom;
mod every_length;
mod parameters;
mod structs;
mod table;
mod votes;
mod widths;
