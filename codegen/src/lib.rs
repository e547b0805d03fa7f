//! The compiler of warpfold.
