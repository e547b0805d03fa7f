//! The compiler of warpfold: from the tokens of an annotated function to CUDA C++ and Rust.
