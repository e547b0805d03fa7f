//! Random bodies mean the same to rustc, to the compiler's interpreter, to a C++ compiler and to the GPU.

mod compare;
mod coverage;
mod cxx;
mod expected;
mod faults;
mod gpu;
mod interpreted;
mod written;
