//! The tasks of the warpfold workspace.

fn main() {}
