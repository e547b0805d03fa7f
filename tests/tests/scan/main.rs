//! Scans, filters and shuffles over rows: the CPU against plain loops, the GPU against the CPU.

mod filters;
mod scans;
mod shuffles;
mod types;
